"""The reduced rate of a throttled account: halved for 15 minutes by each such answer, and recovering in steps.

Halvings first reduce the connections; with one left, the account sends in every n-th time slot only, one message after
the other. All follows from two columns, so that it holds for any number of workers.
"""

from typing import NamedTuple
from uuid import UUID

HALVED_SECONDS = 15 * 60.0  # after which one halving ends
SETTLE_SECONDS = 10.0  # without claims: answers to messages that are being sent already count as one halving
MAX_HALVINGS = 10
SLOT_SECONDS = 5.0
MAX_SLOTS = 32  # of which one is the account's


class ReducedRate(NamedTuple):
    connections: int
    slots: int

    def has_slot(self, account_id: UUID, at: float) -> bool:
        return (int(at // SLOT_SECONDS) + account_id.int) % self.slots == 0


def halving_count(throttles: int, since: float | None) -> int:
    """The halvings in force `since` seconds after the 15 minutes of the last one ended; negative: before."""
    if since is None:
        return 0
    ended = 0 if since < 0 else 1 + int(since // HALVED_SECONDS)
    return max(throttles - ended, 0)


def reduced_rate(concurrency: int, halved: int) -> ReducedRate:
    by_connections = min(halved, concurrency.bit_length() - 1)
    return ReducedRate(concurrency >> by_connections, min(2 ** (halved - by_connections), MAX_SLOTS))
