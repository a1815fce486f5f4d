"""Figures that tests measure and hold to their bounds, which the end of a run prints as a table.

A test of a fault is named after its number in the table of faults: `test_f01_...`.
"""

import json
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict, Unpack

import pytest

KEY = "figure"
NUMBER = re.compile(r"test_f(\d\d)_")
HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "exactly": operator.eq,
    "at_least": operator.ge,
    "at_most": operator.le,
    "below": operator.lt,
}
SIGNS = {"exactly": "", "at_least": ">= ", "at_most": "<= ", "below": "< "}


class Bounds(TypedDict, total=False):
    """What a figure is held to; all that are given hold."""

    exactly: float
    at_least: float
    at_most: float
    below: float


class Figure(NamedTuple):
    """What was measured where, and what it was held to."""

    test: str
    what: str
    measured: float
    bound: str

    @property
    def fault(self) -> int:
        """The number of the fault that the test is about, 0 where it is about none."""
        return fault_of(self.test)


class Figures:
    """Call it with what was measured, the figure and its bounds: a bound that is missed fails the test."""

    def __init__(self, note: Callable[[str, object], None]) -> None:
        self._note = note

    def __call__(self, what: str, measured: float, **bounds: Unpack[Bounds]) -> None:
        assert bounds, "a figure without a bound says nothing"
        words = ", ".join(f"{SIGNS[name]}{bound:g}" for name, bound in bounds.items())
        is_kept = all(HOLDS[name](measured, bound) for name, bound in bounds.items())
        self._note(KEY, json.dumps([what, round(measured, 3), words]))
        assert is_kept, f"{what}: {measured:g}, where {words} is promised"


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Figures:
    return Figures(record_property)


def fault_of(test: str) -> int:
    """The number of the fault that a test of this name is about, 0 where it is about none."""
    found = NUMBER.search(test)
    return int(found[1]) if found else 0


def read(test: str, value: str) -> Figure:
    """A figure as a test of this name noted it."""
    return Figure(test, *json.loads(value))


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a table; each column is as wide as its longest cell."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    ]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [one for outcome in ("passed", "failed") for one in terminalreporter.getreports(outcome)]
    found = [
        read(report.nodeid.rpartition("::")[2], value)
        for report in reports
        if report.when == "call"
        for key, value in report.user_properties
        if key == KEY
    ]
    if found:
        terminalreporter.section("figures")
        rows = [[one.test, one.what, f"{one.measured:g}", one.bound] for one in sorted(found)]
        for line in table(["test", "what", "figure", "bound"], rows):
            terminalreporter.line(line)
