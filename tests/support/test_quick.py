"""Sleeps and processes are found in the helpers and fixtures of a test too."""

import asyncio
import subprocess
from types import FunctionType

import pytest

from tests import factories
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.support.quick import is_slow


async def waits() -> bool:
    await asyncio.sleep(1)
    return True


async def waits_by_a_helper() -> None:
    await eventually(waits)


async def waits_by_a_function_inside() -> None:
    async def inside() -> None:
        await waits_by_a_helper()

    await inside()


def starts_a_process() -> None:
    subprocess.run(["true"], check=True)


def starts_a_server() -> None:
    RedisServer()


async def asks_a_server_to_take_its_time() -> None:
    async with SmtpServer() as server:
        server.delay("DATA", 1)


async def asks_a_server() -> None:
    async with SmtpServer() as server:
        server.refuse("ada@example.org")


async def makes_a_row() -> None:
    await factories.make_org()


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (waits, True),
        (waits_by_a_helper, True),
        (waits_by_a_function_inside, True),
        (starts_a_process, True),
        (starts_a_server, True),
        (asks_a_server_to_take_its_time, True),
        (asks_a_server, False),
        (makes_a_row, False),
    ],
)
def test_what_waits_or_starts_a_process_is_slow(test: FunctionType, *, expected: bool) -> None:
    assert is_slow(test) == expected
