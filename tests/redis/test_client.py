"""The client of Redis: whoever is cut short in using it, and whenever, no connection is left open."""

import asyncio
import gc
from pathlib import Path

import pytest
import redis

from tests.fakes.redis_server import RedisServer
from tests.fakes.worker import eventually
from webapp.config import Settings, read_settings
from webapp.redis.client import connected_redis

MOST_TURNS = 5_000  # of the loop; a use takes some hundreds


@pytest.fixture
def ours(redis_server: RedisServer, tmp_path: Path) -> Settings:
    return read_settings({"REDIS_URL": redis_server.url, "PENNYPOST_DATA_DIR": str(tmp_path)})


async def use(settings: Settings) -> None:
    async with connected_redis(settings) as client:
        await asyncio.gather(client.get("a"), client.get("b"))
        async with client.pipeline(transaction=True) as pipe:
            await pipe.watch("a")
            pipe.multi()
            pipe.get("a")
            await pipe.execute()


async def is_left_alone(server: RedisServer) -> bool:
    gc.collect()  # a connection that nobody has closed warns when it goes, and a warning is an error here
    with redis.Redis.from_url(server.url) as client:
        return bool(client.info("clients")["connected_clients"] == 1)


async def test_a_use_that_ends_at_any_turn_of_the_loop_leaves_no_connection(
    redis_server: RedisServer, ours: Settings
) -> None:
    for turns in range(MOST_TURNS):
        using = asyncio.create_task(use(ours))
        for _ in range(turns):
            await asyncio.sleep(0)
        if using.done():
            await using
            break
        using.cancel()
        await asyncio.gather(using, return_exceptions=True)
    assert 20 < turns < MOST_TURNS - 1
    await eventually(lambda: is_left_alone(redis_server))


async def test_a_cut_while_redis_hangs_leaves_no_connection(redis_server: RedisServer, ours: Settings) -> None:
    async with connected_redis(ours) as client:
        await client.get("a")
        redis_server.freeze()
        asking = [asyncio.ensure_future(work) for work in (client.get("b"), client.get("c"), use(ours), use(ours))]
        await asyncio.sleep(0.2)
        for task in asking[::2]:
            task.cancel()
    redis_server.thaw()
    await asyncio.gather(*asking, return_exceptions=True)
    await eventually(lambda: is_left_alone(redis_server))


async def test_a_password_is_decoded(tmp_path: Path) -> None:
    with RedisServer("--requirepass", "hunt@er2") as server:
        url = server.url.replace("unix://", "unix://:hunt%40er2@")
        async with connected_redis(read_settings({"REDIS_URL": url, "PENNYPOST_DATA_DIR": str(tmp_path)})) as client:
            assert await client.ping()
