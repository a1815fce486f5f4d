"""Slots go to callers, not to connections."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

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


@settings(max_examples=50)
@given(st.integers(1, 4), st.integers(1, 3), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=60))
async def test_nobody_has_more_than_a_share_and_no_slot_stays_free(
    most: int, most_each: int, steps: list[tuple[int, int]]
) -> None:
    slots, tasks = FairSlots[FairSlot](most, most_each), dict[FairSlot, asyncio.Task[None]]()
    for caller, choice in steps:
        if choice < 6 or not tasks:
            slot = FairSlot(caller)
            tasks[slot] = await begin(slots, slot)
        else:  # one that holds a slot ends, or one that waits gives up
            slot = list(tasks)[choice % len(tasks)]
            task = tasks.pop(slot)
            if task.done():
                slots.release(slot)
            else:
                task.cancel()
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        held = [slot.caller for slot, task in tasks.items() if task.done()]
        waiting = {slot.caller for slot, task in tasks.items() if not task.done()}
        assert len(held) <= most
        assert all(held.count(one) <= most_each for one in range(3))
        assert len(held) == most or all(held.count(one) == most_each for one in waiting)
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
