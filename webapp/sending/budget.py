"""Memory in bytes, shared by what is under way."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator


class ByteBudget:
    """Lets messages in while their sizes fit together; one that is larger than all of it goes alone."""

    def __init__(self, total: int) -> None:
        """Share `total` bytes."""
        self._total = total
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @contextlib.asynccontextmanager
    async def taking(self, size: int) -> AsyncIterator[None]:
        """Hold `size` bytes for the life of this block, waiting until they are free."""
        size = min(size, self._total)
        while self._taken + size > self._total:
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._taken += size
        try:
            yield
        finally:
            self._taken -= size
            self._wake_all()

    def _wake_all(self) -> None:
        """Let all who wait look again: what is free may be enough for a smaller one behind a larger."""
        while self._waiting:
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)
