"""Rows that each wait to become a mail of the instance.

A row stays until its mail is accepted or refused for good, so that no crash loses one; the worker that claims it
postpones its next try, so that no two send the same one.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from tortoise.queryset import QuerySet

from webapp import clock
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import SystemEmail
from webapp.logs import RateLimitedLogger
from webapp.models.row import TableModel
from webapp.sending.outcomes import Blame, Delivered, Refused, TryLater

log = logging.getLogger(__name__)
_complaints = RateLimitedLogger(log)

ROUND_SECONDS = 10.0  # no other mail is begun after that: a job has a minute, and the last mail may take most of it
ROWS_AT_ONCE = 100
LEASE = timedelta(minutes=2)  # longer than a mail may take
SOONEST, LATEST = timedelta(seconds=15), timedelta(minutes=5)  # between two tries; each wait doubles the age

Waiting = TypeVar("Waiting", bound=TableModel)


class AddressedEmail(NamedTuple):
    to: str
    email: SystemEmail


class EmailQueue(Generic[Waiting]):
    """The rows of a kind; their column `due` is the next try, and `compose` returns None for a mail nobody wants."""

    def __init__(
        self, what: str, due: str, give_up: timedelta, compose: Callable[[Waiting], Awaitable[AddressedEmail | None]]
    ) -> None:
        self._what, self._due, self._give_up, self._compose = what, due, give_up, compose

    async def send(self, rows: QuerySet[Waiting]) -> None:
        """Sends what is due, the oldest first, until the server has trouble or ROUND_SECONDS are over."""
        now, until = clock.now(), clock.elapsed() + ROUND_SECONDS
        # Nothing that has waited long: an old backup, say, may hold what was sent then.
        due = rows.filter(**{"created_at__gt": now - self._give_up, f"{self._due}__lte": now})
        for row in await due.order_by(self._due).limit(ROWS_AT_ONCE):
            if not system_email.is_set_up():
                _complaints.warn(f"{self._what} waits, and PENNYPOST_SMTP_URL is not set for the worker")
                return
            if clock.elapsed() >= until or not await self._send(row):
                return

    async def _send(self, row: Waiting) -> bool:
        """Sends one mail, unless another worker has claimed it; False when the server has trouble."""
        now = clock.now()
        if not await self._postpone(row, now + LEASE, **{f"{self._due}__lte": now}):
            return True
        found = await self._compose(row)
        outcome = await system_email.send(*found) if found is not None else None
        if outcome is None or isinstance(outcome, Delivered):
            await row.delete()
            return True
        now = clock.now()
        age = now - row.created_at
        wait = min(max(age, SOONEST), LATEST)
        if isinstance(outcome, Refused) or age + wait >= self._give_up:
            log.warning("%s was given up: %s", self._what, outcome.text)
            await row.delete()
        else:
            log.warning("%s waits: %s", self._what, outcome.text)
            await self._postpone(row, now + wait)
        return isinstance(outcome, Refused) or (isinstance(outcome, TryLater) and outcome.blame is Blame.MESSAGE)

    async def _postpone(self, row: Waiting, until: datetime, **condition: datetime) -> int:
        return await type(row).filter(id=row.id, **condition).update(**{self._due: until})
