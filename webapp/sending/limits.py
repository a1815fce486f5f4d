"""Bounds the memory of the messages in progress."""

import asyncio
from collections import deque


class ByteBudget:
    """Admits messages while their sizes fit; one larger than the whole budget is admitted alone."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._reserved = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def reserving(self, size: int) -> "_Reservation":
        """An async context that waits for `size` bytes and reserves them."""
        return _Reservation(self, min(size, self._total))

    def try_reserve(self, size: int) -> bool:
        if self._reserved + size > self._total:
            return False
        self._reserved += size
        return True

    async def reserve(self, size: int) -> None:
        while not self.try_reserve(size):
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed

    def release(self, size: int) -> None:
        self._reserved -= size
        while self._waiting:  # wakes all, because a smaller message may fit where the first does not
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)


class _Reservation:
    """A class because it costs less per message than a generator-based context manager."""

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: ByteBudget, size: int) -> None:
        self._budget, self._size = budget, size

    async def __aenter__(self) -> None:
        if not self._budget.try_reserve(self._size):
            await self._budget.reserve(self._size)

    async def __aexit__(self, *_: object) -> None:
        self._budget.release(self._size)
