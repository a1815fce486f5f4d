"""Logs the work that blocks the event loop for long."""

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

log = logging.getLogger(__name__)

BLOCKED_SECONDS = 0.25
PROBE_EVERY = 0.05  # seconds
FRAMES = 8  # of the stack, the innermost


@contextmanager
def monitored_loop(count: Callable[[float], None]) -> Iterator[None]:
    """Calls `count` with the seconds, in a thread, each time that the loop was blocked."""
    ended = threading.Event()
    watch = threading.Thread(
        target=_watch,
        args=(asyncio.get_running_loop(), threading.get_ident(), ended, count),
        name="loop monitor",
        daemon=True,
    )
    watch.start()
    try:
        yield
    finally:
        ended.set()


def name_work(name: str) -> None:
    task = asyncio.current_task()
    if task is not None:
        task.set_name(name)


def _watch(
    loop: asyncio.AbstractEventLoop, thread_id: int, ended: threading.Event, count: Callable[[float], None]
) -> None:
    while not ended.wait(PROBE_EVERY):
        asked = monotonic()
        answered = threading.Event()
        loop.call_soon_threadsafe(answered.set)
        if answered.wait(BLOCKED_SECONDS - PROBE_EVERY):  # it may have been blocked since the last answer
            continue
        task = asyncio.current_task(loop)
        stack = traceback.format_stack(sys._current_frames().get(thread_id), FRAMES)  # noqa: SLF001 - the documented way to another thread's stack
        while not (answered.wait(BLOCKED_SECONDS) or ended.is_set()):
            pass
        name, seconds = "a callback" if task is None else task.get_name(), monotonic() - asked
        count(seconds)
        log.warning("the event loop was held for %.2f s by %s", seconds, name, extra={"stack": "".join(stack)})
