"""What the tests of faults need of the machine."""

import pytest

from tests.fakes.postgres_server import programs


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Leave out what needs a PostgreSQL of its own where none can be started."""
    needs = [item for item in items if "own_postgres" in item.fixturenames]
    if needs and programs() is None:
        config.hook.pytest_deselected(items=needs)
        items[:] = [item for item in items if item not in needs]
