"""Turns at something of which there is little: shared out among callers, and taken back from who is slow meanwhile."""

import asyncio
from collections.abc import Callable
from time import monotonic

from webapp.fair_slots import FairSlot, FairSlots

LOOK_SECONDS = 1.0  # between two looks of those that wait for who is slow
PATIENCE_SECONDS = 5.0  # that a sender may be waited for before it can be called slow
SLOW_BYTES = 256 * 1024  # a second


class Turn(FairSlot):
    """What one request has of its turns: who is behind it, and how fast its sender is."""

    def __init__(self, caller: str, end: Callable[[], None]) -> None:
        """`end` is called when the turn is taken back; it must neither wait nor fail."""
        super().__init__(caller)
        self.end = end
        self._size, self._seconds = 0, 0.0  # that came, and that its sender was waited for
        self._waits_since: float | None = None

    def wait(self) -> None:
        """From now on it is its sender who is waited for."""
        self._waits_since = monotonic()

    def come(self, size: int) -> None:
        """So many bytes have come, and are worked on; who sent them is not blamed for the time that takes."""
        self._size, self._seconds, self._waits_since = self._size + size, self.seconds, None

    @property
    def seconds(self) -> float:
        """How long its sender has been waited for."""
        return self._seconds + (0.0 if self._waits_since is None else monotonic() - self._waits_since)

    @property
    def pace(self) -> float:
        """Bytes a second of its sender."""
        return self._size / max(self.seconds, 0.001)

    @property
    def is_slow(self) -> bool:
        """Whether its sender, who is waited for, keeps others waiting."""
        return self._waits_since is not None and self.seconds > PATIENCE_SECONDS and self.pace < SLOW_BYTES


class Turns(FairSlots[Turn]):
    """Slots of which the slowest sender's is taken back while others wait and none comes free."""

    async def _until(self, granted: "asyncio.Future[None]") -> None:
        while not granted.done():
            await asyncio.wait({granted}, timeout=LOOK_SECONDS)
            if not granted.done():
                self._take_back()

    def _take_back(self) -> None:
        slow = [turn for turn in self._held if turn.is_slow]
        if slow and self.locked():
            slowest = min(slow, key=lambda turn: turn.pace)
            self.release(slowest)
            slowest.end()
