"""Counts attempts per key in a sliding window, in this process's memory."""

import ipaddress
from collections import OrderedDict, deque
from datetime import datetime, timedelta

from webapp import clock

MAX_KEYS = 10_000  # about 2 MB; the key that was idle longest is forgotten first
IPV6_NETWORK_BITS = 64  # what a customer has of it at least (RFC 6177, 2)


class Throttle:
    """Allows `limit` attempts in `seconds` for each key."""

    def __init__(self, limit: int, seconds: int, max_keys: int = MAX_KEYS) -> None:
        self._limit, self._window, self._max_keys = limit, timedelta(seconds=seconds), max_keys
        self._tries: OrderedDict[str, deque[datetime]] = OrderedDict()

    def consume(self, key: str) -> int:
        """Counts an attempt and returns 0, or returns the seconds to wait; a refused attempt is not counted."""
        wait = self.wait(key)
        if wait:
            return wait
        self._tries.setdefault(key, deque()).append(clock.now())
        self._tries.move_to_end(key)
        while len(self._tries) > self._max_keys:
            self._tries.popitem(last=False)
        return 0

    def wait(self, key: str) -> int:
        """The seconds until the next attempt is allowed, 0 for now; counts nothing."""
        tries, now = self._tries.get(key), clock.now()
        while tries and tries[0] <= now - self._window:
            tries.popleft()
        if not tries or len(tries) < self._limit:
            return 0
        return max(1, round((tries[0] + self._window - now).total_seconds()))

    def refund(self, key: str) -> None:
        """Removes the latest attempt of the key, because it succeeded."""
        tries = self._tries.get(key)
        if tries:
            tries.pop()

    def forget(self, key: str) -> None:
        """Clears the key's attempts."""
        self._tries.pop(key, None)


def network_of(address: str) -> str:
    """The key that attempts from an address count under: the /64 network of an IPv6 address, which is cheap to get."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address) or parsed.ipv4_mapped is not None:
        return str(getattr(parsed, "ipv4_mapped", None) or parsed)
    return str(ipaddress.ip_network((parsed, IPV6_NETWORK_BITS), strict=False))
