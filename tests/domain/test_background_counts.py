"""Counts behind pages: a quick one is waited for, a slow one goes on without its page, and nobody makes it twice."""

import asyncio

import pytest

from tests.fakes.worker import eventually
from tests.faults.support.world import until
from webapp.domain.background_counts import BackgroundCount


async def quick() -> int:
    return 3


async def never() -> int:
    raise AssertionError("it is known, or being counted")


async def test_a_slow_count_is_made_once_for_all_who_ask_and_known_afterwards() -> None:
    counts, may_end, times = BackgroundCount[str, int]("rows"), asyncio.Event(), list[int]()

    async def slow() -> int:
        times.append(1)
        await may_end.wait()
        return 7

    async def is_known() -> bool:
        return await counts.get("a", never) == 7

    assert await asyncio.gather(*[counts.get("a", slow) for _ in range(20)]) == [None] * 20
    assert await counts.get("b", quick) == 3  # what else is counted does not wait for it
    may_end.set()
    await eventually(is_known)
    assert len(times) == 1
    assert await counts.get("a", quick) == 7  # for a while


async def test_a_count_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    counts, may_end = BackgroundCount[str, int]("rows"), asyncio.Event()

    async def fail() -> int:
        await may_end.wait()
        raise LookupError

    assert await counts.get("a", fail) is None
    may_end.set()
    await until(lambda: "rows could not be counted" in caplog.text)
    with pytest.raises(LookupError):
        await counts.get("a", fail)
    assert await counts.get("a", quick) == 3
