"""A cron that runs the periodic work where arq does not."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from jobs.periodic import Periodic
from webapp import clock

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
OVERDUE, OVERDUE_SECONDS = 4, 60.0  # periods, and at least: arq is silent for a while after a step of the clock


class FallbackCron:
    """Runs work that is due while arq is away, or overdue; no work runs twice at once."""

    def __init__(self, table: Sequence[Periodic], is_arq_up: Callable[[], bool]) -> None:
        self._table = table
        self._is_arq_up = is_arq_up
        self._fired_at = {piece.name: clock.elapsed() for piece in table}
        self._active: set[str] = set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as fired:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                for piece in self._table:
                    if self._is_due(piece):
                        fired.create_task(self.fire(piece))

    def _is_due(self, piece: Periodic) -> bool:
        age = clock.elapsed() - self._fired_at[piece.name]
        delay = max(OVERDUE * piece.seconds, OVERDUE_SECONDS) if self._is_arq_up() else piece.seconds
        return age >= delay

    async def fire(self, piece: Periodic) -> None:
        """Runs the work unless it is running in this process; logs its failure."""
        self._fired_at[piece.name] = clock.elapsed()
        if piece.name in self._active:
            return
        self._active.add(piece.name)
        try:
            await piece.run()
        except Exception:
            log.exception("periodic work failed: %s", piece.name)
        finally:
            self._active.discard(piece.name)
