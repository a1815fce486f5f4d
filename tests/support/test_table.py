"""A table fails with every row that it does not hold for."""

import asyncio

import pytest

from tests.support.table import table


@pytest.fixture
def limit() -> int:
    return 2


@table("number", [1, 3, 4])
def below(number: int, limit: int) -> None:
    assert number < limit


@table("left", [1, 2])
@table(("middle", "right"), [(1, 2), (2, 3)])
async def equals(left: int, middle: int, right: int) -> None:
    if left != middle:
        pytest.fail(f"{right} beside them")


@table("number", [0, 1])
def test_rows_that_hold_share_the_fixtures(number: int, limit: int) -> None:
    assert number < limit


def test_each_row_that_does_not_hold_is_named() -> None:
    with pytest.raises(ExceptionGroup, match="2 of 3 rows") as failed:
        below(limit=2)
    assert [one.__notes__ for one in failed.value.exceptions] == [["the row: number=3"], ["the row: number=4"]]


def test_two_tables_are_every_pair_and_what_pytest_fails_with_is_a_failure() -> None:
    with pytest.raises(BaseExceptionGroup, match="2 of 4 rows") as failed:
        asyncio.run(equals())
    notes = [one.__notes__ for one in failed.value.exceptions]
    assert notes == [["the row: left=1, middle=2, right=3"], ["the row: left=2, middle=1, right=2"]]


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        table("number", [])(below)
