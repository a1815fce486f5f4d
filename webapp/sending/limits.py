"""A bound on memory in bytes."""

import asyncio
from collections import deque


class ByteBudget:
    """Admits messages while their sizes fit together; one larger than the whole budget is admitted alone."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._reserved = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def reserving(self, size: int) -> "_Reservation":
        """Reserves `size` bytes inside an `async with`, waiting until they are free."""
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
        while self._waiting:  # all of them: the free bytes may suffice for a smaller one behind a larger
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)


class _Reservation:
    """A reservation inside a block; a class, as it costs less for each message than a generator."""

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: ByteBudget, size: int) -> None:
        self._budget, self._size = budget, size

    async def __aenter__(self) -> None:
        if not self._budget.try_reserve(self._size):
            await self._budget.reserve(self._size)

    async def __aexit__(self, *_: object) -> None:
        self._budget.release(self._size)
