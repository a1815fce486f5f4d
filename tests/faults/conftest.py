"""What the tests of faults need of the machine."""

import shutil

import pytest

from tests.fakes.postgres_server import programs


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
