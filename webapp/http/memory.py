"""Objects that an app keeps between requests, by name in `app.extensions`, created on first use."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

from quart import Quart

from webapp.backoff import Backoff
from webapp.tasks import wait_at_most

log = logging.getLogger(__name__)


class Memory(dict[str, Any]):
    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[str, Callable[[], object]] = {}

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.makers[name]()
        return value


def remember(app: Quart, name: str, make: Callable[[], object], *, write_seconds: float | None = None) -> None:
    """With `write_seconds`, calls its `write` that often while the app serves, and once after the last request."""
    cast("Memory", app.extensions).makers[name] = make
    if write_seconds is None:
        return
    running: list[tuple[asyncio.Event, asyncio.Task[None]]] = []

    @app.before_serving
    async def begin() -> None:
        stop = asyncio.Event()
        running.append((stop, asyncio.create_task(_write(app, name, write_seconds, stop))))

    @app.after_serving
    async def end() -> None:
        stop, task = running.pop()
        stop.set()
        await task


async def _write(app: Quart, name: str, seconds: float, stop: asyncio.Event) -> None:
    failures: Backoff[str] = Backoff(log, "work beside the requests")
    wait, is_last = seconds, False
    while not is_last:
        await wait_at_most(wait, stop)
        is_last = stop.is_set()  # the last run saves what arrived during the one before
        wait = max(seconds, await failures.attempt("", app.extensions[name].write))
