"""Writes outcomes to the database, account by account: what arrives while one batch is written makes the next."""

import asyncio
import logging
from collections.abc import Sequence
from uuid import UUID

from jobs.holdings import Holdings
from webapp.domain import deliveries
from webapp.domain.deliveries import Claimed, Settlement

log = logging.getLogger(__name__)

FOLLOW_UP_EVERY = 0.2  # seconds: what comes after a commit need not come after each
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between tries while the database is away

_Batch = list[tuple[Sequence[Settlement], "asyncio.Future[None]"]]


class OutcomeWriter:
    """Keeps outcomes in batches; whoever hands some in waits until they are committed.

    Each account has its own line: a locked row of one holds up nobody else.
    """

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._waiting: dict[UUID, _Batch] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._settled: dict[tuple[UUID, UUID | None], Claimed] = {}  # a row for each account and run
        self._following: asyncio.Task[None] | None = None

    async def keep(self, settlements: Sequence[Settlement]) -> None:
        """Return when the outcomes, all of one account, are committed."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        account_id = settlements[0].row.account_id
        is_written = account_id in self._waiting
        self._waiting.setdefault(account_id, []).append((settlements, committed))
        if not is_written:
            task = asyncio.create_task(self._write_all(account_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await committed

    async def _write_all(self, account_id: UUID) -> None:
        while batch := self._waiting[account_id]:
            self._waiting[account_id] = []
            settlements = [one for group, _ in batch for one in group]
            await self._write(settlements)
            self._holdings.drop({one.row.id for one in settlements})
            for _, committed in batch:
                if not committed.done():
                    committed.set_result(None)
            self._follow_up_soon(settlements)
        del self._waiting[account_id]

    def _follow_up_soon(self, settlements: Sequence[Settlement]) -> None:
        for one in settlements:
            self._settled[one.row.account_id, one.row.campaign_run_id] = one.row
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow_up())

    async def _follow_up(self) -> None:
        while self._settled:
            await self._tell_all()
            await asyncio.sleep(FOLLOW_UP_EVERY)

    async def _tell_all(self) -> None:
        rows, self._settled = list(self._settled.values()), {}
        await deliveries.follow_up(rows)

    async def finish(self) -> None:
        """Tell what was settled and not told yet; nothing is kept any more."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self._tell_all()

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
