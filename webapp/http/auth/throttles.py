"""Counting tries over all processes: the one connection to Redis for it, and the refusals of keys that are none."""

from collections import OrderedDict
from collections.abc import AsyncGenerator
from math import ceil
from time import monotonic

from quart import Quart

from webapp.domain.throttle import SCRIPT, SharedThrottle
from webapp.redis.script import RedisScript

REFUSALS, REFUSALS_SECONDS = 60, 60  # for one address
ADDRESSES_KEPT = 10_000  # about 2 MB; the one that was refused longest ago is forgotten first


def register(app: Quart) -> None:
    """Give the app the script that every count of tries runs, and the refusals; both end with it."""
    script = RedisScript(app.config["PENNYPOST"], SCRIPT, "each process counts tries by itself")
    app.extensions["tries"] = script
    app.extensions["refusals"] = Refusals(script)

    @app.while_serving
    async def close() -> AsyncGenerator[None, None]:
        yield
        await script.close()


class Refusals:
    """Requests without a valid key, by their address.

    A refusal is one question to Redis; once that says there are too many, the address costs no more of them until
    there is a try again. Who has a good key asks nothing.
    """

    def __init__(self, script: RedisScript) -> None:
        """Count by what runs the script of shared throttles."""
        self._shared = SharedThrottle(script, "refusals", REFUSALS, REFUSALS_SECONDS)
        self._over: OrderedDict[str, float] = OrderedDict()  # until when, by our clock that never steps

    async def take(self, address: str) -> int:
        """Count a refusal and return 0, or the seconds to wait when there were too many."""
        wait = self.wait(address)
        if wait == 0 and (wait := await self._shared.consume(address)):
            self._remember(address, monotonic() + wait)
        return wait

    def wait(self, address: str) -> int:
        """The seconds to wait, as far as this process knows without asking; 0 for none."""
        return max(0, ceil(self._over.get(address, 0.0) - monotonic()))

    def _remember(self, address: str, until: float) -> None:
        self._over[address] = until
        self._over.move_to_end(address)
        while len(self._over) > ADDRESSES_KEPT:
            self._over.popitem(last=False)
