"""The database: connections, transactions and raw statements.

Do not start tasks inside a transaction, because they inherit its connection (a context variable). Never await the
network inside a transaction, because on SQLite all other statements wait for it, except those inside `read_connection`
or `searching`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from tortoise import Tortoise, connections
from tortoise.backends.base.client import BaseDBAsyncClient
from tortoise.transactions import in_transaction

from webapp import clock
from webapp.config import SOURCE_DIR
from webapp.db import errors, postgres, sqlite
from webapp.db.dialects import DIALECTS, Dialect, Postgres, Sqlite, as_uuid
from webapp.fair_slots import FairSlot, FairSlots, slot_of

Row = dict[str, Any]

SEARCH_CONNECTIONS = ("search", "search_too")  # SQLite's, each for one search at a time
WRITES_AT_ONCE = 3  # of an organization
IDLE_RATIO = 0.5  # the pause after a batch, as a share of its time

# Calls for after the commit of this task's outermost transaction; None outside of one.
_after_commit: ContextVar[list[Callable[[], Awaitable[object] | None]] | None] = ContextVar(
    "after_commit", default=None
)

# Slow reads: on SQLite each has its own connection, so that they wait only for a slot.
_is_searching: ContextVar[bool] = ContextVar("is_searching", default=False)
_searches: dict[type[Dialect], FairSlots[FairSlot]] = {
    Sqlite: FairSlots(len(SEARCH_CONNECTIONS), limit_each=1),
    Postgres: FairSlots(4, limit_each=2),
}
_idle_connections = list(SEARCH_CONNECTIONS)

_dialect: Dialect | None = None
_is_connected = False

# The semaphore that this task acquires before it writes, if any.
_write_limit: ContextVar[asyncio.Semaphore | None] = ContextVar("write_limit", default=None)


def migrations_dir(dialect: str) -> Path:
    return SOURCE_DIR / "migrations" / dialect


def tortoise_config(
    database_url: str, *, pool_size: int = 10, more_models: Sequence[str] = (), is_patient: bool = False
) -> dict[str, Any]:
    """Tortoise's configuration; with `is_patient` statements have no time limit."""
    credentials: dict[str, Any] = {"dsn": database_url, "minsize": 1, "maxsize": pool_size, "is_patient": is_patient}
    connections = {"default": {"engine": "webapp.db.postgres", "credentials": credentials}}
    if database_url.startswith("sqlite"):
        credentials = {
            "file_path": database_url.removeprefix("sqlite://"),
            "journal_mode": "WAL",
            "synchronous": "FULL",  # so that accepted email survives a power cut
            "busy_timeout": 10_000,
            "foreign_keys": "ON",
        }
        reading = {"engine": "webapp.db.sqlite", "credentials": credentials | {"query_only": "ON"}}
        default = {"engine": "webapp.db.sqlite", "credentials": credentials}
        connections = {"default": default, **dict.fromkeys(("read", *SEARCH_CONNECTIONS), reading)}
    return {
        "connections": connections,
        "apps": {"models": {"models": ["webapp.models", *more_models], "default_connection": "default"}},
        "use_tz": True,
        "timezone": "UTC",
    }


# For aerich's configuration files, which generate migrations offline.
TORTOISE_ORM_SQLITE = tortoise_config("sqlite:///dev/null", more_models=["aerich.models"])
TORTOISE_ORM_POSTGRES = tortoise_config("postgres://localhost/pennypost", more_models=["aerich.models"])


async def connect(database_url: str) -> None:
    """Connects lazily; prepares the models only once for each dialect in a process, which takes 15 ms."""
    global _dialect, _is_connected
    errors.forget()
    is_prepared = _dialect is (connected := DIALECTS["sqlite" if database_url.startswith("sqlite") else "postgres"])
    config = tortoise_config(database_url)
    await Tortoise.init(config, init_connections=not is_prepared, _enable_global_fallback=True)
    _dialect, _is_connected = connected, True


async def disconnect() -> None:
    global _is_connected  # noqa: PLW0603 - as above
    _is_connected = False
    await Tortoise.close_connections()


def is_connected() -> bool:
    return _is_connected


@asynccontextmanager
async def connected(database_url: str) -> AsyncIterator[None]:
    await connect(database_url)
    try:
        yield
    finally:
        await disconnect()


@asynccontextmanager
async def write_transaction() -> AsyncIterator[BaseDBAsyncClient]:
    """Commits the block, or rolls it back if it raises; a cancellation commits all of it or nothing.

    Takes SQLite's write lock at the start. A nested transaction is a savepoint.
    """
    waiting: list[Callable[[], Awaitable[object] | None]] = []
    limit = None if is_in_transaction() else _write_limit.get()  # a savepoint uses its transaction's permit
    async with limit or nullcontext():
        token = _after_commit.set(waiting)
        try:
            async with in_transaction("default") as connection:
                yield connection
        except Exception as error:
            errors.record_full_disk(error)
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


async def let_others_write(began: float) -> None:
    """Pauses after a batch that began at `began` (`clock.elapsed()`), because it blocks other writers on SQLite."""
    is_needed = dialect().has_one_writer and not is_in_transaction()  # in which they wait all the same
    await asyncio.sleep(IDLE_RATIO * (clock.elapsed() - began) if is_needed else 0)


