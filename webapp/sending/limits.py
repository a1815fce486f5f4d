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


class Gate:
    """`async with gate` waits for a place, in the order in which one came."""

    def __init__(self, size: int) -> None:
        """Let `size` through at a time."""
        self.size = size
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_overfull(self) -> bool:
        """Whether more are inside than may be by now."""
        return self._inside > self.size

    def resize(self, size: int) -> None:
        """Let `size` through at a time from now on; who is inside already counts, and stays."""
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
