"""Requests jobs through Redis: a lost request costs seconds, as workers poll too, and never a mail."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from redis.exceptions import RedisError

from webapp.config import Settings
from webapp.logs import RateLimitedLogger
from webapp.queue import JobRequest, publishing_with
from webapp.redis.client import REDIS_SECONDS, Redis
from webapp.tasks import in_background

log = logging.getLogger(__name__)

MAX_PENDING = 10_000  # beyond these the workers' own polling is enough


class JobPublisher:
    """Publishes in the background, so that nobody waits for Redis."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pending: dict[str, JobRequest] = {}
        self._arrived = asyncio.Event()
        self._warnings = RateLimitedLogger(log)

    def add(self, request: JobRequest) -> None:
        if len(self._pending) < MAX_PENDING:
            self._pending[request.key] = request
            self._arrived.set()

    async def run(self) -> None:
        """Publishes until cancelled; drops what cannot be sent, with a rate-limited warning."""
        redis = Redis(self._settings)
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                batch, self._pending = list(self._pending.values()), {}
                try:
                    async with asyncio.timeout(REDIS_SECONDS * 3):
                        for request in batch:
                            await redis.enqueue_job(request.job, str(request.row_id), _job_id=request.key)
                except (RedisError, OSError) as error:  # TimeoutError is an OSError
                    self._warnings.warn("redis is away, workers poll meanwhile: %s", error or type(error).__name__)
                    await asyncio.sleep(REDIS_SECONDS)  # requests of this time are one batch
        finally:
            await redis.close_for_good()


@contextlib.asynccontextmanager
async def publishing_jobs(settings: Settings) -> AsyncIterator[None]:
    """Publishes what the block enqueues."""
    publisher = JobPublisher(settings)
    async with in_background(publisher.run()):
        with publishing_with(publisher.add):
            yield
