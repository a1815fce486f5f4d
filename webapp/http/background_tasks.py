"""Periodic work of an app while it serves."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable

from quart import Quart

from webapp.http.event_stream import pause

log = logging.getLogger(__name__)


def every(app: Quart, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Runs `work` every so many seconds while the app serves, and once more after its last request."""

    @app.while_serving
    async def repeat() -> AsyncGenerator[None, None]:
        stop = asyncio.Event()
        task = asyncio.create_task(_repeat(seconds, work, stop))
        yield
        stop.set()
        await task


async def _repeat(seconds: float, work: Callable[[], Awaitable[None]], stop: asyncio.Event) -> None:
    while not stop.is_set():
        await pause(stop, seconds)
        try:
            await work()  # after the stop, too: it is never cut in the middle of a write
        except Exception:
            log.exception("work beside the requests failed")
