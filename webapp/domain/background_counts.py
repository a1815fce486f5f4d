"""Slow counts for pages, which wait MAX_WAIT and then show the last known count, or that counting is in progress."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from webapp import clock

log = logging.getLogger(__name__)

MAX_WAIT = 0.1  # seconds
RECOUNT_FACTOR = 10  # durations of a slow count between two counts
SLOW_SECONDS = 0.05
MAX_KEYS = 2_000

Key = TypeVar("Key", bound=Hashable)
Count = TypeVar("Count")


class BackgroundCount(Generic[Key, Count]):
    """Caches slow counts and computes each at most once at a time."""

    def __init__(self, kind: str, good_for: float = 0.0) -> None:
        """`kind` is for the log; counts are cached for at least `good_for` seconds."""
        self._kind, self._good_for = kind, good_for
        self._known: OrderedDict[Key, tuple[Count, float]] = OrderedDict()  # with the time until which it is good
        self._running: dict[Key, asyncio.Task[Count]] = {}

    async def get(self, key: Key, count: Callable[[], Coroutine[Any, Any, Count]]) -> Count | None:
        """None until the first count is known. Raises what a fast `count` raises."""
        known, until = self._known.get(key, (None, 0.0))
        if until <= clock.elapsed():
            task = self._running.get(key)
            if task is None:
                task = self._running[key] = asyncio.create_task(self._count(key, count))
                task.add_done_callback(lambda ended: self._end(key, ended))
            await asyncio.wait({task}, timeout=MAX_WAIT)
            if task.done():
                return await task
        return known

    async def _count(self, key: Key, count: Callable[[], Coroutine[Any, Any, Count]]) -> Count:
        began = clock.elapsed()
        counted = await count()
        took = clock.elapsed() - began
        lasts = took * RECOUNT_FACTOR if took > SLOW_SECONDS else 0.0
        self._known[key] = counted, began + max(self._good_for, lasts)
        self._known.move_to_end(key)
        while len(self._known) > MAX_KEYS:
            self._known.popitem(last=False)
        return counted

    def _end(self, key: Key, ended: "asyncio.Task[Count]") -> None:
        self._running.pop(key, None)
        if not ended.cancelled() and (error := ended.exception()) is not None:
            log.warning("%s could not be counted: %s", self._kind, error)
