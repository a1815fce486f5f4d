"""Bounded numbers of attempts per key in a sliding window: in this process's memory, or over all processes in Redis."""

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from webapp import clock, crypto
from webapp.errors import RateLimitExceeded

MAX_KEYS = 10_000  # about 2 MB; the longest idle key is dropped first
IPV6_NETWORK_BITS = 64  # the smallest assignment to a customer (RFC 6177, 2)
HOUR_SECONDS = 3600
LINK_MAILS_AN_HOUR = 3  # per address
LINK_TRIES_AN_HOUR = 10  # per network
# KEYS: the instants of a key's attempts, the latest first. ARGV: the action, the limit, the window in seconds.
# Returned: the seconds to wait.
SCRIPT = """
if ARGV[1] == 'forget' then redis.call('DEL', KEYS[1]) return 0 end
if ARGV[1] == 'refund' then redis.call('LPOP', KEYS[1]) return 0 end
local time, seconds = redis.call('TIME'), tonumber(ARGV[3])
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and tonumber(oldest) <= now - seconds do
  redis.call('RPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], -1)
end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then
  return math.max(1, math.ceil(tonumber(oldest) + seconds - now))
end
redis.call('LPUSH', KEYS[1], string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil(seconds))
return 0
"""


class Throttle:
    def __init__(self, limit: int, seconds: int, max_keys: int = MAX_KEYS) -> None:
        self._limit, self._window, self._max_keys = limit, timedelta(seconds=seconds), max_keys
        self._tries: OrderedDict[str, deque[datetime]] = OrderedDict()

    def consume(self, key: str) -> int:
        """The seconds to wait, or 0 if the attempt is counted; refused attempts are not."""
        wait = self.wait(key)
        if wait:
            return wait
        self._tries.setdefault(key, deque()).append(clock.now())
        self._tries.move_to_end(key)
        while len(self._tries) > self._max_keys:
            self._tries.popitem(last=False)
        return 0

    def wait(self, key: str) -> int:
        """The seconds until the next attempt; counts nothing."""
        tries, now = self._tries.get(key), clock.now()
        while tries and tries[0] <= now - self._window:
            tries.popleft()
        if not tries or len(tries) < self._limit:
            return 0
        return max(1, round((tries[0] + self._window - now).total_seconds()))

    def refund(self, key: str) -> None:
        tries = self._tries.get(key)
        if tries:
            tries.pop()

    def forget(self, key: str) -> None:
        self._tries.pop(key, None)


class Script(Protocol):
    """A script in Redis; None while Redis is unavailable."""

    async def run(self, keys: Sequence[str], *values: str | float) -> Any: ...


class SharedThrottle:
    """Limits over all processes, or per process while Redis is unavailable; each throttle has its own `name`."""

    def __init__(self, script: Script, name: str, limit: int, seconds: int) -> None:
        self._script, self._name, self._limit, self._seconds = script, name, limit, seconds
        self._alone = Throttle(limit, seconds)

    async def consume(self, key: str) -> int:
        wait = await self._run("consume", key)
        return self._alone.consume(key) if wait is None else wait

    async def refund(self, key: str) -> None:
        if await self._run("refund", key) is None:
            self._alone.refund(key)

    async def forget(self, key: str) -> None:
        self._alone.forget(key)
        await self._run("forget", key)

    async def _run(self, action: str, key: str) -> int | None:
        redis_key = f"{self._name}:{crypto.sign('throttle', key)}"  # so that Redis holds no addresses
        reply: int | None = await self._script.run([redis_key], action, self._limit, self._seconds)
        return reply


class LinkThrottle:
    """Bounds requests for links by email; each kind of link has its own `name`."""

    def __init__(self, script: Script, name: str) -> None:
        self._per_network = SharedThrottle(script, f"{name}:network", LINK_TRIES_AN_HOUR, HOUR_SECONDS)
        self._per_address = SharedThrottle(script, f"{name}:address", LINK_MAILS_AN_HOUR, HOUR_SECONDS)

    async def admit(self, email: str, network: str | None) -> bool:
        """False, silently, if the address got its emails. Raises RateLimitExceeded for a network, if any."""
        if network is not None and (wait := await self._per_network.consume(network)):
            raise too_many_tries(wait)
        return not await self._per_address.consume(email)


def too_many_tries(wait: int) -> RateLimitExceeded:
    minutes = -(-wait // 60)
    return RateLimitExceeded(f"Too many attempts. Try again in {minutes} minute{'s' if minutes > 1 else ''}.", wait)


def network_of(address: str) -> str:
    """The /64 network of an IPv6 address, because one customer has all its addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address) or parsed.ipv4_mapped is not None:
        return str(getattr(parsed, "ipv4_mapped", None) or parsed)
    return str(ipaddress.ip_network((parsed, IPV6_NETWORK_BITS), strict=False))
