"""/healthz and /readyz over HTTP."""

import asyncio
import time
from dataclasses import replace

from tests.conftest import free_port
from tests.locks import held
from webapp import db
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain import workers


async def ready(settings: Settings) -> tuple[int, dict[str, object]]:
    response = await create_app(settings).test_client().get("/readyz")
    return response.status_code, await response.get_json()


async def test_alive_whatever_else_is_not(settings: Settings) -> None:
    response = await create_app(settings).test_client().get("/healthz")
    assert (response.status_code, await response.get_json()) == (200, {"status": "ok"})


async def test_no_worker_is_not_ready(settings: Settings, database: str) -> None:
    status, body = await ready(settings)
    assert (status, body["status"]) == (503, "unavailable")
    assert body["parts"] == {"database": "ok", "worker": "unreachable", "redis": "unreachable"}


async def test_without_redis_it_is_ready_and_says_so(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    status, body = await ready(settings)
    assert (status, body["status"], body["degraded"]) == (200, "degraded", ["redis"])


async def test_without_the_database_it_is_not_ready(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    await db.disconnect()
    status, body = await ready(settings)
    assert (status, body["degraded"]) == (503, ["database", "worker", "redis"])


async def test_a_redis_that_never_answers_costs_a_second(settings: Settings, database: str) -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    port = free_port()
    async with await asyncio.start_server(say_nothing, "127.0.0.1", port):
        await workers.beat(workers.new_worker_id())
        took = []
        for _ in range(3):
            started = time.monotonic()
            status, body = await ready(replace(settings, redis_url=f"redis://127.0.0.1:{port}/0"))
            took.append(time.monotonic() - started)
            assert (status, body["degraded"]) == (200, ["redis"])
    assert min(took) < 2  # the client's own patience is three


async def test_an_answer_is_never_older_than_a_second(settings: Settings, database: str) -> None:
    client = create_app(settings).test_client()
    assert (await client.get("/readyz")).status_code == 503
    await workers.beat(workers.new_worker_id())
    await asyncio.sleep(1)
    assert (await client.get("/readyz")).status_code == 200


async def test_no_probe_waits_for_whoever_writes_for_long(settings: Settings, database: str) -> None:
    await workers.beat(workers.new_worker_id())
    client = create_app(settings).test_client()
    async with held("UPDATE worker_heartbeats SET hostname = 'elsewhere' RETURNING id"):
        response = await client.get("/readyz")
        assert (response.status_code, (await response.get_json())["degraded"]) == (200, ["redis"])
