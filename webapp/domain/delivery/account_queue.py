"""One account's messages in this process: they wait in order, and go over a few connections at a time.

A new queue, and one whose account has had trouble, sends one message at a time until one goes through: a server that
does not answer, or refuses the login, is asked once.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from itertools import islice

from webapp import clock
from webapp.domain.delivery.message import Message
from webapp.sending.smtp.transaction import Transaction

PREFETCH_SECONDS = 0.3  # of sending are claimed ahead, so that no connection waits for the database
MOST_PREFETCHED = 1_200  # messages
PREBUILD_BATCH, PREBUILD_BYTES = 16, 256 * 1024  # messages, and what is enough of them
LIMIT_SHARE = 125  # of the daily quota so much may be lost with a worker: 8 of 1,000, or one for each connection
IDLE_SECONDS = 1.0  # after its last message an unused queue is forgotten
THROUGHPUT_SECONDS = 0.05  # short, or a queue that begins would run dry before it knows its throughput
RUN_DRY_SECONDS = 60.0  # a queue that was busy for so long runs dry once: then a suspect may go

Connect = Callable[["AccountQueue"], Coroutine[None, None, None]]
Release = Callable[[Iterable[Message]], Awaitable[None]]


class AccountQueue:
    """Hands messages to connections in order; what is left when the account has trouble is released."""

    def __init__(self, concurrency: int, connect: Connect, release: Release) -> None:
        """`connect` sends messages of the queue over one connection; `release` gives their leases up."""
        self._concurrency = concurrency
        self._connect = connect
        self._release = release
        self._waiting: deque[Message] = deque()
        self._is_healthy = False
        self._throughput = Throughput()
        self._most_prefetched = 0
        self._pipelined = 0  # messages that have left the queue and are not in flight yet
        self._dry_at = clock.elapsed()
        self.is_exclusive = False  # what is in flight: nothing else must be there if the process dies of it
        self.connections: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """Messages that wait, are pipelined or in flight."""
        return len(self._waiting) + self._pipelined + len(self.connections)

    @property
    def is_used(self) -> bool:
        """True while it has messages, and a moment after: its throughput is worth keeping."""
        return self.size > 0 or self._throughput.idle_seconds < IDLE_SECONDS

    @property
    def buffered_bytes(self) -> int:
        """The bytes of emails that wait."""
        return sum(message.buffered_bytes for message in self._waiting)

    @property
    def free_slots(self) -> int:
        """The number of messages that may be claimed, 0 until it is time to.

        Those that are prefetched go within a moment: what other workers could send does not wait here, and who
        unsubscribes is asked about soon enough.
        """
        return self._slots_beside(self.size)

    @property
    def has_slot_after_current(self) -> bool:
        """True when more may be claimed once the message whose outcome was just saved is gone."""
        return self._slots_beside(self.size - 1) > 0

    def _slots_beside(self, size: int) -> int:
        if size and (self.is_exclusive or clock.elapsed() - self._dry_at > RUN_DRY_SECONDS):
            return 0
        wanted = max(2 * self._concurrency, int(self._throughput.rate * PREFETCH_SECONDS))
        ahead = max(self._concurrency, min(wanted, self._most_prefetched))
        return ahead - size if size <= max(self._concurrency, ahead // 2) else 0

    def set_concurrency(self, connections: int) -> None:
        """Uses so many connections from now on; where there are more, they end after their message."""
        self._concurrency = connections
        self._start()

    def limit_prefetch(self, daily_quota: int) -> None:
        """Prefetches no more than a share of the account's quota: what a killed worker had claimed counts as used."""
        self._most_prefetched = min(daily_quota // LIMIT_SHARE, MOST_PREFETCHED)

    def add(self, messages: Sequence[Message]) -> None:
        """Queues messages, emails before what campaigns have waiting: somebody waits for those."""
        if not self.size:
            self._throughput.resume()
            self._dry_at = clock.elapsed()
        self._waiting.extend(messages)
        self.is_exclusive = bool(self._waiting) and self._waiting[0].is_suspect  # claimed for an empty queue alone
        if not all(message.is_of_run for message in messages):
            self._waiting = deque(sorted(self._waiting, key=lambda message: message.is_of_run))
        self._start()

    def remove_where(self, is_unwanted: Callable[[Message], bool]) -> list[Message]:
        """Takes these out of the queue; the caller releases them."""
        found = [message for message in self._waiting if is_unwanted(message)]
        if found:
            self._waiting = deque(message for message in self._waiting if not is_unwanted(message))
        return found

    async def release_all(self, first: Message | None = None) -> None:
        """Releases all messages that wait, after `first`, which has left the queue already."""
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
        # The callback comes a step later: who adds to the queue before it would believe that this task still serves it.
        self.connections -= {asyncio.current_task()}

    def record(self, *, is_healthy: bool, is_next_pipelined: bool = False) -> None:
        """Counts a message whose outcome was saved; the one pipelined behind it, where there is one, is in flight."""
        self._pipelined -= is_next_pipelined
        self._is_healthy = is_healthy
        self._throughput.record()
        if is_healthy:
            self._start()

    def pop(self) -> Message | None:
        """The next message; None also for a connection that is one too many by now: the others serve the queue."""
        return self._waiting.popleft() if self._waiting and len(self.connections) <= self._concurrency else None

    def pop_if(
        self, may_follow: Callable[[Message], bool], can_pipeline: Callable[[Transaction], bool]
    ) -> Message | None:
        """The next message, built, where it can be built at once, and may follow the one in flight."""
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
        """Builds the first few together, no more than there are connections for.

        One at a time takes an eighth more of the worker: the processor's caches have forgotten how by the next.
        """
        size = 0
        for message in islice(self._waiting, min(self._concurrency, PREBUILD_BATCH)):
            size += message.prebuild()
            if size >= PREBUILD_BYTES:
                return


class Throughput:
    """The number of messages a second that have gone lately."""

    def __init__(self) -> None:
        self.rate = 0.0
        self._count, self._since = 0, clock.elapsed()
        self._latest = self._since

    @property
    def idle_seconds(self) -> float:
        """Since the last message."""
        return clock.elapsed() - self._latest

    def resume(self) -> None:
        """Measures anew after a pause: a while without messages says nothing of the rate."""
        if self.idle_seconds > THROUGHPUT_SECONDS:
            self._count, self._since = 0, clock.elapsed()

    def record(self) -> None:
        """Counts a message."""
        self._count += 1
        now = self._latest = clock.elapsed()
        if now - self._since >= THROUGHPUT_SECONDS:
            self.rate = self._count / (now - self._since)
            self._count, self._since = 0, now
