"""Turns go to callers, not to connections, and no slow sender keeps others from them."""

import asyncio
from collections.abc import Callable

import pytest

from webapp.http.body.slots import Turn, Turns


def nothing() -> None:
    """What is done about a turn that is taken back, where none is."""


def turn_of(caller: str, end: Callable[[], None] = nothing) -> Turn:
    return Turn(caller, end)


async def begin(turns: Turns, turn: Turn) -> "asyncio.Task[None]":
    task = asyncio.create_task(turns.acquire(turn))
    await asyncio.sleep(0)
    return task


async def test_a_caller_with_many_connections_gets_every_other_turn() -> None:
    turns, holding = Turns(1), turn_of("many")
    await turns.acquire(holding)
    waiting = [turn_of("many") for _ in range(5)] + [turn_of("one"), turn_of("two"), turn_of("one")]
    tasks = [await begin(turns, one) for one in waiting]
    order = []
    for _ in waiting:
        turns.release(holding)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (holding,) = [one for one, task in zip(waiting, tasks, strict=True) if task.done() and one not in order]
        order.append(holding)
    assert [one.caller for one in order] == ["one", "two", "many", "one", "many", "many", "many", "many"]


async def test_two_callers_with_a_hundred_connections_do_not_keep_a_third_one_out() -> None:
    turns = Turns(2)
    held = [turn_of("a"), turn_of("b")]
    for one in held:
        await turns.acquire(one)
    for number in range(200):
        await begin(turns, turn_of("ab"[number % 2]))
    task = await begin(turns, turn_of("c"))
    turns.release(held[0])
    await asyncio.wait_for(task, 1)


async def test_who_stops_waiting_takes_no_turn_along() -> None:
    turns, holding, gone = Turns(1), turn_of("a"), turn_of("b")
    await turns.acquire(holding)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await turns.acquire(gone)
    task = await begin(turns, turn_of("c"))
    turns.release(holding)
    await asyncio.wait_for(task, 1)
    turns.release(gone)  # once more
    assert turns.locked()


async def test_a_turn_that_is_worked_on_is_not_slow_however_long_that_takes() -> None:
    turn = turn_of("a")
    turn.wait()
    turn.come(10)
    assert (turn.is_slow, turn.pace > 0) == (False, True)
