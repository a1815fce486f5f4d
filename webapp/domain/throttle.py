"""Counting tries per key in a sliding window, in the memory of this process."""

import ipaddress
from collections import OrderedDict, deque
from datetime import datetime, timedelta

from webapp import clock

MAX_KEYS = 10_000  # about 2 MB; the key that was idle longest is forgotten first
IPV6_NETWORK_BITS = 64  # what a customer has of it at least (RFC 6177, 2)


class Throttle:
    """At most `limit` tries in `seconds` for each key."""

    def __init__(self, limit: int, seconds: int, max_keys: int = MAX_KEYS) -> None:
        self._limit, self._window, self._max_keys = limit, timedelta(seconds=seconds), max_keys
        self._tries: OrderedDict[str, deque[datetime]] = OrderedDict()

    def consume(self, key: str) -> int:
        """Count a try and return 0, or the seconds to wait when there are no more. A refused try is not counted."""
        wait = self.wait(key)
        if wait:
            return wait
        self._tries.setdefault(key, deque()).append(clock.now())
        self._tries.move_to_end(key)
        while len(self._tries) > self._max_keys:
            self._tries.popitem(last=False)
        return 0

    def wait(self, key: str) -> int:
        """The seconds until there is a try again, 0 for at once; none is counted."""
        tries, now = self._tries.get(key), clock.now()
        while tries and tries[0] <= now - self._window:
            tries.popleft()
        if not tries or len(tries) < self._limit:
            return 0
        return max(1, round((tries[0] + self._window - now).total_seconds()))

    def refund(self, key: str) -> None:
        """Take back the latest try of the key: it turned out to be a good one."""
        tries = self._tries.get(key)
        if tries:
            tries.pop()

    def forget(self, key: str) -> None:
        """Start anew for the key."""
        self._tries.pop(key, None)


def network_of(address: str) -> str:
    """By what tries from an address are counted: of IPv6 its network, within which addresses cost nothing."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address) or parsed.ipv4_mapped is not None:
        return str(getattr(parsed, "ipv4_mapped", None) or parsed)
    return str(ipaddress.ip_network((parsed, IPV6_NETWORK_BITS), strict=False))
