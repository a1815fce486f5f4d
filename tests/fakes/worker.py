"""A real worker, or its dispatcher alone, in the test's own loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from redis.exceptions import RedisError

from jobs.worker import heartbeat, make_dispatcher, run_worker, send
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.domain.instance import workers
from webapp.models import MailLog
from webapp.models.mail_log import PENDING, SENDING
from webapp.queue import publishing_with
from webapp.redis.client import connected_redis

_woken: set[Dispatcher] = set()


@contextlib.asynccontextmanager
async def working(settings: Settings, grace: float = 5.0, *, is_woken: bool = True) -> AsyncIterator[None]:
    """A worker for the life of this block, drained at its end; unless `is_woken`, only Redis and its polls wake it."""
    stop, dispatcher = asyncio.Event(), make_dispatcher(settings)
    if is_woken:
        _woken.add(dispatcher)
    task = asyncio.create_task(run_worker(settings, stop, grace=grace, dispatcher=dispatcher))
    try:
        yield
    finally:
        _woken.discard(dispatcher)
        stop.set()
        await asyncio.wait_for(task, grace + 40)


@contextlib.asynccontextmanager
async def dispatching(settings: Settings, grace: float = 5.0) -> AsyncIterator[None]:
    """A dispatcher for the life of this block; it hears of new mail at once, and counts as a live worker."""
    dispatcher, stop = make_dispatcher(settings), asyncio.Event()
    with publishing_with(lambda _: dispatcher.wake()):
        tasks = [asyncio.create_task(work) for work in (heartbeat(workers.KeyWatch()), send(dispatcher, stop, grace))]
        try:
            await eventually(workers.is_worker_alive)
            yield
        finally:
            stop.set()
            await asyncio.wait_for(tasks[1], grace + 40)
            tasks[0].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def deliver_all(settings: Settings) -> None:
    """A worker's life until no mail waits."""

    async def is_done() -> bool:
        return not await MailLog.across_orgs().filter(status__in=[PENDING, SENDING]).exists()

    async with working(settings):
        await eventually(is_done)


async def redis_answers(settings: Settings) -> bool:
    """Whether there is a Redis for these settings."""
    try:
        async with connected_redis(settings):
            return True
    except (RedisError, OSError):
        return False


async def eventually(question: Callable[[], Awaitable[bool]], seconds: float = 60.0) -> None:
    """Wait until the answer is yes; a TimeoutError after `seconds`.

    Workers look for due mail at once: what a test has changed in the database is not announced to them.
    """
    for dispatcher in _woken:
        dispatcher.wake()
    async with asyncio.timeout(seconds):
        while not await question():  # noqa: ASYNC110 - the answer is in a database, which sets no event
            await asyncio.sleep(0.02)
