"""A real worker, or its dispatcher alone, in the test's own loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from redis.exceptions import RedisError

from jobs.worker import heartbeat, run_worker, send
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.domain.instance import workers
from webapp.queue import publishing_with
from webapp.redis.client import connected_redis
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool


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


@contextlib.asynccontextmanager
async def dispatching(settings: Settings, grace: float = 5.0) -> AsyncIterator[None]:
    """A dispatcher for the life of this block; it hears of new mail at once, and counts as a live worker."""
    dispatcher, stop = Dispatcher(SmtpPool(Dialer.of(settings)), settings.lease_seconds), asyncio.Event()
    with publishing_with(lambda _: dispatcher.wake()):
        tasks = [asyncio.create_task(work) for work in (heartbeat(), send(dispatcher, stop, grace))]
        try:
            await eventually(workers.is_worker_alive)
            yield
        finally:
            stop.set()
            await asyncio.wait_for(tasks[1], grace + 40)
            tasks[0].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


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
