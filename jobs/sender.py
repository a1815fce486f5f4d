"""The sender loop: claims messages of every account that has some due, and sends them over a few connections at a time.

A message holds its slot until its outcome is committed. So at most `concurrency` messages of an account can be accepted
by its server and unknown to us when the process dies.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from jobs.holdings import Holdings
from jobs.outcomes import OutcomeWriter
from webapp.domain import deliveries, retries
from webapp.domain.deliveries import DueAccount, Message
from webapp.sending.pool import SmtpPool

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
POLL_JITTER = 0.2
CLAIMED_AHEAD = 25  # messages of an account beyond those on its connections
MESSAGES_AT_ONCE = 64  # per process
ERROR_PAUSE = 1.0


@dataclass
class _Lane:
    """The messages of one account that this process holds."""

    slots: asyncio.Semaphore
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)


class Sender:
    """Sends until told to stop; what it claimed and did not start goes back."""

    def __init__(self, pool: SmtpPool, lease_seconds: float) -> None:
        self._pool = pool
        self._lease_seconds = lease_seconds
        self._holdings = Holdings(lease_seconds)
        self._writer = OutcomeWriter(self._holdings)
        self._lanes: dict[UUID, _Lane] = {}
        self._at_once = asyncio.Semaphore(MESSAGES_AT_ONCE)
        self._woken = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """Look for due mail now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, grace: float) -> None:
        """Send until `stop` is set, then finish within `grace` seconds."""
        async with asyncio.TaskGroup() as group:
            keepers = [group.create_task(self._holdings.keep()), group.create_task(self._writer.run())]
            claimer = group.create_task(self._claim_until_stopped())
            await stop.wait()
            self._stopping = True
            self._woken.set()
            await self._end(claimer, grace)
            await self._drain(grace)
            for keeper in keepers:
                keeper.cancel()

    async def _claim_until_stopped(self) -> None:
        while not self._stopping:
            self._woken.clear()
            try:
                claimed = await self._claim_round()
            except Exception:
                log.exception("looking for due mail failed")
                await asyncio.sleep(ERROR_PAUSE)
                continue
            if not claimed:
                await self._wait_for_work()

    async def _claim_round(self) -> int:
        """Claim once for every account that has something due and room for it; returns the messages claimed."""
        due = await deliveries.due_accounts()
        random.shuffle(due)  # nobody is always first
        return sum([await self._claim_for(account) for account in due])

    async def _claim_for(self, account: DueAccount) -> int:
        if self._stopping:
            return 0
        lane = self._lanes.setdefault(account.id, _Lane(asyncio.Semaphore(account.concurrency)))
        room = (1 if account.is_probe else account.concurrency + CLAIMED_AHEAD) - len(lane.tasks)
        if room <= 0:
            return 0
        messages = await deliveries.claim_messages(account.id, limit=room, lease_seconds=self._lease_seconds)
        for message in messages:
            self._start(message, lane)
        return len(messages)

    def _start(self, message: Message, lane: _Lane) -> None:
        self._holdings.add(message)
        task = asyncio.create_task(self._send(message, lane))
        lane.tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, message.account.id, lane))

    def _ended(self, task: "asyncio.Task[None]", account_id: UUID, lane: _Lane) -> None:
        lane.tasks.discard(task)
        if not lane.tasks:
            self._lanes.pop(account_id, None)
        if len(lane.tasks) <= CLAIMED_AHEAD // 2:
            self._woken.set()

    async def _send(self, message: Message, lane: _Lane) -> None:
        async with lane.slots, self._at_once:
            if self._stopping:
                settlements = [retries.give_back(row) for row in message.rows]
            else:
                settlements = await deliveries.deliver(message, self._pool, self._holdings.proceed(message))
            await self._writer.keep(settlements)

    async def _wait_for_work(self) -> None:
        pause = POLL_SECONDS * random.uniform(1 - POLL_JITTER, 1 + POLL_JITTER)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._woken.wait()

    async def _end(self, claimer: "asyncio.Task[None]", grace: float) -> None:
        """Let a claim under way end: one that is cut may be committed, and its rows would wait for their lease."""
        await asyncio.wait([claimer], timeout=grace)
        claimer.cancel()

    async def _drain(self, grace: float) -> None:
        """Let what is under way end; after `grace` seconds cut its connections: what was after DATA is unknown then."""
        if await self._all_ended(grace):
            await self._pool.close()
            return
        await self._pool.close(0)
        if not await self._all_ended(ERROR_PAUSE):
            log.warning("stopped with mail under way; its leases run out by themselves")
            for task in self._tasks():
                task.cancel()

    async def _all_ended(self, seconds: float) -> bool:
        tasks = list(self._tasks())
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        return not any(self._tasks())

    def _tasks(self) -> Iterable["asyncio.Task[None]"]:
        return [task for lane in self._lanes.values() for task in lane.tasks]
