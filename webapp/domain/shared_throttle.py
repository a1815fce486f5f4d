"""Counting tries per key in a sliding window that all processes share, in Redis; each by itself while there is none."""

from collections.abc import Sequence
from typing import Any, Protocol

from webapp import crypto
from webapp.domain.throttle import Throttle

TAKE, GIVE_BACK, FORGET = "take", "give back", "forget"
# KEYS: the tries of a key, their instants in a list, the latest first. Given: what to do, the limit, the window in
# seconds. Returned: the seconds to wait.
SCRIPT = """
if ARGV[1] == 'forget' then redis.call('DEL', KEYS[1]) return 0 end
if ARGV[1] == 'give back' then redis.call('LPOP', KEYS[1]) return 0 end
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


class Script(Protocol):
    """A script in Redis."""

    async def run(self, keys: Sequence[str], *values: str | float) -> Any:
        """What it returns for these keys and values; None while Redis is away."""


class SharedThrottle:
    """At most `limit` tries in `seconds` for each key, over all processes. `script` runs SCRIPT."""

    def __init__(self, script: Script, name: str, limit: int, seconds: int) -> None:
        """Count under a name that no other throttle has."""
        self._script, self._name, self._limit, self._seconds = script, name, limit, seconds
        self._alone = Throttle(limit, seconds)

    async def take(self, key: str) -> int:
        """Count a try and return 0, or the seconds to wait when there are no more. A refused try is not counted."""
        wait = await self._ask(TAKE, key)
        return self._alone.consume(key) if wait is None else wait

    async def give_back(self, key: str) -> None:
        """Take back the latest try of the key: it turned out to be a good one."""
        if await self._ask(GIVE_BACK, key) is None:
            self._alone.refund(key)

    async def forget(self, key: str) -> None:
        """Start anew for the key."""
        self._alone.forget(key)
        await self._ask(FORGET, key)

    async def _ask(self, act: str, key: str) -> int | None:
        """What the script returns, None while Redis is away. Redis is told no address and no person."""
        place = f"pennypost:{self._name}:{crypto.digest(key)}"
        found: int | None = await self._script.run([place], act, self._limit, self._seconds)
        return found
