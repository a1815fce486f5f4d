"""An account's paces: messages a minute and an hour, each with a burst of a tenth after a pause, and a gap.

The day's usage row, which each claim locks, stores when the next message is due by each of them, so they are exact
with any number of workers (the generic cell rate algorithm: ATM Forum, Traffic Management 4.0, 4.4.2).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

MINUTE, HOUR = 60.0, 3600.0
SPREAD = 2.0  # seconds by which messages may differ in how long they take from their claim to the server


class Pace(NamedTuple):
    seconds: float  # between two messages
    burst: int  # messages that are due together after a pause

    @classmethod
    def of(cls, most: int, period: float = MINUTE) -> "Pace":
        """Whenever a period (seconds) begins, no more than `most` messages reach the server in it."""
        burst = max(most // 10, 1)
        return cls((period + SPREAD) / (most - burst + 1), burst)

    def due(self, wait: float) -> int:
        """The messages that may be claimed now, if the next one is due in `wait` seconds; negative: since then."""
        return 0 if wait > 0 else min(math.floor(min(-wait / self.seconds, self.burst)) + 1, self.burst)

    def wait_after(self, messages: int, wait: float) -> float:
        """The seconds until the next message is due, after so many are claimed."""
        return max(wait, -(self.burst - 1) * self.seconds) + messages * self.seconds


class PaceField(NamedTuple):
    """A pace's field of an account, and the column of its usage with the time of the next message."""

    name: str
    next_at: str
    pace_of: Callable[[int], Pace]


PACES = (
    PaceField("max_per_minute", "next_message_at", Pace.of),
    PaceField("max_per_hour", "next_of_hour_at", lambda most: Pace.of(most, HOUR)),
    PaceField("min_gap_seconds", "next_after_gap_at", lambda seconds: Pace(float(seconds), 1)),
)
