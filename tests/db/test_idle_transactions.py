"""What stopped in the middle of a transaction is ended, and nothing else is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg
import pytest

from tests.support.emptier import GONE
from webapp.config import Settings
from webapp.models.outbox.leases import terminate_idle_transactions

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]
OURS, THEIRS = "pennypost", "psql"


@asynccontextmanager
async def session(settings: Settings, program: str, *, is_open: bool) -> AsyncIterator[asyncpg.Connection]:
    """A session that has done something, in a transaction that is open still or in one that is over."""
    connection = await asyncpg.connect(settings.database_url, server_settings={"application_name": program})
    try:
        await connection.execute("BEGIN; SELECT 1 FROM organizations" if is_open else "SELECT 1 FROM organizations")
        yield connection
    finally:
        connection.terminate()


async def lives(connection: asyncpg.Connection) -> bool:
    try:
        return await connection.fetchval("SELECT true")
    except GONE:
        return False


async def test_only_a_silent_transaction_of_ours_is_ended(settings: Settings) -> None:
    async with AsyncExitStack() as stack:
        silent, idle, of_somebody_else, recent = [
            await stack.enter_async_context(session(settings, program, is_open=is_open))
            for program, is_open in ((OURS, True), (OURS, False), (THEIRS, True), (OURS, True))
        ]
        busy = asyncio.create_task(recent.execute("SELECT pg_sleep(1)"))
        await asyncio.sleep(0.5)
        assert await terminate_idle_transactions(0.3) == 1
        await busy
        assert await lives(recent)
        assert await terminate_idle_transactions(0.3) == 0
        assert [await lives(one) for one in (silent, idle, of_somebody_else)] == [False, True, True]
