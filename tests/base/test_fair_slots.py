"""Slots go to callers, not to connections."""

import asyncio

import pytest

from webapp.fair_slots import FairSlot, FairSlots


async def begin(slots: FairSlots[FairSlot], slot: FairSlot) -> "asyncio.Task[None]":
    task = asyncio.create_task(slots.acquire(slot))
    await asyncio.sleep(0)
    return task


async def test_a_caller_with_many_connections_gets_every_other_turn() -> None:
    slots, holding = FairSlots[FairSlot](1), FairSlot("many")
    await slots.acquire(holding)
    waiting = [FairSlot("many") for _ in range(5)] + [FairSlot("one"), FairSlot("two"), FairSlot("one")]
    tasks = [await begin(slots, one) for one in waiting]
    order = []
    for _ in waiting:
        slots.release(holding)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (holding,) = [one for one, task in zip(waiting, tasks, strict=True) if task.done() and one not in order]
        order.append(holding)
    assert [one.caller for one in order] == ["one", "two", "many", "one", "many", "many", "many", "many"]


async def test_two_callers_with_a_hundred_connections_do_not_keep_a_third_one_out() -> None:
    slots = FairSlots[FairSlot](2)
    held = [FairSlot("a"), FairSlot("b")]
    for one in held:
        await slots.acquire(one)
    for number in range(200):
        await begin(slots, FairSlot("ab"[number % 2]))
    task = await begin(slots, FairSlot("c"))
    slots.release(held[0])
    await asyncio.wait_for(task, 1)


async def test_who_stops_waiting_takes_no_turn_along() -> None:
    slots, holding, gone = FairSlots[FairSlot](1), FairSlot("a"), FairSlot("b")
    await slots.acquire(holding)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await slots.acquire(gone)
    task = await begin(slots, FairSlot("c"))
    slots.release(holding)
    await asyncio.wait_for(task, 1)
    slots.release(gone)  # once more
    assert slots.locked()
