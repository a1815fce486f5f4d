"""Tortoise's SQLite client, made safe to cancel, with BEGIN IMMEDIATE.

Tortoise 1.1 acquires the connection's lock and then awaits BEGIN; a task that is cancelled there never releases it, and
the process hangs. Its plain BEGIN takes the write lock in the middle of the transaction, where busy_timeout does not
apply; BEGIN IMMEDIATE waits for it.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

import aiosqlite
from tortoise.backends.base.client import BaseDBAsyncClient, ConnectionWrapper, TransactionalDBClient
from tortoise.backends.sqlite.client import SqliteClient, SqliteTransactionContext, SqliteTransactionWrapper
from tortoise.connection import get_connections
from tortoise.exceptions import OperationalError

from webapp.languages.spelling import plain_form
from webapp.tasks import run_to_completion

INTERRUPT_SECONDS = 0.01  # between interrupts, because one may come before its statement


class _Statement(ConnectionWrapper[aiosqlite.Connection]):
    """The connection for one statement; releases its lock if opening fails."""

    __slots__ = ()

    async def __aenter__(self) -> aiosqlite.Connection:
        await self._lock.acquire()
        try:
            await run_to_completion(self.ensure_connection())
        except BaseException:
            self._lock.release()
            raise
        return self.connection


class _Reading(_Statement):
    """A connection for one read; cancelling interrupts the statement and waits for its end."""

    __slots__ = ()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is asyncio.CancelledError:
                await run_to_completion(self._interrupt())
        finally:
            self._lock.release()

    async def _interrupt(self) -> None:
        """Interrupts until the connection's thread has run the rollback queued behind the statement."""
        behind = asyncio.ensure_future(self.connection.rollback())  # of nothing, so it cannot be interrupted
        while not behind.done():
            with suppress(ValueError, sqlite3.ProgrammingError):  # closed in between
                await self.connection.interrupt()
            await asyncio.wait({behind}, timeout=INTERRUPT_SECONDS)
        behind.exception()  # so that asyncio does not report it as never retrieved


class _SqliteTransaction(SqliteTransactionContext):
    __slots__ = ()

    async def __aenter__(self) -> TransactionalDBClient:
        await self._trxlock.acquire()
        try:
            await run_to_completion(self._begin())
        except BaseException:
            try:
                await run_to_completion(self._undo())
            finally:
                self._trxlock.release()
            raise
        self.token = get_connections().set(self.connection_name, self.connection)
        client: TransactionalDBClient = self.connection
        return client

    async def _begin(self) -> None:
        await self.ensure_connection()
        try:
            await self.connection._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise OperationalError(error) from error

    async def _undo(self) -> None:
        connection = self.connection._connection
        if connection is not None and connection.in_transaction:
            await connection.rollback()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await run_to_completion(self._end(failed=kind is not None))
        finally:
            get_connections().reset(self.token)
            self._trxlock.release()

    async def _end(self, *, failed: bool) -> None:
        if self.connection._finalized:
            return
        try:
            if not failed:
                await self.connection.commit()
        finally:
            await self._undo()


class CancellationSafeSqliteClient(SqliteClient):
    """One SQLite connection; a process has one to write, one to read and two to search."""

    def acquire_connection(self) -> ConnectionWrapper[Any]:
        return _Reading(self._lock, self) if "query_only" in self.pragmas else _Statement(self._lock, self)

    async def create_connection(self, with_db: bool) -> None:  # noqa: FBT001 - Tortoise's
        await super().create_connection(with_db)
        if self._connection is not None:
            await self._connection.create_function("plain_form", 1, plain_form, deterministic=True)

    async def execute_many(self, query: str, values: list[list[Any]]) -> None:
        """In a transaction, which Tortoise leaves open if it is cancelled."""
        async with self._in_transaction() as transaction:
            await transaction.execute_many(query, values)

    def _in_transaction(self) -> SqliteTransactionContext:
        return _SqliteTransaction(SqliteTransactionWrapper(self), self._lock)


async def fetch_records(client: BaseDBAsyncClient, query: str, values: Any) -> Sequence[Any]:
    _, rows = await client.execute_query(query, values)
    return rows


client_class = CancellationSafeSqliteClient
