"""How an account obeys a server that asks it to slow down: its rate is halved for 15 minutes, and recovers by steps.

First over fewer connections; where one is left, by turns: a turn at sending, one message after the other, and then
pauses that grow with every halving. Stateless beside two columns, so that it holds for any number of workers.
"""

from typing import NamedTuple
from uuid import UUID

HALVED_SECONDS = 15 * 60.0  # without another such answer; then a halving is taken back, and so on
SETTLE_SECONDS = 10.0  # nothing is claimed meanwhile: the answers to what is under way are no halvings of their own
MOST_HALVINGS = 10
TURN_SECONDS = 5.0
MOST_TURNS = 32  # of which one is the account's


class Pace(NamedTuple):
    """Connections at once; the account has one of so many turns."""

    connections: int
    turns: int

    def has_turn(self, account_id: UUID, at: float) -> bool:
        """Whether it is the account's turn at an instant, in seconds since the epoch; each account has its own."""
        return (int(at // TURN_SECONDS) + account_id.int) % self.turns == 0


def halvings(throttles: int, since: float | None) -> int:
    """How often the rate is halved now, of `throttles` halvings whose 15 minutes ended `since` seconds ago.

    Negative: they have not ended; None: there were none.
    """
    if since is None:
        return 0
    taken_back = 0 if since < 0 else 1 + int(since // HALVED_SECONDS)
    return max(throttles - taken_back, 0)


def pace(concurrency: int, halved: int) -> Pace:
    """The pace of an account with this many connections whose rate is halved so often."""
    by_connections = min(halved, concurrency.bit_length() - 1)
    return Pace(concurrency >> by_connections, min(2 ** (halved - by_connections), MOST_TURNS))
