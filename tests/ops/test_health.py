"""/healthz and /readyz over HTTP."""

import asyncio
import sqlite3
from dataclasses import replace

import asyncpg
import pytest
from tortoise.exceptions import OperationalError

from tests.apps import app_of
from tests.fakes.stream_server import StreamServer
from tests.locks import held
from webapp import db
from webapp.config import Settings
from webapp.domain.instance import workers
from webapp.domain.instance.suspension import resume_sending, suspend_sending

PARTS = dict.fromkeys(("database", "worker", "consent_log", "secret_keys", "sending"), "ok") | {"redis": "unreachable"}


async def ready(settings: Settings) -> tuple[int, dict[str, object]]:
    response = await app_of(settings).test_client().get("/readyz")
    return response.status_code, await response.get_json()


async def test_no_worker_is_not_ready(settings: Settings, database: str) -> None:
    status, body = await ready(settings)
    assert (status, body["status"]) == (503, "unavailable")
    assert body["parts"] == PARTS | {"worker": "unreachable"}


async def test_while_sending_is_on_hold_it_says_so(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    await suspend_sending("the disk is moved")
    status, body = await ready(settings)
    assert (status, body["status"], body["degraded"]) == (200, "degraded", ["redis", "sending"])
    assert body["parts"] == PARTS | {"sending": "on hold"}
    await resume_sending()
    assert (await ready(settings))[1]["degraded"] == ["redis"]


async def test_a_worker_without_a_secret_key_is_said(settings: Settings, database: str) -> None:
    worker = workers.new_worker_id()
    await workers.beat(worker, "a key is missing")
    status, body = await ready(settings)
    assert (status, body["degraded"]) == (200, ["redis", "secret_keys"])
    await workers.beat(worker)
    assert (await ready(settings))[1]["degraded"] == ["redis"]


async def test_without_the_database_it_is_not_ready(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    await db.disconnect()
    status, body = await ready(settings)
    assert (status, body["degraded"]) == (503, ["database", "worker", "redis"])


async def test_a_redis_that_never_answers_costs_a_second(settings: Settings, database: str) -> None:
    async def say_nothing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with StreamServer(say_nothing) as server:
        await workers.beat(workers.new_worker_id())
        async with asyncio.timeout(2.9):  # the client's own patience is three
            status, body = await ready(replace(settings, redis_url=f"redis://127.0.0.1:{server.port}/0"))
    assert (status, body["degraded"]) == (200, ["redis"])


async def test_no_probe_waits_for_whoever_writes_for_long(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    await ready(settings)  # opens the connections that a probe takes, for which a crowded machine needs its time
    async with held("UPDATE worker_heartbeats SET hostname = 'elsewhere' RETURNING id"):
        status, body = await ready(settings)
    assert (status, body["degraded"]) == (200, ["redis"])


async def test_without_room_for_what_is_written_it_is_not_ready(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    full = OperationalError(sqlite3.OperationalError("database or disk is full"))
    for error in (full, full if settings.is_sqlite else asyncpg.DiskFullError("could not extend file")):
        with pytest.raises(type(error)):
            async with db.write_transaction():
                raise error
        status, body = await ready(settings)
        assert (status, body["status"], body["degraded"]) == (503, "unavailable", ["database", "redis"])
        assert body["parts"] == PARTS | {"database": "full"}
        await db.disconnect()
        await db.connect(settings.database_url)
        assert (await ready(settings))[0] == 200
