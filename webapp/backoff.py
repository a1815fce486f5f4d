"""Retries failed work after growing pauses, and logs one traceback, then a line for each failure."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from webapp.db import errors

Key = TypeVar("Key", bound=Hashable)

JITTER = 0.2
TRACE_EVERY = 600.0  # seconds between tracebacks of the same work, because many keys may fail for one reason
MOST_KEYS = 10_000


class _Failing(NamedTuple):
    times: int
    next_at: float
    is_logged: bool


def report_failure(logger: logging.Logger, text: str, error: BaseException, **about: str) -> None:
    """Logs a failure with its traceback; a lost database only once per process."""
    if errors.is_away(error):
        errors.report_away(error)
    else:
        logger.error(text, exc_info=error, extra=about)


class Backoff(Generic[Key]):
    """Counts consecutive failures of one kind of work by key; pauses double from `first` to `longest`."""

    def __init__(self, logger: logging.Logger, work: str, *, first: float = 1.0, longest: float = 60.0) -> None:
        """`work` begins each log line, like "posting to a webhook"."""
        self._logger, self._work, self._first, self._longest = logger, work, first, longest
        self._failing: dict[Key, _Failing] = {}
        self._traced_at = -TRACE_EVERY

    def is_due(self, key: Key) -> bool:
        """False during the pause after a failure."""
        failing = self._failing.get(key)
        return failing is None or failing.next_at <= monotonic()

    @contextmanager
    def attempting(self, key: Key, *, dropped: tuple[type[Exception], ...] = (), **about: str) -> Iterator[None]:
        """Counts the outcome of a block; raises if the database is unavailable, because other work would fail too.

        Errors that are `dropped` count as neither success nor failure.
        """
        try:
            yield
        except dropped:
            pass
        except Exception as error:
            if errors.is_away(error):
                raise
            self.record_failure(key, error, **about)
        else:
            self.record_success(key)

    async def attempt(self, key: Key, work: Callable[[], Awaitable[object]], **about: str) -> float:
        """Does the work; returns the seconds until the next try, or 0 after a success."""
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - logged and counted
            return self.record_failure(key, error, **about)
        self.record_success(key)
        return 0.0

    async def repeat(self, key: Key, work: Callable[[], Awaitable[object]], seconds: float) -> None:
        """Does the work every `seconds`, or later after failures, until cancelled."""
        while True:
            pause = await self.attempt(key, work)
            await asyncio.sleep(max(pause, seconds))

    def record_failure(self, key: Key, error: BaseException, **about: str) -> float:
        """Logs the failure and returns the seconds until the next try; a lost database only once per process."""
        former = self._failing.pop(key, None)
        times, is_logged = (1, False) if former is None else (former.times + 1, former.is_logged)
        pause = min(self._first * (1 << min(times - 1, 30)), self._longest) * random.uniform(1 - JITTER, 1 + JITTER)
        if len(self._failing) >= MOST_KEYS:
            del self._failing[next(iter(self._failing))]
        is_away = errors.is_away(error)
        self._failing[key] = _Failing(times, monotonic() + pause, is_logged or not is_away)
        if is_away:
            errors.report_away(error)
        else:
            self._log(times, pause, error, about)
        return pause

    def _log(self, times: int, pause: float, error: BaseException, about: dict[str, str]) -> None:
        is_traced = monotonic() - self._traced_at < TRACE_EVERY
        if not is_traced:
            self._traced_at = monotonic()
        again = "" if times == 1 else f" again, {times} times in a row"
        self._logger.log(
            logging.WARNING if is_traced else logging.ERROR,
            "%s failed%s, next try in %.1f s: %s: %s",
            *(self._work, again, pause, type(error).__name__, error),
            exc_info=None if is_traced else error,
            extra=about,
        )

    def record_success(self, key: Key) -> None:
        failing = self._failing.pop(key, None)
        if failing is not None and failing.is_logged:
            self._logger.info("%s works again after %d failures", self._work, failing.times)
