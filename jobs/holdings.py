"""What this worker holds: leases are lengthened while it lives, and asked about right before DATA."""

import asyncio
import logging
from collections.abc import Collection
from uuid import UUID

from webapp import clock
from webapp.domain import deliveries
from webapp.domain.deliveries import Message
from webapp.sending.smtp import Proceed

log = logging.getLogger(__name__)

MARGIN = 0.9  # of a lease: our clock and the database's need not agree to the second


class Holdings:
    """The claimed rows with the ends of their leases, by a clock that goes on while the machine sleeps."""

    def __init__(self, lease_seconds: float) -> None:
        self._lease = lease_seconds
        self._tokens: dict[UUID, UUID] = {}
        self._ends: dict[UUID, float] = {}

    def ids(self) -> Collection[UUID]:
        """The rows that are held."""
        return self._tokens.keys()

    def add(self, message: Message, asked_at: float) -> None:
        """Hold the rows of a message whose claim was begun at `asked_at`: before the database counted its lease."""
        for row in message.rows:
            self._tokens[row.id] = row.token
            self._ends[row.id] = asked_at + self._lease * MARGIN

    def drop(self, row_ids: set[UUID]) -> None:
        """Hold these rows no longer: their outcomes are kept."""
        for row_id in row_ids:
            self._tokens.pop(row_id, None)
            self._ends.pop(row_id, None)

    def proceed(self, message: Message) -> Proceed:
        """Make the question asked right before DATA: whether its rows are still ours, and no run was stopped."""

        async def may_send() -> bool:
            goes_on = await deliveries.goes_on(message)
            now = clock.elapsed()
            return goes_on and all(self._ends.get(row.id, 0.0) > now for row in message.rows)

        return may_send

    async def keep(self) -> None:
        """Lengthen the leases every quarter of one, until cancelled; without the database they run out."""
        while True:
            await asyncio.sleep(self._lease / 4)
            if self._tokens:
                try:
                    await self._extend()
                except Exception:
                    log.exception("leases could not be lengthened")

    async def _extend(self) -> None:
        asked_at, held = clock.elapsed(), list(self._tokens.items())
        kept = await deliveries.extend_leases(held, self._lease)
        for row_id, _ in held:
            if row_id in self._tokens:  # its outcome may have been kept meanwhile
                # Zero: another worker has it.
                self._ends[row_id] = asked_at + self._lease * MARGIN if row_id in kept else 0.0
