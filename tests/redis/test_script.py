"""A script in Redis that requests run: answers in their order, patience that a busy loop does not use up, circuits."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis
import uvloop

from tests.conftest import free_port
from tests.fakes.redis_server import RedisServer
from webapp.config import read_settings
from webapp.redis.script import AWAY_SECONDS, RedisScript

ECHO = "return {KEYS[1], ARGV[1]}"
SET = "return redis.call('SET', KEYS[1], 'here')"


@asynccontextmanager
async def script(text: str, url: str, folder: Path) -> AsyncIterator[RedisScript]:
    found = RedisScript(read_settings({"REDIS_URL": url, "PENNYPOST_DATA_DIR": str(folder)}), text, "nobody waits")
    yield found
    await found.close()


async def test_requests_at_once_share_a_connection_and_get_their_own_answers(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    async with script(ECHO, redis_server.url, tmp_path) as echo:
        found = await asyncio.gather(*(echo.run([f"key{number}"], number) for number in range(200)))
        with redis.Redis.from_url(redis_server.url) as client:
            assert client.info("clients")["connected_clients"] == 2
    assert found == [[f"pennypost:key{number}".encode(), f"{number}".encode()] for number in range(200)]


async def test_a_request_that_is_cut_short_takes_nobodys_answer(redis_server: RedisServer, tmp_path: Path) -> None:
    async with script(ECHO, redis_server.url, tmp_path) as echo:
        await echo.run(["first"], 0)
        tasks = [asyncio.create_task(echo.run([f"key{number}"], number)) for number in range(9)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(found.pop(3), asyncio.CancelledError)
    assert [reply[1] for reply in found] == [b"0", b"1", b"2", b"4", b"5", b"6", b"7", b"8"]


async def test_a_redis_that_hangs_costs_one_tenth_of_a_second_once(redis_server: RedisServer, tmp_path: Path) -> None:
    async with script(ECHO, redis_server.url, tmp_path) as echo:
        await echo.run(["key"], 1)
        redis_server.freeze()
        try:
            began = time.monotonic()
            assert await asyncio.gather(*(echo.run(["key"], 1) for _ in range(9))) == [None] * 9
            assert 0.09 < time.monotonic() - began < 1.5
            began = time.monotonic()
            assert [await echo.run(["key"], 1) for _ in range(1000)] == [None] * 1000
            assert time.monotonic() - began < 0.9
        finally:
            redis_server.thaw()
        await asyncio.sleep(AWAY_SECONDS)
        assert await echo.run(["key"], 1) is not None


@pytest.mark.parametrize(("password", "is_right"), [("s3cret", True), ("wrong", False)])
async def test_it_signs_in_and_uses_its_own_database(tmp_path: Path, password: str, *, is_right: bool) -> None:
    port = free_port()
    with RedisServer("--port", str(port), "--requirepass", "s3cret"):
        async with script(SET, f"redis://:{password}@127.0.0.1:{port}/3", tmp_path) as there:
            assert await there.run(["key"]) == (b"OK" if is_right else None)
        with redis.Redis(port=port, password="s3cret", db=3) as client:
            assert client.exists("pennypost:key") == is_right


async def test_an_error_of_some_keys_leaves_the_others(redis_server: RedisServer, tmp_path: Path) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.set("pennypost:words", "no number")
        client.hset("pennypost:hash", "field", "1")
    async with script("return redis.call('INCR', KEYS[1])", redis_server.url, tmp_path) as count:
        found = [await count.run([key]) for key in ("count", "words", "hash", "count")]
        assert not count.is_away
    assert found == [1, None, None, 2]


def test_a_busy_loop_does_not_take_redis_for_dead(redis_server: RedisServer, tmp_path: Path) -> None:
    async def ask_while_busy() -> list[object]:
        async with script(ECHO, redis_server.url, tmp_path) as echo:
            replies = []
            for is_first in (True, False):  # which connects, and does not
                asking = asyncio.create_task(echo.run(["key"], 1))
                for _ in range(3 if is_first else 1):
                    await asyncio.sleep(0)
                    time.sleep(0.3)  # noqa: ASYNC251 - that is the point: nothing else runs meanwhile
                replies.append(await asking)
            return replies

    assert None not in uvloop.run(ask_while_busy())  # whose timers come before what has arrived
