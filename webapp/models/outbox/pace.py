"""An account's pace: messages a minute, spread evenly, with a burst of a tenth of them after a pause.

The day's usage row, which each claim locks, stores when the next message is due, so the pace is exact with any number
of workers (the generic cell rate algorithm: ATM Forum, Traffic Management 4.0, 4.4.2).
"""

import math
from typing import NamedTuple


class Pace(NamedTuple):
    seconds: float  # between two messages
    burst: int  # messages that are due together after a pause

    @classmethod
    def of(cls, max_per_minute: int) -> "Pace":
        """Whenever a minute begins, no more than `max_per_minute` messages are claimed in it."""
        burst = max(max_per_minute // 10, 1)
        return cls(60.0 / (max_per_minute - burst + 1), burst)

    def due(self, wait: float) -> int:
        """The messages that may be claimed now, if the next one is due in `wait` seconds; negative: since then."""
        return 0 if wait > 0 else min(math.floor(min(-wait / self.seconds, self.burst)) + 1, self.burst)

    def wait_after(self, messages: int, wait: float) -> float:
        """The seconds until the next message is due, after so many are claimed."""
        return max(wait, -(self.burst - 1) * self.seconds) + messages * self.seconds
