"""A limited number of slots for concurrent work, shared fairly among callers."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from webapp.errors import Busy

RETRY_SECONDS = 5


class FairSlot:
    def __init__(self, caller: Hashable) -> None:
        self.caller = caller


S = TypeVar("S", bound=FairSlot)


class FairSlots(Generic[S]):
    """Grants the next slot to the caller with the fewest slots, then to the one served longest ago."""

    def __init__(self, limit: int, limit_each: int | None = None, limit_waiting: int | None = None) -> None:
        self._limit, self._limit_each = limit, limit if limit_each is None else limit_each
        self._limit_waiting = limit_waiting
        self._held: list[S] = []
        self._counts = Counter[Hashable]()  # of held slots by caller
        self._waiting: dict[S, asyncio.Future[None]] = {}  # the longest waiting first
        self._served: dict[Hashable, int] = {}  # the number of the last slot of each caller present
        self._number = 0

    def locked(self) -> bool:
        return len(self._held) >= self._limit

    async def acquire(self, slot: S) -> None:
        """Raises Busy if the caller already waits for `limit_waiting` slots."""
        if not self._waiting and not self.locked() and self._counts[slot.caller] < self._limit_each:
            self._hold(slot)
            return
        if self._count_waiting(slot.caller) == self._limit_waiting:
            raise Busy("too many requests of this organization are waiting; try again in a moment", RETRY_SECONDS)
        self._waiting[slot] = granted = asyncio.get_running_loop().create_future()
        self._hand_out()
        try:
            await self._until(granted)
        except BaseException:
            self.release(slot)
            raise

    async def _until(self, granted: "asyncio.Future[None]") -> None:
        await granted

    def release(self, slot: S) -> None:
        if slot in self._held:
            self._held.remove(slot)
            self._counts[slot.caller] -= 1
        else:
            self._waiting.pop(slot, None)
        if not self._counts[slot.caller] and not self._count_waiting(slot.caller):
            del self._counts[slot.caller]
            self._served.pop(slot.caller, None)
        self._hand_out()

    def _count_waiting(self, caller: Hashable) -> int:
        return sum(slot.caller == caller for slot in self._waiting)

    def _hold(self, slot: S) -> None:
        self._held.append(slot)
        self._counts[slot.caller] += 1
        self._number += 1
        self._served[slot.caller] = self._number

    def _hand_out(self) -> None:
        while not self.locked() and (chosen := self._next()) is not None:
            granted = self._waiting.pop(chosen)
            self._hold(chosen)
            if not granted.done():  # else the waiting task was cancelled, and releases the slot
                granted.set_result(None)

    def _next(self) -> S | None:
        entitled = [slot for slot in self._waiting if self._counts[slot.caller] < self._limit_each]
        return min(entitled, key=self._rank, default=None)

    def _rank(self, slot: S) -> tuple[int, int]:
        return self._counts[slot.caller], self._served.get(slot.caller, 0)


@asynccontextmanager
async def slot_of(
    slots: FairSlots[FairSlot], caller: Hashable, wait_seconds: float | None = None
) -> AsyncIterator[None]:
    """Raises Busy after `wait_seconds`, or if `acquire` does."""
    slot = FairSlot(caller)
    try:
        async with asyncio.timeout(wait_seconds):
            await slots.acquire(slot)
    except TimeoutError:
        raise Busy("the server is busy with other requests; try again in a moment", RETRY_SECONDS) from None
    try:
        yield
    finally:
        slots.release(slot)
