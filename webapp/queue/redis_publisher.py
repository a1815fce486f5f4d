"""Nudging the worker through Redis: a lost nudge costs seconds, never a mail."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from redis.exceptions import RedisError

from webapp.config import Settings
from webapp.logs import RateLimitedLogger
from webapp.queue import Nudge, carried_by
from webapp.redis.client import REDIS_SECONDS, Redis

log = logging.getLogger(__name__)

PENDING_NUDGES = 10_000  # beyond these the worker's own polling is enough


class Nudger:
    """Sends nudges in the background, so that no request ever waits for Redis."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: dict[str, Nudge] = {}
        self._arrived = asyncio.Event()
        self._redis: Redis | None = None
        self._complaints = RateLimitedLogger(log)

    def add(self, nudge: Nudge) -> None:
        """Queue a nudge without waiting."""
        if len(self._waiting) < PENDING_NUDGES:
            self._waiting[nudge.key] = nudge
            self._arrived.set()

    async def run(self) -> None:
        """Send until cancelled; what cannot be sent is dropped, and said in the log twice a minute at most."""
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                batch, self._waiting = list(self._waiting.values()), {}
                try:
                    async with asyncio.timeout(REDIS_SECONDS * 3):
                        await self._send(batch)
                except (RedisError, OSError) as error:  # TimeoutError is an OSError
                    await self._hang_up()
                    self._complaints.warn("redis is away, workers poll meanwhile: %s", error or type(error).__name__)
                    await asyncio.sleep(REDIS_SECONDS)  # what arrives meanwhile is one batch, and one try
        finally:
            await self._hang_up()

    async def _send(self, batch: list[Nudge]) -> None:
        if self._redis is None:
            self._redis = Redis(self._settings)
        for nudge in batch:
            await self._redis.enqueue_job(nudge.job, str(nudge.row_id), _job_id=nudge.key)

    async def _hang_up(self) -> None:
        redis, self._redis = self._redis, None
        if redis is not None:
            await redis.close_for_good()


@contextlib.asynccontextmanager
async def nudging(settings: Settings) -> AsyncIterator[None]:
    """For the life of this block, `queue.enqueue` sends through Redis."""
    nudger = Nudger(settings)
    task = asyncio.create_task(nudger.run())
    try:
        with carried_by(nudger.add):
            yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
