"""A real worker in the test's own loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from redis.exceptions import RedisError

from jobs.worker import run_worker
from webapp.config import Settings
from webapp.redis.client import connected_redis


@contextlib.asynccontextmanager
async def working(settings: Settings, grace: float = 5.0) -> AsyncIterator[None]:
    """A worker for the life of this block, drained at its end."""
    stop = asyncio.Event()
    task = asyncio.create_task(run_worker(settings, stop, grace=grace))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, grace + 40)


async def redis_answers(settings: Settings) -> bool:
    """Whether there is a Redis for these settings."""
    try:
        async with connected_redis(settings):
            return True
    except (RedisError, OSError):
        return False


async def eventually(question: Callable[[], Awaitable[bool]], seconds: float = 30.0) -> None:
    """Wait until the answer is yes; an AssertionError after `seconds`."""
    async with asyncio.timeout(seconds):
        while not await question():  # noqa: ASYNC110 - the answer is in a database, which sets no event
            await asyncio.sleep(0.02)
