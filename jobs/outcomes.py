"""Writes outcomes to the database: what arrives while one batch is written makes the next."""

import asyncio
import logging
from collections.abc import Sequence

from jobs.holdings import Holdings
from webapp.domain import deliveries
from webapp.domain.deliveries import Settlement

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between tries while the database is away


class OutcomeWriter:
    """Keeps outcomes in batches; whoever hands some in waits until they are committed."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._waiting: list[tuple[Sequence[Settlement], asyncio.Future[None]]] = []
        self._arrived = asyncio.Event()

    async def keep(self, settlements: Sequence[Settlement]) -> None:
        """Return when the outcomes are committed."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((settlements, committed))
        self._arrived.set()
        await committed

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            batch, self._waiting = self._waiting, []
            settlements = [one for group, _ in batch for one in group]
            await self._write(settlements)
            self._holdings.drop({one.row.id for one in settlements})
            for _, committed in batch:
                if not committed.done():
                    committed.set_result(None)

    async def _write(self, settlements: Sequence[Settlement]) -> None:
        """Try until the database takes them: an outcome that is dropped sends a mail twice."""
        pause = FIRST_PAUSE
        while True:
            try:
                await deliveries.keep_outcomes(settlements)
            except Exception:
                log.exception("%d outcomes could not be kept; trying again", len(settlements))
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                return
