"""Figures that a run measured: a fixture takes them, the end of the run prints them as a table."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.postgres_server import programs

Figures = Callable[[str, float, str], None]
KEY = "figure"


@pytest.fixture
def figures(record_property: Callable[[str, Any], None]) -> Figures:
    """Call it with what was measured, the figure, and the bound that it is held against, in words."""

    def note(what: str, figure: float, bound: str) -> None:
        record_property(KEY, (what, round(figure, 3), bound))

    return note


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Leave out what needs a PostgreSQL of its own where none can be started."""
    needs = [item for item in items if "own_postgres" in item.fixturenames]
    if needs and programs() is None:
        config.hook.pytest_deselected(items=needs)
        items[:] = [item for item in items if item not in needs]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    rows = [("test", "measured", "figure", "bound")]
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        if report.when == "call":
            name = report.nodeid.rpartition("::")[2]
            rows += [(name, what, f"{figure:g}", bound) for key, (what, figure, bound) in found(report)]
    if len(rows) > 1:
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        terminalreporter.section("figures")
        for row in rows:
            terminalreporter.line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


def found(report: Any) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in report.user_properties if key == KEY]
