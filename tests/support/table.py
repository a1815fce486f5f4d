"""Cases as the rows of a table that is one test: as a test each they would cost more than what they call."""

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

Case = Callable[..., Any]
Row = dict[str, Any]


def table(columns: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Case], Case]:
    """Calls the test with each row, and fails with every row that it fails with.

    Written like `pytest.mark.parametrize`; two of them are each row of the one beside each of the other. The rows share
    the fixtures that the test asks for, so it is for cases that leave nothing behind.
    """
    names = (columns,) if isinstance(columns, str) else columns
    cells = [(row,) if isinstance(columns, str) else row for row in rows]
    return partial(_with_rows, [dict(zip(names, row, strict=True)) for row in cells])


def _with_rows(added: list[Row], test: Case) -> Case:
    case, own = getattr(test, "case_and_rows", (test, [{}]))
    rows: list[Row] = [row | other for row, other in itertools.product(added, own)]
    assert rows, "a table without rows asserts nothing"
    run = _async_test(case, rows) if inspect.iscoroutinefunction(case) else _test(case, rows)
    fixtures = [one for name, one in inspect.signature(case).parameters.items() if name not in rows[0]]
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(run, name, getattr(case, name))
    run.__dict__ |= case.__dict__ | {
        "case_and_rows": (case, rows),
        "__wrapped__": case,  # where pytest looks for the file and the line
        "__signature__": inspect.Signature(fixtures),
    }
    return run


def _test(case: Case, rows: list[Row]) -> Case:
    def run(*args: Any, **fixtures: Any) -> None:
        with _failures(rows) as failures:
            for row in rows:
                with failures.of(row):
                    case(*args, **fixtures, **row)

    return run


def _async_test(case: Case, rows: list[Row]) -> Case:
    async def run(*args: Any, **fixtures: Any) -> None:
        with _failures(rows) as failures:
            for row in rows:
                with failures.of(row):
                    await case(*args, **fixtures, **row)

    return run


class _Failures:
    """The failures of rows."""

    def __init__(self) -> None:
        self.found: list[BaseException] = []

    @contextmanager
    def of(self, row: Row) -> Iterator[None]:
        """Catches what the test fails with for this row."""
        try:
            yield
        except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - it is raised with those of the other rows
            failure.add_note(f"the row: {', '.join(f'{name}={cell!r}' for name, cell in row.items())}")
            self.found.append(failure)


@contextmanager
def _failures(rows: list[Row]) -> Iterator[_Failures]:
    """Raises at the end what was caught, all of it."""
    failures = _Failures()
    yield failures
    if failures.found:
        raise BaseExceptionGroup(f"{len(failures.found)} of {len(rows)} rows", failures.found)
