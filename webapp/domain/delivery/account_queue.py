"""One account's messages in this process; at first and after a failure one at a time, until one is accepted."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from itertools import islice

from webapp import clock
from webapp.domain.delivery.message import Message
from webapp.sending.smtp.transaction import Transaction

PREFETCH_SECONDS = 0.3  # of sending that is prefetched, so that connections never wait for the database
MOST_PREFETCHED = 1_200  # messages
PREBUILD_BATCH, PREBUILD_BYTES = 16, 256 * 1024  # messages, bytes
LIMIT_SHARE = 125  # the part of the daily quota that may be lost with a worker, 8 of 1,000
IDLE_SECONDS = 1.0  # then an empty queue is dropped
THROUGHPUT_SECONDS = 0.05  # between measurements; short, so that a new queue is not empty before the first
EMPTY_EVERY_SECONDS = 60.0  # then a busy queue claims nothing for EMPTYING_SECONDS, so that suspects get a turn
EMPTYING_SECONDS = 1.0  # short, because a hanging message must not delay the others

Connect = Callable[["AccountQueue"], Coroutine[None, None, None]]
Release = Callable[[Iterable[Message]], Awaitable[None]]


class AccountQueue:
    def __init__(self, concurrency: int, connect: Connect, release: Release) -> None:
        self._concurrency = concurrency
        self._connect = connect
        self._release = release
        self._waiting: deque[Message] = deque()
        self._is_healthy = False
        self._throughput = Throughput(clock.elapsed())
        self._most_prefetched = 0
        self._pipelined = 0  # messages pipelined behind one in flight
        self._empty_at = clock.elapsed()
        self.is_exclusive = False  # has a suspect, which must be alone in case it kills the process
        self.connections: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        return len(self._waiting) + self._pipelined + len(self.connections)

    @property
    def is_used(self) -> bool:
        return self.size > 0 or self._throughput.idle_seconds(clock.elapsed()) < IDLE_SECONDS

    @property
    def rate(self) -> float:
        """Messages per second, 0 while there are none."""
        return self._throughput.rate if self.size else 0.0

    @property
    def buffered_bytes(self) -> int:
        return sum(message.buffered_bytes for message in self._waiting)

    @property
    def free_slots(self) -> int:
        """The number of messages that may be claimed; 0 until the queue is half empty."""
        return self._slots_beside(self.size)

    @property
    def has_slot_after_current(self) -> bool:
        """True if more may be claimed after the message whose outcome was just saved."""
        return self._slots_beside(self.size - 1) > 0

    def _slots_beside(self, size: int) -> int:
        busy_seconds = (clock.elapsed() - self._empty_at) % (EMPTY_EVERY_SECONDS + EMPTYING_SECONDS)
        if size and (self.is_exclusive or busy_seconds > EMPTY_EVERY_SECONDS):
            return 0
        wanted = max(2 * self._concurrency, int(self._throughput.rate * PREFETCH_SECONDS))
        target = max(self._concurrency, min(wanted, self._most_prefetched))
        return target - size if size <= max(self._concurrency, target // 2) else 0

    def set_concurrency(self, connections: int) -> None:
        self._concurrency = connections
        self._start()

    def limit_prefetch(self, daily_quota: int) -> None:
        """Limits prefetching to a share of the quota, because messages claimed by a killed worker count as used."""
        self._most_prefetched = min(daily_quota // LIMIT_SHARE, MOST_PREFETCHED)

    def add(self, messages: Sequence[Message]) -> None:
        if not self.size:
            self._empty_at = clock.elapsed()
            self._throughput.resume(self._empty_at)
        self._waiting.extend(messages)
        self.is_exclusive = bool(self._waiting) and self._waiting[0].is_suspect  # which is then the only one
        if not all(message.is_of_run for message in messages):
            self._waiting = deque(sorted(self._waiting, key=lambda message: message.is_of_run))
        self._start()

    def remove_where(self, is_unwanted: Callable[[Message], bool]) -> list[Message]:
        unwanted = [message for message in self._waiting if is_unwanted(message)]
        if unwanted:
            self._waiting = deque(message for message in self._waiting if not is_unwanted(message))
        return unwanted

    async def release_all(self, first: Message | None = None) -> None:
        """Releases `first`, which was already popped, and all waiting messages; commits."""
        left = [message for message in (first, *self._waiting) if message is not None]
        self._waiting.clear()
        if left:
            await self._release(left)

    def _start(self) -> None:
        allowed = self._concurrency if self._is_healthy else 1
        while self._waiting and len(self.connections) < allowed:
            task = asyncio.create_task(self._run())
            self.connections.add(task)
            task.add_done_callback(self.connections.discard)

    async def _run(self) -> None:
        await self._connect(self)
        # The done callback runs later, and add() would take this task for a running connection until then.
        self.connections -= {asyncio.current_task()}

    def record(self, *, is_healthy: bool, is_next_pipelined: bool = False) -> None:
        """Counts a message whose outcome was saved; the one pipelined behind it is now in flight."""
        self._pipelined -= is_next_pipelined
        self._is_healthy = is_healthy
        self._throughput.record(clock.elapsed())
        if is_healthy:
            self._start()

    def pop(self) -> Message | None:
        """The next message; None also for connections beyond the concurrency."""
        return self._waiting.popleft() if self._waiting and len(self.connections) <= self._concurrency else None

    def pop_if(
        self, may_follow: Callable[[Message], bool], can_pipeline: Callable[[Transaction], bool]
    ) -> Message | None:
        """The next message if it can be built inline and may follow the one in flight."""
        first = self._waiting[0] if self._waiting else None
        if first is None or not (self._is_healthy and first.can_build_inline and may_follow(first)):
            return None
        if len(self.connections) > self._concurrency:
            return None
        if first.transaction is None:
            self._prebuild()
        if first.transaction is None or not can_pipeline(first.transaction):
            return None
        self._pipelined += 1
        return self._waiting.popleft()

    def _prebuild(self) -> None:
        """Builds the first few together, which saves an eighth of the CPU time by warm caches."""
        size = 0
        for message in islice(self._waiting, min(self._concurrency, PREBUILD_BATCH)):
            size += message.prebuild()
            if size >= PREBUILD_BYTES:
                return


class Throughput:
    """Messages per second while the queue is not empty; instants are from `clock.elapsed`."""

    def __init__(self, now: float) -> None:
        self.rate = 0.0
        self._count = 0
        self._since = self._latest = now

    def idle_seconds(self, now: float) -> float:
        return now - self._latest

    def resume(self, now: float) -> None:
        if self.idle_seconds(now) > THROUGHPUT_SECONDS:
            self._count, self._since = 0, now

    def record(self, now: float) -> None:
        self._count += 1
        self._latest = now
        if now - self._since >= THROUGHPUT_SECONDS:
            self.rate = self._count / (now - self._since)
            self._count, self._since = 0, now
