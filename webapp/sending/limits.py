"""Memory in bytes, shared by what is under way."""

import asyncio
from collections import deque


class ByteBudget:
    """Lets messages in while their sizes fit together; one that is larger than all of it goes alone."""

    def __init__(self, total: int) -> None:
        """Share `total` bytes."""
        self._total = total
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def taking(self, size: int) -> "_Share":
        """Hold `size` bytes for the life of an `async with`, waiting until they are free."""
        return _Share(self, min(size, self._total))

    async def take(self, size: int) -> None:
        """Wait until `size` bytes are free, and hold them."""
        while self._taken + size > self._total:
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._taken += size

    def give_back(self, size: int) -> None:
        """Hold these no longer."""
        self._taken -= size
        self._wake_all()

    def _wake_all(self) -> None:
        """Let all who wait look again: what is free may be enough for a smaller one behind a larger."""
        while self._waiting:
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)


class _Share:
    """A part of the budget for the life of a block; a class, since every message takes one."""

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: ByteBudget, size: int) -> None:
        self._budget, self._size = budget, size

    async def __aenter__(self) -> None:
        await self._budget.take(self._size)

    async def __aexit__(self, *_: object) -> None:
        self._budget.give_back(self._size)
