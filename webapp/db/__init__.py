"""The database: connect, disconnect, one way to write.

Never start a task inside a transaction: it inherits the transaction's connection (a context variable). Never await the
network inside one: on SQLite all share a single connection but for what reads `aside` or is `searching`, and wait.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from tortoise import Tortoise, connections
from tortoise.backends.base.client import BaseDBAsyncClient
from tortoise.transactions import in_transaction

from webapp.config import SEARCH_CONNECTIONS, tortoise_config
from webapp.db import errors, postgres, sqlite
from webapp.db.dialects import DIALECTS, Dialect, Postgres, Sqlite
from webapp.fair_slots import FairSlots, Slot, slot_of

Row = dict[str, Any]

# What is to be done when the outermost transaction of this task has committed, and awaited where it can be; None
# outside of one.
_after_commit: ContextVar[list[Callable[[], Awaitable[object] | None]] | None] = ContextVar(
    "after_commit", default=None
)

# Whether this task reads what may take long, and how many may at once: on SQLite each has a connection for itself, so
# that nobody waits for one but for a slot.
_is_searching: ContextVar[bool] = ContextVar("is_searching", default=False)
_searches: dict[type[Dialect], FairSlots[Slot]] = {
    Sqlite: FairSlots(len(SEARCH_CONNECTIONS), most_each=1),
    Postgres: FairSlots(4, most_each=2),
}
_idle_connections = list(SEARCH_CONNECTIONS)

# How this task waits for its turn to write; None for one that need not.
_turns: ContextVar[asyncio.Semaphore | None] = ContextVar("turns", default=None)


async def connect(database_url: str, *, pool_size: int = 10) -> None:
    """Open the database for this process; its tables are migrated elsewhere, never here."""
    errors.forget()
    await Tortoise.init(tortoise_config(database_url, pool_size=pool_size), _enable_global_fallback=True)


async def disconnect() -> None:
    """Close every connection of this process."""
    await Tortoise.close_connections()


@asynccontextmanager
async def write_transaction() -> AsyncIterator[BaseDBAsyncClient]:
    """Hold the write lock from the start on SQLite; a cancellation keeps the work whole or not at all.

    One inside another is a savepoint of it.
    """
    waiting: list[Callable[[], Awaitable[object] | None]] = []
    async with _turn():
        token = _after_commit.set(waiting)
        try:
            async with in_transaction("default") as connection:
                yield connection
        except Exception as error:
            errors.note(error)
            raise
        finally:
            _after_commit.reset(token)
    around = _after_commit.get()
    if around is not None:
        around += waiting
        return
    for call in waiting:
        work = call()
        if work is not None:
            await work


@asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    """Wait for this task's turn before a connection is taken; a savepoint is part of the turn around."""
    turns = _turns.get()
    if turns is None or _after_commit.get() is not None:
        yield
        return
    async with turns:
        yield


def write_in_turn(turns: asyncio.Semaphore) -> None:
    """Let this task's transactions, from now on, each wait for one of these turns."""
    _turns.set(turns)


def after_commit(call: Callable[[], None]) -> None:
    """Call this when the transaction around has committed, never when it is rolled back; at once where there is none.

    `call` must neither wait nor fail.
    """
    waiting = _after_commit.get()
    if waiting is None:
        call()
    else:
        waiting.append(call)


def await_after_commit(work: Callable[[], Awaitable[object]]) -> None:
    """Have this awaited when the transaction around, which there must be, has committed, by whoever began it.

    `work` must not fail.
    """
    waiting = _after_commit.get()
    if waiting is None:
        raise RuntimeError("there is no transaction to wait for")
    waiting.append(work)


def connection() -> BaseDBAsyncClient:
    """The current connection: the transaction's inside one, else the process's."""
    current: BaseDBAsyncClient = connections.get("default")
    return current


@asynccontextmanager
async def aside(name: str = "aside") -> AsyncIterator[None]:
    """Read in this block past what the process is writing; begin no transaction in it.

    On SQLite that is a second connection: on the one that all others share it would wait for a mail of 34 MB.
    """
    if not isinstance(dialect(), Sqlite):
        yield
        return
    token = connections.set("default", connections.get(name))
    try:
        yield
    finally:
        connections.reset(token)


@asynccontextmanager
async def searching(org_id: UUID) -> AsyncIterator[None]:
    """Read in this block what may take long, when it is the organization's turn; begin no transaction in it.

    It keeps no writer waiting: on SQLite it has a connection of its own, on PostgreSQL a share of the pool. Who is
    cancelled ends the statement, and its turn lasts until that has ended. Inside a transaction, or another such block,
    it is nothing new.
    """
    if _is_searching.get() or _after_commit.get() is not None:
        yield
        return
    async with slot_of(_searches[type(dialect())], org_id), _apart():
        token = _is_searching.set(True)
        try:
            yield
        finally:
            _is_searching.reset(token)


@asynccontextmanager
async def _apart() -> AsyncIterator[None]:
    """Read in this block on a connection that nobody else searches on; on SQLite a slot is held, so there is one."""
    if not isinstance(dialect(), Sqlite):
        yield
        return
    name = _idle_connections.pop()
    try:
        async with aside(name):
            yield
    finally:
        _idle_connections.append(name)


def dialect() -> Dialect:
    """How the current database words what the two say differently."""
    return DIALECTS[connection().capabilities.dialect]


async def fetch(sql: str, *values: Any) -> list[Row]:
    """Rows of a raw statement with $1, $2, ... as dictionaries; also what an UPDATE .. RETURNING gives back."""
    return [dict(row) for row in await records(sql, *values)]


async def records(sql: str, *values: Any) -> Sequence[Any]:
    """As `fetch`, for many rows: each is the driver's own, to be taken apart by the places of its columns."""
    speak, client = dialect(), connection()
    find = sqlite.fetch_records if isinstance(speak, Sqlite) else postgres.fetch_records
    return await find(client, speak.text(sql), [speak.value(value) for value in values])


async def read_by_indexes() -> None:
    """Let the transaction around, which there must be, read tables by their indexes and in their order until it ends.

    Of a table that it does not know yet PostgreSQL believes that few rows meet a condition: it reads all that do and
    sorts them, for the first few. To SQLite this is nothing new.
    """
    if _after_commit.get() is None:
        raise RuntimeError("only a transaction can be told how to read")
    if not isinstance(dialect(), Sqlite):
        await fetch("SELECT set_config(way, 'off', true) FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan']) way")


async def run_many(sql: str, rows: Sequence[Sequence[Any]]) -> None:
    """Run one raw statement for many rows of values."""
    speak = dialect()
    await connection().execute_many(speak.text(sql), [[speak.value(value) for value in row] for row in rows])


async def is_reachable() -> bool:
    """Whether the database answers a query."""
    try:
        await fetch("SELECT 1 AS one")
    except Exception:  # noqa: BLE001 - whatever the driver raises, the answer is no
        return False
    return True
