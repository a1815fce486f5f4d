"""Counts behind pages: a quick one is waited for, a slow one goes on without its page, and nobody makes it twice."""

import asyncio

import pytest

from tests.fakes.worker import eventually
from webapp.domain.background_counts import BackgroundCount


class Slow:
    """A count that ends when it is told to."""

    def __init__(self, found: int = 7) -> None:
        self.found, self.times, self.may_end = found, 0, asyncio.Event()

    async def count(self) -> int:
        self.times += 1
        await self.may_end.wait()
        if self.found < 0:
            raise LookupError
        return self.found


async def quick() -> int:
    return 3


async def test_a_slow_count_is_made_once_for_all_who_ask_and_known_afterwards() -> None:
    counts, slow = BackgroundCount[str, int]("rows"), Slow()
    assert await asyncio.gather(*[counts.get("a", slow.count) for _ in range(20)]) == [None] * 20
    assert await counts.get("b", quick) == 3  # what else is counted does not wait for it
    slow.may_end.set()
    await eventually(lambda: is_known(counts, "a", 7))
    assert slow.times == 1
    assert await counts.get("a", quick) == 7  # for a while


async def test_a_count_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    counts, slow = BackgroundCount[str, int]("rows"), Slow(found=-1)
    assert await counts.get("a", slow.count) is None
    slow.may_end.set()
    await eventually(lambda: is_logged(caplog))
    with pytest.raises(LookupError):
        await counts.get("a", slow.count)
    assert await counts.get("a", quick) == 3


async def is_known(counts: BackgroundCount[str, int], key: str, wanted: int) -> bool:
    return await counts.get(key, never) == wanted


async def never() -> int:
    raise AssertionError("it is known, or being counted")


async def is_logged(caplog: pytest.LogCaptureFixture) -> bool:
    return "rows could not be counted" in caplog.text
