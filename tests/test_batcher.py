"""Many who ask at once share one call, and each has their own answer."""

import asyncio
from collections.abc import Sequence

import pytest

from webapp.batcher import Batcher


class Calls:
    """Doubles numbers once it is told to go on; 13 is refused, and 99 fails the whole call."""

    def __init__(self, most: int = 100) -> None:
        self.asked: list[tuple[str, list[int]]] = []
        self.go_on = asyncio.Event()
        self.batcher: Batcher[str, int, int] = Batcher(self.call, most)

    async def call(self, key: str, numbers: Sequence[int]) -> list[int | Exception]:
        self.asked.append((key, list(numbers)))
        await self.go_on.wait()
        if 99 in numbers:
            raise ConnectionError
        return [ValueError(number) if number == 13 else 2 * number for number in numbers]

    def ask(self, number: int, key: str = "a") -> "asyncio.Task[int]":
        return asyncio.create_task(self.batcher.ask(key, number))


async def test_the_first_waits_for_nobody_and_those_who_come_meanwhile_share_the_next_call() -> None:
    calls = Calls()
    first = calls.ask(1)
    await asyncio.sleep(0.01)
    others = [calls.ask(number) for number in (2, 3, 4)]
    await asyncio.sleep(0.01)
    assert calls.asked == [("a", [1])]
    calls.go_on.set()
    assert await asyncio.gather(first, *others) == [2, 4, 6, 8]
    assert calls.asked == [("a", [1]), ("a", [2, 3, 4])]


async def test_no_call_has_more_than_the_most_and_no_key_waits_for_another() -> None:
    calls = Calls(most=2)
    tasks = [calls.ask(number) for number in (1, 2, 3)] + [calls.ask(5, "b")]
    await asyncio.sleep(0.01)
    assert calls.asked == [("a", [1, 2]), ("b", [5])]
    calls.go_on.set()
    assert await asyncio.gather(*tasks) == [2, 4, 6, 10]
    assert await calls.batcher.ask("a", 7) == 14  # also after all have been answered


async def test_a_refusal_is_its_own_callers_and_a_failed_call_everybodys() -> None:
    calls = Calls()
    calls.go_on.set()
    one, refused, other = await asyncio.gather(calls.ask(1), calls.ask(13), calls.ask(2), return_exceptions=True)
    assert (one, other) == (2, 4)
    assert isinstance(refused, ValueError)
    failed = await asyncio.gather(calls.ask(1), calls.ask(99), return_exceptions=True)
    assert [type(error) for error in failed] == [ConnectionError] * 2
    assert await calls.batcher.ask("a", 3) == 6


async def test_a_caller_who_leaves_takes_no_answer_with_them() -> None:
    calls = Calls()
    leaving, staying = calls.ask(1), calls.ask(2)
    await asyncio.sleep(0.01)
    leaving.cancel()
    calls.go_on.set()
    assert await staying == 4
    with pytest.raises(asyncio.CancelledError):
        await leaving
