"""One account's messages in this process: they wait in line and go over a few connections at a time.

A new lane, and one whose account has had trouble, sends one message at a time until one goes through: a server that
does not answer, or refuses the login, is asked once.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from webapp.domain.deliveries import Message

Send = Callable[[Message], Awaitable[bool]]  # whether the account is well
GiveBack = Callable[[Iterable[Message]], Awaitable[None]]


class Lane:
    """Sends its messages in order; what is left when the account has trouble goes back."""

    def __init__(self, concurrency: int, send: Send, give_back: GiveBack) -> None:
        self._concurrency = concurrency
        self._send = send
        self._give_back = give_back
        self._line: deque[Message] = deque()
        self._is_proven = False
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """Messages that wait or are under way."""
        return len(self._line) + len(self.tasks)

    @property
    def is_low(self) -> bool:
        """Whether it is time to claim more: no more messages are left than connections."""
        return self.size <= self._concurrency

    def allow(self, connections: int) -> None:
        """Go over so many connections at a time from now on."""
        self._concurrency = connections

    def add(self, messages: Iterable[Message]) -> None:
        """Line messages up."""
        self._line.extend(messages)
        self._start()

    async def empty(self) -> None:
        """Give back what has not been started."""
        left = list(self._line)
        self._line.clear()
        if left:
            await self._give_back(left)

    def _start(self) -> None:
        allowed = self._concurrency if self._is_proven else 1
        while self._line and len(self.tasks) < allowed:
            task = asyncio.create_task(self._run())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _run(self) -> None:
        while self._line:
            self._is_proven = await self._send(self._line.popleft())
            if self._is_proven:
                self._start()
            else:
                await self.empty()
