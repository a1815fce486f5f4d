"""The ticker: fires the table of periodic work while arq cannot."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from time import monotonic

from jobs.periodic import Periodic

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5


class Ticker:
    """Fires each piece when its time has come; `is_needed` is asked at every tick."""

    def __init__(self, table: Sequence[Periodic], is_needed: Callable[[], bool]) -> None:
        self._table = table
        self._is_needed = is_needed

    async def run(self) -> None:
        """Tick until cancelled."""
        fired_at = {piece.name: monotonic() for piece in self._table}
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for piece in self._table:
                if monotonic() - fired_at[piece.name] >= piece.seconds:
                    fired_at[piece.name] = monotonic()
                    if self._is_needed():
                        await fire(piece)


async def fire(piece: Periodic) -> None:
    """Do a piece of work; its failure is logged and stops nothing else."""
    try:
        await piece.work()
    except Exception:
        log.exception("periodic work failed: %s", piece.name)
