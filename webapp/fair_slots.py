"""Slots for what only a few may do at once, shared out fairly among callers."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Generic, NamedTuple, TypeVar


class FairSlot:
    def __init__(self, caller: Hashable) -> None:
        self.caller = caller


S = TypeVar("S", bound=FairSlot)


class _Waiting(NamedTuple, Generic[S]):
    slot: S
    granted: "asyncio.Future[None]"


class FairSlots(Generic[S]):
    """Grants the next slot to the caller with the fewest, and of those to the one served longest ago."""

    def __init__(self, most: int, most_each: int | None = None) -> None:
        self._most, self._most_each = most, most if most_each is None else most_each
        self._held: list[S] = []
        self._waiting: list[_Waiting[S]] = []
        self._served: dict[Hashable, int] = {}  # the number of the last slot of each caller present
        self._number = 0

    def locked(self) -> bool:
        return len(self._held) >= self._most

    async def acquire(self, slot: S) -> None:
        waiting = _Waiting(slot, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._hand_out()
        try:
            await self._until(waiting.granted)
        except BaseException:
            self.release(slot)
            raise

    async def _until(self, granted: "asyncio.Future[None]") -> None:
        await granted

    def release(self, slot: S) -> None:
        self._waiting = [one for one in self._waiting if one.slot is not slot]
        self._held = [one for one in self._held if one is not slot]
        self._hand_out()

    def _hand_out(self) -> None:
        while not self.locked() and (chosen := self._next()) is not None:
            self._waiting.remove(chosen)
            self._held.append(chosen.slot)
            self._number += 1
            self._served[chosen.slot.caller] = self._number
            if not chosen.granted.done():  # else cancelled, and that task releases it
                chosen.granted.set_result(None)
        there = {slot.caller for slot in self._held} | {one.slot.caller for one in self._waiting}
        self._served = {caller: number for caller, number in self._served.items() if caller in there}

    def _next(self) -> _Waiting[S] | None:
        held = Counter(slot.caller for slot in self._held)
        entitled = [one for one in self._waiting if held[one.slot.caller] < self._most_each]
        if not entitled:
            return None
        return min(entitled, key=lambda one: (held[one.slot.caller], self._served.get(one.slot.caller, 0)))


@asynccontextmanager
async def slot_of(slots: FairSlots[FairSlot], caller: Hashable) -> AsyncIterator[None]:
    slot = FairSlot(caller)
    await slots.acquire(slot)
    try:
        yield
    finally:
        slots.release(slot)
