"""How long the event loop of a test stands."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import thread_time

TICK = 0.001  # seconds


@asynccontextmanager
async def watched_loop() -> AsyncIterator[list[float]]:
    """The seconds of processor time that this thread takes between two turns of the loop.

    Wall time would also count the other processes of a busy machine, and process time the other threads.
    """
    stalls: list[float] = []

    async def watch() -> None:
        before = thread_time()
        while True:
            await asyncio.sleep(TICK)
            now = thread_time()
            stalls.append(now - before)
            before = now

    gc.disable()  # a pass over all objects of a run of tests takes longer
    task = asyncio.create_task(watch())
    try:
        yield stalls
    finally:
        await asyncio.sleep(2 * TICK)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        gc.enable()
