"""A bound on memory in bytes, and a semaphore whose size can change."""

import asyncio
from collections import deque


class ByteBudget:
    """Admits messages while their sizes fit together; one larger than the whole budget is admitted alone."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def taking(self, size: int) -> "_Share":
        """Reserves `size` bytes inside an `async with`, waiting until they are free."""
        return _Share(self, min(size, self._total))

    async def take(self, size: int) -> None:
        """Waits until `size` bytes are free, and reserves them."""
        while self._taken + size > self._total:
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._taken += size

    def give_back(self, size: int) -> None:
        """Releases reserved bytes."""
        self._taken -= size
        self._wake_all()

    def _wake_all(self) -> None:
        """Wakes all waiters, as the free bytes may suffice for a smaller one behind a larger."""
        while self._waiting:
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)


class _Share:
    """A reservation inside a block; a class, as every message makes one."""

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: ByteBudget, size: int) -> None:
        self._budget, self._size = budget, size

    async def __aenter__(self) -> None:
        await self._budget.take(self._size)

    async def __aexit__(self, *_: object) -> None:
        self._budget.give_back(self._size)


class Gate:
    """A first-in, first-out semaphore for `async with` whose size can change."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_overfull(self) -> bool:
        """True when more hold it than its size allows, after it shrank."""
        return self._inside > self.size

    def resize(self, size: int) -> None:
        """Sets the size; those that hold it already count, and stay."""
        self.size = size
        self._let_in()

    async def __aenter__(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_in()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # let in by the very step that ended it
                self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self._inside -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._inside < self.size:
            place = self._waiting.popleft()
            if not place.done():  # else who waited was cancelled
                self._inside += 1
                place.set_result(None)
