"""Writes outcomes to the database, account by account: what arrives while one batch is written makes the next."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from uuid import UUID

from webapp.domain.delivery import deliver
from webapp.domain.delivery.deliver import Claimed, Settlement
from webapp.domain.delivery.lease_keeper import Holdings

log = logging.getLogger(__name__)

FOLLOW_UP_EVERY = 0.2  # seconds: what comes after a commit need not come after each
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between tries while the database is away

# How long an outcome waits for others at most: the more messages are under way, the sooner they come.
GATHER_SECONDS, LONGEST_GATHERING = 0.0002, 0.02  # for each message under way, and in all
SHARE = 4  # a batch is worth it that has a quarter of what is under way: others travel, and are written, meanwhile
WRITES_AT_ONCE = 2  # of one account: its connections need not wait for the batch before theirs
RETURNS_AT_ONCE = 4  # of all accounts, and of the pool's connections: a unit comes back to a day that may be locked

UnderWay = Callable[[UUID], int]  # how many messages of an account are with its server, or were and are not kept yet
_Group = tuple[Sequence[Settlement], "asyncio.Future[None]"]


@dataclass(eq=False)
class _Line:
    """The outcomes of one account that wait, and how many groups are being written."""

    groups: list[_Group] = field(default_factory=list)
    writes: int = 0
    timer: asyncio.TimerHandle | None = None

    @property
    def is_used(self) -> bool:
        """Whether anything waits or is being written."""
        return bool(self.groups or self.writes)

    def take(self) -> list[_Group]:
        """The next batch."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        batch, self.groups = self.groups, []
        self.writes += 1
        return batch


class OutcomeWriter:
    """Keeps outcomes in batches; whoever hands some in waits until they are committed.

    Each account has its own line: a locked row of one holds up nobody else.
    """

    def __init__(self, holdings: Holdings, under_way: UnderWay) -> None:
        """Gather outcomes by what is under way: commits cost the database more than the rows in them."""
        self._holdings = holdings
        self._under_way = under_way
        self._lines: dict[UUID, _Line] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._settled: dict[tuple[UUID, UUID | None], Claimed] = {}  # a row for each account and run
        self._following: asyncio.Task[None] | None = None
        self._is_over = asyncio.Event()
        self._returns = asyncio.Semaphore(RETURNS_AT_ONCE)

    async def keep(self, settlements: Sequence[Settlement]) -> None:
        """Return when the outcomes, all of one account, are committed."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        account_id = settlements[0].row.account_id
        line = self._lines.get(account_id)
        if line is None:
            line = self._lines[account_id] = _Line()
        line.groups.append((settlements, committed))
        self._write_soon(account_id, line)
        await committed

    def _write_soon(self, account_id: UUID, line: _Line) -> None:
        """Write the batch that waits, at once where it is worth it, or else in a moment."""
        if line.writes >= WRITES_AT_ONCE or not line.groups:
            return
        under_way = self._under_way(account_id)
        if len(line.groups) * SHARE >= under_way:
            self._begin(account_id, line)
        elif line.timer is None:
            seconds = min(under_way * GATHER_SECONDS, LONGEST_GATHERING)
            line.timer = asyncio.get_running_loop().call_later(seconds, self._begin, account_id, line)

    def _begin(self, account_id: UUID, line: _Line) -> None:
        line.timer = None
        if line.groups and line.writes < WRITES_AT_ONCE:
            task = asyncio.create_task(self._write_batch(account_id, line, line.take()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _write_batch(self, account_id: UUID, line: _Line, batch: list[_Group]) -> None:
        settlements = [one for group, _ in batch for one in group]
        async with self._returns if any(one.refund_quota for one in settlements) else nullcontext():
            await self._write(settlements)
        self._holdings.drop(one.row.id for one in settlements)
        for _, committed in batch:
            if not committed.done():
                committed.set_result(None)
        line.writes -= 1
        self._follow_up_soon(settlements)
        self._write_soon(account_id, line)

    def _follow_up_soon(self, settlements: Sequence[Settlement]) -> None:
        runs = {one.row.campaign_run_id: one.row for one in settlements}
        self._settled |= {(row.account_id, run_id): row for run_id, row in runs.items()}
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow_up())

    async def _follow_up(self) -> None:
        while self._settled:
            await self._tell_all()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FOLLOW_UP_EVERY):
                    await self._is_over.wait()
        self._lines = {account_id: line for account_id, line in self._lines.items() if line.is_used}

    async def _tell_all(self) -> None:
        rows, self._settled = list(self._settled.values()), {}
        await deliver.follow_up(rows, unfinished=self._holdings.runs())

    async def finish(self) -> None:
        """Tell what was settled and not told yet; nothing is kept any more."""
        self._is_over.set()
        if self._following is not None:
            await self._following  # what it is telling just now would not be told again
        await self._tell_all()

    async def _write(self, settlements: Sequence[Settlement]) -> None:
        """Try until the database takes them: an outcome that is dropped sends a mail twice."""
        pause = FIRST_PAUSE
        while not await self._is_written(settlements):
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _is_written(self, settlements: Sequence[Settlement]) -> bool:
        try:
            await deliver.keep_outcomes(settlements)
        except Exception:
            log.exception("%d outcomes could not be kept; trying again", len(settlements))
            return False
        return True
