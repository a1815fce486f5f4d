"""Work that fails is tried after pauses that grow, with one traceback."""

import logging

import pytest

from webapp.backoff import Backoff


async def fail() -> None:
    raise ValueError("no")


async def succeed() -> None:
    pass


@pytest.fixture
def backoff() -> Backoff[str]:
    return Backoff(logging.getLogger("tests.backoff"), "reading", first=1, longest=60)


async def test_pauses_double_up_to_the_longest_and_begin_anew_after_a_success(backoff: Backoff[str]) -> None:
    pauses = [await backoff.attempt("a", fail) for _ in range(9)]
    for pause, middle in zip(pauses, (1, 2, 4, 8, 16, 32, 60, 60, 60), strict=True):
        assert 0.8 * middle <= pause <= 1.2 * middle
    assert not backoff.is_due("a")
    assert backoff.is_due("b")
    assert await backoff.attempt("a", succeed) == 0
    assert backoff.is_due("a")
    assert await backoff.attempt("a", fail) < 2


async def test_one_traceback_is_logged_then_a_line_for_each_failure_and_one_for_the_end(
    backoff: Backoff[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(3):
        await backoff.attempt("a", fail)
    await backoff.attempt("a", succeed)
    await backoff.attempt("a", succeed)
    assert [record.exc_info is not None for record in caplog.records] == [True, False, False, False]
    first, second, third, last = (record.getMessage() for record in caplog.records)
    assert first.startswith("reading failed, next try in ")
    assert second.startswith("reading failed again, 2 times in a row, next try in ")
    assert third.endswith("s: ValueError: no")
    assert last == "reading works again after 3 failures"
