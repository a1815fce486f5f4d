"""What the tests of faults need of the machine."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.conftest import free_port
from tests.fakes.postgres_server import PostgresServer, folder_for_postgres, programs
from tests.fakes.redis_server import RedisServer


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Leave out what needs a PostgreSQL of its own, or its tools, where there is none."""
    absent = set()
    if programs() is None:
        absent.add("own_postgres")
    if config.getoption("--database") == "postgres" and shutil.which("pg_dump") is None:
        absent.add("database_tools")
    needs = [item for item in items if absent & set(item.fixturenames)]
    if needs:
        config.hook.pytest_deselected(items=needs)
        items[:] = [item for item in items if item not in needs]


@pytest.fixture
async def own_postgres() -> AsyncIterator[PostgresServer]:
    """A PostgreSQL of the test's own."""
    with folder_for_postgres() as folder:
        async with PostgresServer(Path(folder), free_port()) as server:
            yield server


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own, which can be stopped, frozen and filled up."""
    with RedisServer() as server:
        yield server
