"""Bounds the memory of the messages in progress."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext


class ByteBudget:
    """Admits messages while their sizes fit; one larger than the whole budget is admitted alone."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._reserved = 0
        self._freed = asyncio.Event()

    def reserving(self, size: int) -> AbstractAsyncContextManager[None]:
        """An async context that waits for `size` bytes and reserves them; free for the many messages that need none."""
        return self._reserving(min(size, self._total)) if size else nullcontext()

    @asynccontextmanager
    async def _reserving(self, size: int) -> AsyncIterator[None]:
        while self._reserved + size > self._total:
            self._freed.clear()
            await self._freed.wait()  # with all others, because a smaller message may fit where the first does not
        self._reserved += size
        try:
            yield
        finally:
            self._reserved -= size
            self._freed.set()
