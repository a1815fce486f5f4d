"""Queues emails of the instance in rows.

A row stays until its email is accepted or refused for good, so a crash loses none. The worker that claims a row
postpones its next try, so no two workers send it.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from tortoise.queryset import QuerySet

from webapp import clock
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import SystemEmail
from webapp.logs import RateLimitedLogger
from webapp.models.base.row import TableModel
from webapp.sending.outcomes import Blame, Delivered, Refused, TryLater

log = logging.getLogger(__name__)
_complaints = RateLimitedLogger(log)

ROUND_SECONDS = 10.0  # then no further email is begun: a job has a minute, and one email may take most of it
ROWS_AT_ONCE = 100
LEASE = timedelta(minutes=2)  # longer than sending takes
SOONEST, LATEST = timedelta(seconds=15), timedelta(minutes=5)  # between tries; each wait doubles the age

Waiting = TypeVar("Waiting", bound=TableModel)


def next_wait(age: timedelta) -> timedelta:
    return min(max(age, SOONEST), LATEST)


class EmailQueue(Generic[Waiting]):
    """`due` is the column with the next try; `compose` returns None if the email is no longer wanted."""

    def __init__(
        self, kind: str, due: str, give_up: timedelta, compose: Callable[[Waiting], Awaitable[SystemEmail | None]]
    ) -> None:
        self._kind, self._due, self._give_up, self._compose = kind, due, give_up, compose

    async def send(self, rows: QuerySet[Waiting]) -> None:
        """Sends what is due, oldest first, until the server has trouble or ROUND_SECONDS are over."""
        now, until = clock.now(), clock.elapsed() + ROUND_SECONDS
        # Not what has waited long: an old backup may contain emails that were sent since.
        due = rows.filter(**{"created_at__gt": now - self._give_up, f"{self._due}__lte": now})
        for row in await due.order_by(self._due).limit(ROWS_AT_ONCE):
            if not system_email.is_set_up():
                _complaints.warn(f"{self._kind} waits, and PENNYPOST_SMTP_URL is not set for the worker")
                return
            if clock.elapsed() >= until or not await self._send(row):
                return

    async def _send(self, row: Waiting) -> bool:
        """Sends one email unless another worker has claimed it; False if the server has trouble."""
        now = clock.now()
        if not await self._postpone(row, now + LEASE, **{f"{self._due}__lte": now}):
            return True
        email = await self._compose(row)
        outcome = await system_email.send(email) if email is not None else None
        if outcome is None or isinstance(outcome, Delivered):
            await row.delete()
            return True
        now = clock.now()
        age = now - row.created_at
        wait = next_wait(age)
        if isinstance(outcome, Refused) or age + wait >= self._give_up:
            log.warning("%s was given up: %s", self._kind, outcome.text)
            await row.delete()
        else:
            log.warning("%s waits: %s", self._kind, outcome.text)
            await self._postpone(row, now + wait)
        return isinstance(outcome, Refused) or (isinstance(outcome, TryLater) and outcome.blame is Blame.MESSAGE)

    async def _postpone(self, row: Waiting, until: datetime, **condition: datetime) -> int:
        return await type(row).filter(id=row.id, **condition).update(**{self._due: until})
