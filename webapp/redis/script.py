"""A Lua script in Redis that requests run with a bounded wait.

Concurrent calls share a pipeline, one pipeline at a time. The wait is a number of polls, not a time, so that a busy
event loop is not mistaken for an unreachable Redis.
"""

import asyncio
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Any

from redis.exceptions import ResponseError

from webapp.batcher import Batcher
from webapp.config import Settings
from webapp.logs import RateLimitedLogger
from webapp.redis.client import ANSWER_SECONDS, Redis

log = logging.getLogger(__name__)

MAX_POLLS, POLL_SECONDS = 20, 0.005  # a request waits for Redis 100 ms at most
PIPELINE_CALLS = 10_000
AWAY_SECONDS = 1.0  # for which calls are skipped after a failure

Word = str | int | float
_Call = tuple[Sequence[str], Sequence[Word]]  # keys and values


class RedisScript:
    """Runs a script over one connection, opened on demand and again after a failure."""

    def __init__(self, settings: Settings, text: str, fallback: str) -> None:
        """`fallback` says in the log what happens without Redis."""
        self._redis, self._text, self._fallback = Redis(settings), text, fallback
        self._pipelines: Batcher[None, _Call, Any] = Batcher(self._run_pipeline, PIPELINE_CALLS)
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
        answer = self._pipelines.ask(None, (keys, values))
        for _ in range(MAX_POLLS):
            await asyncio.wait([answer], timeout=POLL_SECONDS)
            if answer.done():
                return None if answer.cancelled() else answer.result()  # cancelled: the process stops
        answer.cancel()
        self._record_failure(TimeoutError("no answer"))
        return None

    async def _run_pipeline(self, _: None, calls: Sequence[_Call]) -> list[Any]:
        """May take longer than the callers wait, so that it still opens the connection for later calls."""
        if self.is_away:  # since these calls were submitted, so nobody waits for them
            return [None] * len(calls)
        pipeline = self._redis.pipeline(transaction=False)
        for keys, values in calls:
            prefixed_keys = [f"{self._redis.prefix}:{key}" for key in keys]
            pipeline.execute_command("EVAL", self._text, len(keys), *prefixed_keys, *values)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                replies = await pipeline.execute(raise_on_error=False)
        except Exception as error:  # noqa: BLE001 - requests pass whatever is wrong with Redis
            self._record_failure(error)
            return [None] * len(calls)
        return [self._read(keys, reply) for (keys, _), reply in zip(calls, replies, strict=True)]

    def _read(self, keys: Sequence[str], reply: object) -> Any:
        if not isinstance(reply, ResponseError):
            return reply
        code = str(reply).partition(" ")[0]
        # WRONGTYPE, or ERR, which redis-py strips: calls with other keys may succeed.
        if type(reply) is ResponseError and (code == "WRONGTYPE" or not code.isupper()):
            self._complaints.warn("redis refuses %s: %s", keys[0], reply)
        else:
            self._record_failure(reply)
        return None

    def _record_failure(self, error: Exception) -> None:
        self._away_until = monotonic() + AWAY_SECONDS
        self._complaints.warn("redis is away, %s meanwhile: %s", self._fallback, str(error) or type(error).__name__)

    async def close(self) -> None:
        try:
            await self._pipelines.close()
        finally:
            await self._redis.close_for_good()
