"""What this worker holds: leases are lengthened while it lives, and asked about right before DATA."""

import asyncio
import logging
from collections.abc import Collection, Iterable
from uuid import UUID

from webapp import clock
from webapp.domain.delivery import deliver
from webapp.domain.delivery.deliver import Claimed, Message
from webapp.domain.delivery.live_state import Served

log = logging.getLogger(__name__)

MARGIN = 0.9  # of a lease: our clock and the database's need not agree to the second


class Holdings:
    """The claimed rows with the ends of their leases, by a clock that goes on while the machine sleeps."""

    def __init__(self, lease_seconds: float, served: Served) -> None:
        self._lease = lease_seconds
        self._served = served
        self._held: dict[UUID, tuple[Claimed, float]] = {}

    def ids(self) -> Collection[UUID]:
        """The ids of the rows that are held."""
        return self._held.keys()

    def runs(self) -> set[UUID | None]:
        """The runs of the rows that are held: they are not over."""
        return {row.campaign_run_id for row, _ in self._held.values()}

    def add(self, rows: Iterable[Claimed], asked_at: float) -> None:
        """Hold rows whose claim was begun at `asked_at`: before the database counted their lease."""
        end = asked_at + self._lease * MARGIN
        self._held.update((row.id, (row, end)) for row in rows)

    def drop(self, row_ids: Iterable[UUID]) -> None:
        """Hold these rows no longer: their outcomes are kept."""
        for row_id in row_ids:
            self._held.pop(row_id, None)

    def may_send(self, message: Message) -> bool:
        """Whether the rows of a message are still ours, and none of their runs was stopped."""
        now = clock.elapsed()
        for row in message.rows:
            held = self._held.get(row.id)
            if held is None or held[1] <= now:
                return False
        return self._served.goes_on(message.rows)

    async def look(self) -> None:
        """See how the accounts and the runs of what is held are now."""
        await self._served.look([row for row, _ in self._held.values()])

    async def keep(self) -> None:
        """Lengthen the leases every quarter of one, until cancelled; without the database they run out."""
        while True:
            await asyncio.sleep(self._lease / 4)
            if self._held:
                try:
                    await self._extend()
                except Exception:
                    log.exception("leases could not be lengthened")

    async def _extend(self) -> None:
        asked_at, held = clock.elapsed(), [(row.id, row.token) for row, _ in self._held.values()]
        extended = await deliver.extend_leases(held, self._lease)
        ends = dict.fromkeys(extended.kept, asked_at + self._lease * MARGIN)
        ends |= dict.fromkeys(extended.lost, 0.0)  # another worker has them
        # What was settled meanwhile is not held any more.
        self._held |= {row_id: (self._held[row_id][0], end) for row_id, end in ends.items() if row_id in self._held}
