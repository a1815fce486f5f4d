"""Accounts that gave nothing although something of theirs is due: for who knows how long.

Somebody else has their day, or a mail that is to go alone waits until others have gone.
"""

import math
from uuid import UUID

from webapp import clock

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds: another worker's claim is over soon, a lock that is held is not


class Backoff:
    """When each of them may be asked again: later and later, or others would wait for all that asking."""

    def __init__(self) -> None:
        """Ask everybody."""
        self._kept: dict[UUID, tuple[float, float]] = {}  # the pause and its end, by the account
        self._now = clock.elapsed()
        self._next_at = math.inf

    def begin(self, due: set[UUID]) -> None:
        """Begin a round over these accounts, and forget all others; who is asked in one round pauses as one."""
        self._now = clock.elapsed()
        self._kept = {one: kept for one, kept in self._kept.items() if one in due}
        self._next_at = math.inf

    def may_ask(self, account_id: UUID) -> bool:
        """Whether it is time to ask this account."""
        end = self._kept.get(account_id, (0.0, 0.0))[1]
        if end <= self._now:
            return True
        self._next_at = min(self._next_at, end)
        return False

    def note(self, account_id: UUID, *, has_given: bool) -> None:
        """It was asked, and has given something or nothing."""
        if has_given:
            self._kept.pop(account_id, None)
            return
        pause = min(2 * self._kept.get(account_id, (FIRST_PAUSE / 2, 0.0))[0], LONGEST_PAUSE)
        end = self._now + pause
        self._kept[account_id] = (pause, end)
        self._next_at = min(self._next_at, end)

    def seconds(self, most: float) -> float:
        """How long there is to wait for one that was not asked in this round, or gave nothing; `most` at most."""
        return min(most, max(0.0, self._next_at - clock.elapsed()))
