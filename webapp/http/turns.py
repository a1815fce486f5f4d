"""Turns at something of which there is little: shared out among callers, and taken back from who is slow meanwhile."""

import asyncio
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

LOOK_SECONDS = 1.0  # between two looks of those that wait for who is slow
PATIENCE_SECONDS = 5.0  # that a sender may be waited for before it can be called slow
SLOW_BYTES = 256 * 1024  # a second


class Turn:
    """What one request has of its turns: who is behind it, and how fast its sender is."""

    def __init__(self, caller: str, end: Callable[[], None]) -> None:
        """`end` is called when the turn is taken back; it must neither wait nor fail."""
        self.caller, self.end = caller, end
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


class _Waiting(NamedTuple):
    turn: Turn
    came: "asyncio.Future[None]"


class Turns:
    """So many turns at once. The next is of the caller who has the fewest of them, and was served longest ago.

    So a caller with a hundred connections is no more to one with a single one than a second caller.
    """

    def __init__(self, most: int) -> None:
        """All are free."""
        self._most = most
        self._held: list[Turn] = []
        self._waiting: list[_Waiting] = []
        self._served: dict[str, int] = {}  # of callers who hold or wait: the number of the turn they had last
        self._number = 0

    def locked(self) -> bool:
        """Whether none is free."""
        return len(self._held) >= self._most

    async def take(self, turn: Turn) -> None:
        """Wait for one. While nobody gives one back, the slowest sender's is taken back."""
        waiting = _Waiting(turn, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._hand_out()
        try:
            while not waiting.came.done():
                await asyncio.wait({waiting.came}, timeout=LOOK_SECONDS)
                if not waiting.came.done():
                    self._take_back()
        except BaseException:
            self.give_back(turn)
            raise

    def give_back(self, turn: Turn) -> None:
        """Let others have it; nothing where it is neither held nor waited for."""
        self._waiting = [one for one in self._waiting if one.turn is not turn]
        self._held = [one for one in self._held if one is not turn]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and not self.locked():
            chosen = self._next()
            self._waiting.remove(chosen)
            self._held.append(chosen.turn)
            self._number += 1
            self._served[chosen.turn.caller] = self._number
            chosen.came.set_result(None)
        there = {turn.caller for turn in self._held} | {one.turn.caller for one in self._waiting}
        self._served = {caller: number for caller, number in self._served.items() if caller in there}

    def _next(self) -> _Waiting:
        """Whose turn is next; the first of equals."""
        held = Counter(turn.caller for turn in self._held)
        return min(self._waiting, key=lambda one: (held[one.turn.caller], self._served.get(one.turn.caller, 0)))

    def _take_back(self) -> None:
        slow = [turn for turn in self._held if turn.is_slow]
        if slow and self.locked():
            slowest = min(slow, key=lambda turn: turn.pace)
            self.give_back(slowest)
            slowest.end()
