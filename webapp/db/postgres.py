"""Tortoise's asyncpg client, made safe to cancel, and opened from a DSN with libpq's options (sslmode, socket folders).

Tortoise 1.1 acquires a pooled connection and then awaits BEGIN; a task that is cancelled there never releases it.
"""

from types import TracebackType
from typing import Any

import asyncpg
from tortoise.backends.asyncpg.client import AsyncpgDBClient, TransactionWrapper
from tortoise.backends.base.client import BaseDBAsyncClient, TransactionalDBClient, TransactionContextPooled
from tortoise.backends.base_postgres.client import translate_exceptions
from tortoise.connection import get_connections

from webapp.tasks import run_to_completion

CONNECT_SECONDS = 10
COMMAND_SECONDS = 60
# JIT takes longer than our statements, and PostgreSQL's own compression of texts five times as long as LZ4, which not
# every server has. Poolers reject settings as startup parameters.
SESSION = """SET jit = off;
    SELECT set_config('default_toast_compression', 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)"""


class _PostgresTransaction(TransactionContextPooled):
    __slots__ = ()

    async def __aenter__(self) -> TransactionalDBClient:
        await self.ensure_connection()
        pool = self.client._parent._pool
        connection = await pool.acquire()
        self.client._connection = connection
        try:
            await self.client.begin()
        except BaseException:
            await run_to_completion(pool.release(connection))
            raise
        self.token = get_connections().set(self.connection_name, self.client)
        return self.client

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await run_to_completion(self._end(failed=kind is not None))
        finally:
            get_connections().reset(self.token)

    async def _end(self, *, failed: bool) -> None:
        try:
            if not self.client._finalized:
                await (self.client.rollback() if failed else self.client.commit())
        finally:
            pool = self.client._parent._pool
            if pool is not None:
                await pool.release(self.client._connection)


async def _set_up(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    await connection.execute(SESSION)


async def _nothing(_connection: object) -> None:
    """Skips asyncpg's reset of released connections, a round trip, because our settings end with the transaction."""


class _Transaction(TransactionWrapper):
    async def execute_many(self, query: str, values: list[Any]) -> None:
        """Completes if it is cancelled, because asyncpg 0.32 may then wait for the server until its time-out."""
        await run_to_completion(super().execute_many(query, values))


class CancellationSafeAsyncpgClient(AsyncpgDBClient):
    def __init__(self, dsn: str, *, is_patient: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._dsn = dsn
        self._command_seconds = None if is_patient else COMMAND_SECONDS

    async def create_connection(self, with_db: bool) -> None:  # noqa: ARG002, FBT001 - Tortoise's signature
        self._pool = await asyncpg.create_pool(
            self._dsn,
            min_size=self.pool_minsize,
            max_size=self.pool_maxsize,
            timeout=CONNECT_SECONDS,
            command_timeout=self._command_seconds,
            server_settings={"application_name": "pennypost"},
            init=_set_up,
            reset=_nothing,
        )
        await self._post_connect()

    async def execute_many(self, query: str, values: list[Any]) -> None:
        async with self._in_transaction() as transaction:
            await transaction.execute_many(query, values)

    def _in_transaction(self) -> TransactionContextPooled:
        return _PostgresTransaction(_Transaction(self), self._pool_init_lock)


@translate_exceptions
async def fetch_records(client: BaseDBAsyncClient, query: str, values: Any) -> list[asyncpg.Record]:
    """The rows of any statement, because Tortoise drops those of UPDATE ... RETURNING."""
    async with client.acquire_connection() as connection:
        client.log.debug("%s: %s", query, values)  # as Tortoise does with every statement
        rows: list[asyncpg.Record] = await connection.fetch(query, *values)
        return rows


client_class = CancellationSafeAsyncpgClient
