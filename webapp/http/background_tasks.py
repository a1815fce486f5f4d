"""Writes what the app has buffered, while it serves."""

import asyncio
import logging

from quart import Quart

from webapp.backoff import Backoff
from webapp.http.event_stream import pause

log = logging.getLogger(__name__)


def write_every(app: Quart, seconds: float, name: str) -> None:
    """Calls `app.extensions[name].write` every `seconds` while the app serves, and once after the last request."""
    running: list[tuple[asyncio.Event, asyncio.Task[None]]] = []

    @app.before_serving
    async def begin() -> None:
        stop = asyncio.Event()
        running.append((stop, asyncio.create_task(_write(app, seconds, name, stop))))

    @app.after_serving
    async def end() -> None:
        stop, task = running.pop()
        stop.set()
        await task


async def _write(app: Quart, seconds: float, name: str, stop: asyncio.Event) -> None:
    failures: Backoff[str] = Backoff(log, "work beside the requests")
    wait, is_last = seconds, False
    while not is_last:
        await pause(stop, wait)
        is_last = stop.is_set()  # the last run saves what arrived during the one before
        wait = max(seconds, await failures.attempt("", app.extensions[name].write))
