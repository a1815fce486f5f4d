"""Memory in bytes, shared by what is under way."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class ByteBudget:
    """Lets messages in while their sizes fit together; one that is larger than all of it goes alone."""

    def __init__(self, total: int) -> None:
        """Share `total` bytes."""
        self._total = total
        self._taken = 0
        self._freed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def taking(self, size: int) -> AsyncIterator[None]:
        """Hold `size` bytes for the life of this block, waiting until they are free."""
        size = min(size, self._total)
        async with self._freed:
            await self._freed.wait_for(lambda: self._taken + size <= self._total)
            self._taken += size
        try:
            yield
        finally:
            self._taken -= size
            async with self._freed:
                self._freed.notify_all()
