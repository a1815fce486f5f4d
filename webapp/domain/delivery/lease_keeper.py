"""Extends the leases of this worker."""

import asyncio
import logging
import math
from collections.abc import Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from webapp import clock
from webapp.backoff import Backoff
from webapp.domain.delivery.live_state import LiveState
from webapp.domain.delivery.message import Message
from webapp.models.outbox import leases
from webapp.models.outbox.claims import Claimed

log = logging.getLogger(__name__)

MARGIN = 0.9  # of a lease, because clocks may differ


class _Lease(NamedTuple):
    row: Claimed
    end: float
    expires_at: float  # of a compose; infinite for others


class LeaseKeeper:
    """The claimed rows and the ends of their leases, by a clock that includes suspend."""

    def __init__(self, lease_seconds: float, live_state: LiveState) -> None:
        self._lease = lease_seconds
        self._live_state = live_state
        self._leases: dict[UUID, _Lease] = {}
        self._failures: Backoff[str] = Backoff(log, "extending leases", longest=lease_seconds / 4)

    def ids(self) -> Collection[UUID]:
        return self._leases.keys()

    def rows(self) -> list[Claimed]:
        return [lease.row for lease in self._leases.values()]

    def add(self, rows: Iterable[Claimed], asked_at: float) -> None:
        """Adds rows whose claim began at `asked_at`, which is before their leases in the database."""
        end = asked_at + self._lease * MARGIN
        for row in rows:
            expires_at = math.inf if row.expires_in is None else asked_at + row.expires_in
            self._leases[row.id] = _Lease(row, end, expires_at)

    def drop(self, row_ids: Iterable[UUID]) -> None:
        for row_id in row_ids:
            self._leases.pop(row_id, None)

    def may_send(self, message: Message) -> bool:
        """True while the message's rows are leased and their runs not stopped."""
        now = clock.elapsed()
        for row in message.rows:
            lease = self._leases.get(row.id)
            if lease is None or lease.end <= now or lease.expires_at <= now:
                return False
        return self._live_state.may_still_send(message.rows)

    def seconds_left(self, message: Message) -> float | None:
        """Seconds until a compose expires; None for other messages."""
        if message.rows[0].expires_in is None:
            return None
        lease = self._leases.get(message.rows[0].id)
        return 0.0 if lease is None else lease.expires_at - clock.elapsed()

    async def extend_forever(self) -> None:
        """Extends leases every quarter of their duration; they expire without the database."""
        while True:
            pause = await self._failures.attempt("", self._extend) if self._leases else 0.0
            await asyncio.sleep(pause or self._lease / 4)

    async def _extend(self) -> None:
        asked_at, leased = clock.elapsed(), [(row.id, row.token) for row in self.rows()]
        extended, lost = await leases.extend_leases(leased, self._lease)
        ends = dict.fromkeys(extended, asked_at + self._lease * MARGIN) | dict.fromkeys(lost, 0.0)
        # Rows settled in the meantime were dropped.
        for row_id, end in ends.items():
            if row_id in self._leases:
                self._leases[row_id] = self._leases[row_id]._replace(end=end)
