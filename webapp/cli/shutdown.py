"""The end of a long-running command: after a first signal work finishes, a second or a timer drops it."""

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from webapp.cli import output
from webapp.cli.supervisor import SIGNALS, Parent
from webapp.tasks import in_background

log = logging.getLogger(__name__)

WATCH_SECONDS = 0.5  # between checks of the output
SLACK = 1.8  # after the grace


class Shutdown:
    """The request to stop this process, which ends within `within` seconds even if something hangs."""

    def __init__(self, *, within: float) -> None:
        self.asked = asyncio.Event()
        self._within = within
        self._main = asyncio.current_task()
        self._has_signal = False

    @contextlib.asynccontextmanager
    async def on_request_of(self, parent: Parent | None) -> AsyncIterator[None]:
        """Stops at a signal, and if the parent asks for it; without a parent also when the output is closed."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._on_signal)
        if parent is not None:
            loop.add_reader(parent.pipe, self._on_word_of, parent)
        try:
            async with in_background(*([] if parent else [self._on_closed_output()])):
                yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def _on_signal(self) -> None:
        """Stops immediately at the second signal; the parent's request isn't counted, as both may come at once."""
        if self._has_signal and self._main is not None:
            self._main.cancel()
        self._has_signal = True
        self._ask()

    def _on_word_of(self, parent: Parent) -> None:
        """Ends immediately if the parent was killed, because its locks are free."""
        asyncio.get_running_loop().remove_reader(parent.pipe)
        if not parent.is_alive():
            os._exit(1)
        self._ask()

    async def _on_closed_output(self) -> None:
        while not output.is_closed():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(WATCH_SECONDS)
        self._ask()

    def _ask(self) -> None:
        if self.asked.is_set():
            return
        log.info("stopping: finishing current work first; press Ctrl-C again to stop now")
        self.asked.set()
        last = threading.Timer(self._within, self._give_up)  # a timer, because a library's thread may hang
        last.daemon = True
        last.start()

    def _give_up(self) -> None:
        log.error("something still hangs after %.0f s: ended without it", self._within)
        os._exit(1)


async def until_stopped(shutdown: Shutdown, *parts: Coroutine[Any, Any, None]) -> None:
    """Runs the parts until all end; one that ends stops the others, and its exception is raised."""
    async with in_background(*parts) as tasks:
        for task in tasks:
            task.add_done_callback(lambda _: shutdown.asked.set())
        await shutdown.asked.wait()
        if tasks:
            await asyncio.wait(tasks)
        for task in tasks:
            task.result()
