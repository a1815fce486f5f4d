"""Backoff for accounts whose claims gave nothing: their quota is locked by another worker, or a suspect waits."""

import math
from uuid import UUID

from webapp import clock

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds: another worker's claim is over soon, a lock that is held is not


class ClaimBackoff:
    """Pauses of accounts, doubled after each claim in vain: claims hold up those of other accounts."""

    def __init__(self) -> None:
        self._pauses: dict[UUID, tuple[float, float]] = {}  # the pause and its end, by the account
        self._now = clock.elapsed()
        self._next_at = math.inf

    def begin_round(self, due: set[UUID]) -> None:
        """Begins a round of claims for these accounts, and forgets all others."""
        self._now = clock.elapsed()
        self._pauses = {one: pause for one, pause in self._pauses.items() if one in due}
        self._next_at = math.inf

    def is_due(self, account_id: UUID) -> bool:
        end = self._pauses.get(account_id, (0.0, 0.0))[1]
        if end <= self._now:
            return True
        self._next_at = min(self._next_at, end)
        return False

    def record(self, account_id: UUID, *, found_work: bool) -> None:
        if found_work:
            self._pauses.pop(account_id, None)
            return
        pause = min(2 * self._pauses.get(account_id, (FIRST_PAUSE / 2, 0.0))[0], LONGEST_PAUSE)
        end = self._now + pause
        self._pauses[account_id] = (pause, end)
        self._next_at = min(self._next_at, end)

    def seconds(self, most: float) -> float:
        """Seconds until one of the accounts that pause is due again; `most` at most."""
        return min(most, max(0.0, self._next_at - clock.elapsed()))
