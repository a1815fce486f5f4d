"""Counts failed attempts across all processes, in Redis."""

from collections import OrderedDict
from math import ceil
from time import monotonic

from quart import Quart

from webapp.domain.throttle import SCRIPT, SharedThrottle
from webapp.http.memory import remember
from webapp.redis.script import RedisScript

REFUSALS, REFUSALS_SECONDS = 60, 60  # from one address
MAX_ADDRESSES = 10_000  # about 2 MB; the one refused longest ago is dropped first


def register(app: Quart) -> None:
    remember(app, "tries", lambda: RedisScript(app.config["PENNYPOST"], SCRIPT, "each process counts tries by itself"))
    remember(app, "refusals", lambda: FailedKeyThrottle(app.extensions["tries"]))

    @app.after_serving
    async def close() -> None:
        await app.extensions["tries"].close()


class FailedKeyThrottle:
    """Counts requests without a valid key by address; while an address has to wait, Redis is not asked."""

    def __init__(self, script: RedisScript) -> None:
        self._shared = SharedThrottle(script, "refusals", REFUSALS, REFUSALS_SECONDS)
        self._blocked: OrderedDict[str, float] = OrderedDict()  # until a time of the monotonic clock

    async def record(self, address: str) -> int:
        """Counts a failure and returns 0, or the seconds to wait after too many."""
        wait = self.wait(address)
        if wait == 0 and (wait := await self._shared.consume(address)):
            self._blocked[address] = monotonic() + wait
            self._blocked.move_to_end(address)
            while len(self._blocked) > MAX_ADDRESSES:
                self._blocked.popitem(last=False)
        return wait

    def wait(self, address: str) -> int:
        return max(0, ceil(self._blocked.get(address, 0.0) - monotonic()))
