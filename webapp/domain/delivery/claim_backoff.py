"""Accounts whose claims gave nothing although something of theirs is due.

Another worker has locked their quota, or a message that is to go alone waits until others have gone.
"""

import math
from uuid import UUID

from webapp import clock

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds: another worker's claim is over soon, a lock that is held is not


class ClaimBackoff:
    """Asks each of them less and less often, or others would wait for all that asking."""

    def __init__(self) -> None:
        self._pauses: dict[UUID, tuple[float, float]] = {}  # the pause and its end, by the account
        self._now = clock.elapsed()
        self._next_at = math.inf

    def begin_round(self, due: set[UUID]) -> None:
        """Begins a round over these accounts, and forgets all others; all that are asked in a round pause together."""
        self._now = clock.elapsed()
        self._pauses = {one: pause for one, pause in self._pauses.items() if one in due}
        self._next_at = math.inf

    def is_due(self, account_id: UUID) -> bool:
        """True when it is time to ask this account."""
        end = self._pauses.get(account_id, (0.0, 0.0))[1]
        if end <= self._now:
            return True
        self._next_at = min(self._next_at, end)
        return False

    def record(self, account_id: UUID, *, found_work: bool) -> None:
        """Records that it was asked."""
        if found_work:
            self._pauses.pop(account_id, None)
            return
        pause = min(2 * self._pauses.get(account_id, (FIRST_PAUSE / 2, 0.0))[0], LONGEST_PAUSE)
        end = self._now + pause
        self._pauses[account_id] = (pause, end)
        self._next_at = min(self._next_at, end)

    def seconds(self, most: float) -> float:
        """Seconds until one that was not asked in this round, or gave nothing, is due again; `most` at most."""
        return min(most, max(0.0, self._next_at - clock.elapsed()))
