"""A gate that lets so many through at a time, and whose width may change while some are inside."""

import asyncio
from collections import deque


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
