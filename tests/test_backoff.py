"""Work that fails is tried after pauses that grow."""

import logging

from webapp.backoff import Backoff


async def fail() -> None:
    raise ValueError("no")


async def succeed() -> None:
    pass


async def test_pauses_double_up_to_the_longest_and_begin_anew_after_a_success() -> None:
    backoff: Backoff[str] = Backoff(logging.getLogger("tests.backoff"), "reading", first=1, longest=60)
    pauses = [await backoff.attempt("a", fail) for _ in range(9)]
    for pause, middle in zip(pauses, (1, 2, 4, 8, 16, 32, 60, 60, 60), strict=True):
        assert 0.8 * middle <= pause <= 1.2 * middle
    assert not backoff.is_due("a")
    assert backoff.is_due("b")
    assert await backoff.attempt("a", succeed) == 0
    assert backoff.is_due("a")
    assert await backoff.attempt("a", fail) < 2
