"""The Redis client, which prefixes keys and encodes jobs as JSON."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Any
from urllib.parse import quote

import orjson
from arq.connections import ArqRedis
from redis.asyncio.client import Pipeline
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from webapp.config import Settings
from webapp.json_encoder import encode
from webapp.tasks import run_to_completion

ARQ = "arq:"  # begins the names of arq's own keys
REDIS_SECONDS = 1
ANSWER_SECONDS = 3  # after which a command counts as unanswered


serialize, deserialize = encode, orjson.loads  # of jobs, because arq's default, pickle, runs code that it reads


def prefixed(prefix: str, words: Iterable[Any]) -> list[Any]:
    """The words of a command, with the prefix before arq's keys, whose names are constants of arq."""
    return [f"{prefix}:{word}" if isinstance(word, str) and word.startswith(ARQ) else word for word in words]


class _Pipeline(Pipeline):
    prefix = ""

    def execute_command(self, *words: Any, **options: Any) -> Any:
        return super().execute_command(*prefixed(self.prefix, words), **options)

    async def reset(self) -> None:
        try:
            await super().reset()  # type: ignore[no-untyped-call]  # redis-py's
        finally:  # if the clean-up is cancelled, the connection would stay open
            if (connection := self.connection) is not None:
                self.connection = None
                await connection.disconnect(nowait=True)


class Redis(ArqRedis):
    """arq's client, with the instance's prefix before all keys.

    After closing it never reconnects, although arq's leftover tasks and redis-py's clean-up send commands.
    """

    def __init__(self, settings: Settings) -> None:
        self._is_closed = False
        self.prefix = settings.redis_prefix
        pool = ConnectionPool.from_url(
            settings.redis_url or f"unix://{quote(str(settings.redis_socket))}",
            socket_connect_timeout=REDIS_SECONDS,
            # No socket_timeout: it makes redis-py use asyncio.wait_for, which may swallow cancellations in Python 3.11.
            lib_name=None,  # new connections would send it and wait before `_greet` can refuse them
            lib_version=None,
            redis_connect_func=self._greet,
        )
        super().__init__(
            pool,
            job_serializer=serialize,
            job_deserializer=deserialize,
            default_queue_name=f"{self.prefix}:queue",
        )

    async def execute_command(self, *words: Any, **options: Any) -> Any:
        return await super().execute_command(*prefixed(self.prefix, words), **options)  # type: ignore[no-untyped-call]  # redis-py's

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:  # noqa: FBT001, FBT002 - redis-py's
        pipeline = _Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipeline.prefix = self.prefix
        return pipeline

    async def _greet(self, connection: AbstractConnection) -> None:
        """Called by redis-py on every new connection, which it closes when this raises."""
        if self._is_closed:
            raise RedisConnectionError("the client is closed")
        await connection.on_connect()

    async def close_for_good(self) -> None:
        """Closes every connection, even when cancelled."""
        self._is_closed = True
        with contextlib.suppress(RedisError, OSError):  # a slow farewell, after which it is closed as well
            await run_to_completion(asyncio.wait_for(self.aclose(close_connection_pool=True), ANSWER_SECONDS))


async def is_reachable(settings: Settings) -> bool:
    try:
        async with connected_redis(settings):
            return True
    except (RedisError, OSError):
        return False


@contextlib.asynccontextmanager
async def connected_redis(settings: Settings) -> AsyncIterator[Redis]:
    """Redis for the block. Raises OSError or RedisError within ANSWER_SECONDS if there is none."""
    redis = Redis(settings)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await redis.ping()
        yield redis
    finally:
        await redis.close_for_good()
