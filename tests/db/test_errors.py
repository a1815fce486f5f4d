"""An outage is what the database's drivers raise; other hosts and files fail without one."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

from webapp.db.errors import is_away, is_outage

NOBODY = ("127.0.0.1", 1)  # a port that nothing listens on
DATABASE = {"user": "ann", "password": "secret", "database": "none"}


async def _silent_database() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        await asyncpg.connect(host="127.0.0.1", port=listener.getsockname()[1], timeout=0.05, **DATABASE)


async def _database_that_hangs_up() -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.transport.abort(), "127.0.0.1", 0)
    async with server:
        await asyncpg.connect(host="127.0.0.1", port=server.sockets[0].getsockname()[1], timeout=5, **DATABASE)


async def _in_a_group() -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(asyncpg.connect(host=NOBODY[0], port=NOBODY[1], timeout=5, **DATABASE))


async def _slow_work() -> None:
    async with asyncio.timeout(0):
        await asyncio.sleep(1)


@pytest.mark.parametrize(
    ("work", "is_outage_"),
    [
        (lambda: asyncpg.connect(host=NOBODY[0], port=NOBODY[1], **DATABASE), True),
        (_silent_database, True),
        (_database_that_hangs_up, True),
        (_in_a_group, True),
        (lambda: asyncio.open_connection(*NOBODY), False),
        (lambda: asyncio.to_thread(Path("/nowhere").read_bytes), False),
        (_slow_work, False),
    ],
    ids=["refused", "silent", "hung up", "group", "other host", "no file", "time-out"],
)
async def test_an_outage_is_what_the_driver_raises(work: Callable[[], Awaitable[object]], *, is_outage_: bool) -> None:
    with pytest.raises((Exception, ExceptionGroup)) as raised:
        await work()
    assert (is_outage(raised.value), is_away(raised.value)) == (is_outage_, is_outage_)
