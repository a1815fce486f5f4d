"""A Lua script in Redis that requests run with a bounded wait.

Concurrent calls share a pipeline, one pipeline at a time. The wait is a number of polls, not a time, so that a busy
event loop is not mistaken for an unreachable Redis.
"""

import asyncio
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Any, NamedTuple

from redis.exceptions import ResponseError

from webapp.config import Settings
from webapp.logs import RateLimitedLogger
from webapp.redis.client import ANSWER_SECONDS, Redis

log = logging.getLogger(__name__)

MAX_POLLS, POLL_SECONDS = 20, 0.005  # a request waits for Redis 100 ms at most
AWAY_SECONDS = 1.0  # for which calls are skipped after a failure

Word = str | int | float


class _Call(NamedTuple):
    keys: Sequence[str]
    values: Sequence[Word]
    answer: asyncio.Future[Any]


class RedisScript:
    """Runs a script over one connection, opened on demand and again after a failure."""

    def __init__(self, settings: Settings, text: str, fallback: str) -> None:
        """`fallback` says in the log what happens without Redis."""
        self._redis, self._text, self._fallback = Redis(settings), text, fallback
        self._calls: list[_Call] = []
        self._running: asyncio.Task[None] | None = None
        self._away_until = 0.0
        self._complaints = RateLimitedLogger(log)

    @property
    def is_away(self) -> bool:
        """True if Redis failed within the last AWAY_SECONDS."""
        return monotonic() < self._away_until

    async def run(self, keys: Sequence[str], *values: Word) -> Any:
        """Returns the script's reply, or None without Redis."""
        if self.is_away:
            return None
        answer = asyncio.get_running_loop().create_future()
        self._calls.append(_Call(keys, values, answer))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run_calls())
        for _ in range(MAX_POLLS):
            await asyncio.wait([answer], timeout=POLL_SECONDS)
            if answer.done():
                return answer.result()
        answer.cancel()
        self._record_failure(TimeoutError("no answer"))
        return None

    async def _run_calls(self) -> None:
        """Answers the calls, a pipeline at a time, until there are none.

        A pipeline may take longer than its callers wait, so that it still opens the connection for later calls.
        """
        calls: list[_Call] = []
        try:
            while calls := [call for call in self._calls if not call.answer.done()]:
                self._calls = []
                pipeline = self._redis.pipeline(transaction=False)
                for keys, values, _ in calls:
                    own = [f"{self._redis.prefix}:{key}" for key in keys]
                    pipeline.execute_command("EVAL", self._text, len(keys), *own, *values)
                async with asyncio.timeout(ANSWER_SECONDS):
                    replies = await pipeline.execute(raise_on_error=False)
                for call, reply in zip(calls, replies, strict=True):
                    _resolve(call, self._read(call, reply))
        except Exception as error:  # noqa: BLE001 - requests pass whatever is wrong with Redis
            self._record_failure(error)
            for call in [*calls, *self._calls]:
                _resolve(call, None)
        self._calls = []

    def _read(self, call: _Call, reply: object) -> Any:
        if not isinstance(reply, ResponseError):
            return reply
        code = str(reply).partition(" ")[0]
        # WRONGTYPE, or ERR, which redis-py strips: calls with other keys may succeed.
        if type(reply) is ResponseError and (code == "WRONGTYPE" or not code.isupper()):
            self._complaints.warn("redis refuses %s: %s", call.keys[0], reply)
        else:
            self._record_failure(reply)
        return None

    def _record_failure(self, error: Exception) -> None:
        self._away_until = monotonic() + AWAY_SECONDS
        self._complaints.warn("redis is away, %s meanwhile: %s", self._fallback, str(error) or type(error).__name__)

    async def close(self) -> None:
        try:
            if self._running is not None:
                self._running.cancel()
                await asyncio.wait([self._running])
        finally:
            await self._redis.close_for_good()


def _resolve(call: _Call, reply: object) -> None:
    if not call.answer.done():
        call.answer.set_result(reply)
