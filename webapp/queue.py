"""The names of the jobs, and nudging the worker through Redis: a lost nudge costs seconds, never a mail."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from uuid import UUID

import orjson
from arq.connections import ArqRedis, RedisSettings
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from webapp import db
from webapp.config import Settings
from webapp.db.shield import finish
from webapp.logs import Complaints

log = logging.getLogger(__name__)

QUEUE = "pennypost:jobs"
PENDING_NUDGES = 10_000  # beyond these the worker's own polling is enough
REDIS_SECONDS = 1
ANSWER_SECONDS = 3  # what has been asked and is not answered by then will not be


class Job(StrEnum):
    """What a worker can be asked to do; each takes ids only."""

    WAKE = "wake"  # an account: it has something to send
    MATERIALISE = "materialise"  # a run: it lacks rows
    MAIL_LINKS = "mail_links"  # a link about signing in that was asked for


class Nudge(NamedTuple):
    """A job for one row; two alike waiting at once are one."""

    job: Job
    row_id: UUID

    @property
    def key(self) -> str:
        """The id that makes arq drop a second one while the first waits."""
        return f"{self.job}:{self.row_id}"


def serialize(data: dict[str, Any]) -> bytes:
    """A job as JSON: arq's own way is pickle, which runs what it reads."""
    return orjson.dumps(data, default=str)


deserialize = orjson.loads


def redis_settings(settings: Settings) -> RedisSettings:
    """How to reach Redis: REDIS_URL, else the embedded server's socket in the data directory."""
    url = settings.redis_url
    if url is None:
        found = RedisSettings(unix_socket_path=str(settings.redis_socket))
    elif url.startswith("unix://"):
        found = RedisSettings(unix_socket_path=unquote(urlsplit(url).path))
    else:
        found = RedisSettings.from_dsn(url)
    found.conn_timeout, found.conn_retries, found.conn_retry_delay = REDIS_SECONDS, 0, 0
    return found


class Redis(ArqRedis):
    """arq's client, which connects when it is asked, and once closed never again, whoever still asks.

    arq leaves tasks behind when it is cancelled, and redis-py connects anew in the midst of its cleaning up.
    """

    def __init__(self, settings: Settings) -> None:
        wanted = redis_settings(settings)
        super().__init__(
            job_serializer=serialize,
            job_deserializer=deserialize,
            default_queue_name=QUEUE,
            host=wanted.host,
            port=wanted.port,
            unix_socket_path=wanted.unix_socket_path,
            db=wanted.database,
            username=wanted.username,
            password=wanted.password,
            ssl=wanted.ssl,
            ssl_check_hostname=wanted.ssl_check_hostname,
            socket_connect_timeout=wanted.conn_timeout,
            # No socket_timeout: for it redis-py uses asyncio.wait_for, which in Python 3.11 may swallow a cancellation.
            lib_name=None,  # whose answers a connection would wait for before it can be refused
            lib_version=None,
            redis_connect_func=self._greet,
        )
        self._is_closed = False

    async def _greet(self, connection: AbstractConnection) -> None:
        """What redis-py does on every new connection. Its error makes redis-py hang up."""
        if self._is_closed:
            raise RedisConnectionError("the client is closed")
        await connection.on_connect()

    async def close_for_good(self) -> None:
        """Close every connection, even when cancelled meanwhile."""
        self._is_closed = True
        with contextlib.suppress(RedisError, OSError):  # a farewell that takes long, after which it is closed as well
            await finish(self._hang_up())

    async def _hang_up(self) -> None:
        async with asyncio.timeout(ANSWER_SECONDS):
            await self.aclose(close_connection_pool=True)


@contextlib.asynccontextmanager
async def connected_redis(settings: Settings) -> AsyncIterator[Redis]:
    """Redis for the life of this block. Raises OSError or RedisError, within seconds, where there is none."""
    redis = Redis(settings)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await redis.ping()
        yield redis
    finally:
        await redis.close_for_good()


class Nudger:
    """Sends nudges in the background, so that no request ever waits for Redis."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: dict[str, Nudge] = {}
        self._arrived = asyncio.Event()
        self._redis: Redis | None = None
        self._complaints = Complaints(log)

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


_nudger: Nudger | None = None


@contextlib.asynccontextmanager
async def nudging(settings: Settings) -> AsyncIterator[None]:
    """For the life of this block, `enqueue` sends through Redis."""
    global _nudger  # noqa: PLW0603 - one per process, started and stopped by what serves
    _nudger = Nudger(settings)
    task = asyncio.create_task(_nudger.run())
    try:
        yield
    finally:
        _nudger = None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def enqueue(job: Job, row_id: UUID) -> None:
    """Ask a worker for `job` on a row, once the transaction around has committed. It never fails and never waits."""
    db.after_commit(lambda: _add(Nudge(job, row_id)))


def _add(nudge: Nudge) -> None:
    if _nudger is not None:
        _nudger.add(nudge)
