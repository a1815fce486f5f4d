"""Runs coroutines to their end although their caller is cancelled, or beside a block; waits for events."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def run_to_completion(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # so that asyncio does not report it as never retrieved
        raise


@asynccontextmanager
async def in_background(*works: Coroutine[Any, Any, T]) -> AsyncIterator[list[asyncio.Task[T]]]:
    """Runs the works beside the block, and cancels them at its end; their exceptions are dropped."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wait_at_most(seconds: float, event: asyncio.Event) -> bool:
    """True if the event is set by then."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