async def in_batches(make_batch: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Calls `make_batch`, which commits, until it returns False or the time is over; others can write in between."""
    began = clock.elapsed()
    until, has_more = began + seconds, True
    while has_more and began < until:
        has_more = await make_batch()
        await let_others_write(began)
        began = clock.elapsed()


def is_in_transaction() -> bool:
    return _after_commit.get() is not None


class WriteShares:
    """Limits the writes of each organization, because they hold connections while they wait for each other."""

    def __init__(self) -> None:
        self._slots: WeakValueDictionary[UUID, asyncio.Semaphore] = WeakValueDictionary()  # dropped with the last user

    def limit_writes(self, org_id: UUID) -> None:
        """Of this task."""
        _write_limit.set(self._slots.setdefault(org_id, asyncio.Semaphore(WRITES_AT_ONCE)))


def after_commit(call: Callable[[], None]) -> None:
    """Calls `call` after the surrounding transaction commits, or now if there is none; it must not wait or fail."""
    waiting = _after_commit.get()
    if waiting is None:
        call()
    else:
        waiting.append(call)


def await_after_commit(work: Callable[[], Awaitable[object]]) -> None:
    """Awaits `work`, which must not fail, after the transaction commits. Raises RuntimeError outside of one."""
    waiting = _after_commit.get()
    if waiting is None:
        raise RuntimeError("there is no transaction to wait for")
    waiting.append(work)


def connection() -> BaseDBAsyncClient:
    current: BaseDBAsyncClient = connections.get("default")
    return current


@asynccontextmanager
async def read_connection(name: str = "read") -> AsyncIterator[None]:
    """On SQLite, reads without waiting for this process's writes, like a 34 MB email; begin no transaction inside."""
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
    """Runs slow reads in the organization's share of a few slots; begin no transaction inside.

    Writers are not delayed: the reads have their own connection on SQLite, and a share of the pool on PostgreSQL.
    A cancellation interrupts the statement.
    """
    if _is_searching.get() or is_in_transaction():
        yield
        return
    async with slot_of(_searches[type(dialect())], org_id):
        token, name = _is_searching.set(True), _idle_connections.pop() if isinstance(dialect(), Sqlite) else None
        try:
            async with read_connection(name or "read"):
                yield
        finally:
            if name is not None:
                _idle_connections.append(name)
            _is_searching.reset(token)


def dialect() -> Dialect:
    if _dialect is None:
        raise RuntimeError("connect to a database first")
    return _dialect


async def fetch(statement: str, *values: Any) -> list[Row]:
    return [dict(row) for row in await records(statement, *values)]


async def records(statement: str, *values: Any) -> Sequence[Any]:
    """Rows as the driver's tuples, which cost less than `fetch`."""
    sql, client = dialect(), connection()
    find = sqlite.fetch_records if isinstance(sql, Sqlite) else postgres.fetch_records
    rows = await find(client, statement, sql.parameters(values))
    errors.report_answer()
    return rows


async def fetch_value(statement: str, *values: Any) -> Any:
    """The first column of the first row; None without rows."""
    rows = await records(statement, *values)
    return rows[0][0] if rows else None


async def fetch_ids(statement: str, *values: Any) -> list[UUID]:
    return [as_uuid(row[0]) for row in await records(statement, *values)]


async def read_by_indexes() -> None:
    """Disables sequential scans, bitmap scans and sorts until the transaction ends. Raises RuntimeError outside of one.

    Until a table is analyzed, PostgreSQL expects few matching rows, and reads and sorts all to return the first few.
    """
    if not is_in_transaction():
        raise RuntimeError("there is no transaction to set the planner for")
    if not isinstance(dialect(), Sqlite):
        ways = "ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_sort']"
        await fetch(f"SELECT set_config(way, 'off', true) FROM unnest({ways}) way")  # noqa: S608 - our own words


async def analyze_grown(tables: Sequence[str], new_rows: int) -> None:
    """Analyzes the tables in which PostgreSQL expects less than ten times the new rows; skips those of another role.

    PostgreSQL does so by itself a minute later, unless autovacuum is off, and until then may compare all rows of two
    tables with each other.
    """
    if not isinstance(dialect(), Sqlite):
        small = """SELECT relname FROM pg_class WHERE reltuples < 10 * $2::float8
            AND oid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)"""
        for row in await fetch(small, list(tables), new_rows):
            await fetch(f"ANALYZE {row['relname']}")


async def run_many(statement: str, rows: Sequence[Sequence[Any]]) -> None:
    await connection().execute_many(statement, [dialect().parameters(row) for row in rows])


async def run_on(statement: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
    """Runs a statement that ends in FROM on rows `k`; on PostgreSQL in one go, so that triggers run once."""
    if dialect().has_one_writer:
        row = ", ".join(f"${number} AS {name}" for number, name in enumerate(columns, 1))
        await run_many(f"{statement} (SELECT {row}) AS k", rows)
    else:
        await records(f"{statement} {dialect().table(columns)}", *dialect().table_values(rows))
