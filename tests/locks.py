"""Locks that somebody holds, and the statements that wait for one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from webapp import db

WAITING = "datname = current_database() AND wait_event_type = 'Lock'"


def held(statement: str, *values: Any) -> AbstractAsyncContextManager[None]:
    """For the life of this block somebody is in a transaction that ran this statement."""
    return holding(lambda: db.fetch(statement, *values))


@asynccontextmanager
async def holding(lock: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """For the life of this block somebody at another program is in a transaction that has done this.

    A session of ours would be ended: a process that fell silent.
    """
    is_held, is_over = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with db.write_transaction():
            if not db.dialect().has_one_writer:
                await db.fetch("SET LOCAL application_name = 'psql'")
            await lock()
            is_held.set()
            await is_over.wait()

    task = asyncio.create_task(hold())
    await is_held.wait()
    try:
        yield
    finally:
        is_over.set()
        await task


async def count_waiting(words: str = "") -> int:
    """Counts the statements with these words that wait for a lock (PostgreSQL)."""
    return len(await db.fetch(f"SELECT pid FROM pg_stat_activity WHERE {WAITING} AND query LIKE $1", f"%{words}%"))


async def somebody_waits() -> bool:
    return await count_waiting() > 0


async def end_what_waits() -> None:
    """End the connections whose statements wait for a lock (PostgreSQL)."""
    await db.fetch(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {WAITING}")
