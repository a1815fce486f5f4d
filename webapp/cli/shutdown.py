"""Shuts a service down: a first signal lets work finish, a second drops it, and a timer ends a hanging process."""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Coroutine, Iterator
from typing import Any

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Shutdown:
    """The request to stop this process, which is gone `within` seconds after it, whatever hangs."""

    def __init__(self, *, within: float) -> None:
        self.asked = asyncio.Event()
        self._within = within
        self._main = asyncio.current_task()

    @contextlib.contextmanager
    def on_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._on_signal)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def _on_signal(self) -> None:
        if self.asked.is_set():
            if self._main is not None:
                self._main.cancel()
            return
        log.info("stopping: work under way is finished first; Ctrl-C again drops it")
        self.asked.set()
        last = threading.Timer(self._within, self._give_up)  # a library's thread may hang where no task does
        last.daemon = True
        last.start()

    def _give_up(self) -> None:
        log.error("something still hangs after %.0f s: ended without it", self._within)
        os._exit(1)


async def until_stopped(shutdown: Shutdown, *parts: Coroutine[Any, Any, None]) -> None:
    """Runs the parts until all have ended, which they do on shutdown.

    One that fails stops the others, and is raised.
    """
    tasks = [asyncio.create_task(part) for part in parts]
    for task in tasks:
        task.add_done_callback(lambda _: shutdown.asked.set())
    try:
        await shutdown.asked.wait()
        if tasks:
            await asyncio.wait(tasks)
        for task in tasks:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
