"""Checks API keys for every door, and limits the tries of a network that has none."""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from math import ceil
from time import monotonic
from uuid import UUID

from webapp import clock, crypto
from webapp.batcher import Batcher
from webapp.domain.api_keys import find_key_of, record_key_use
from webapp.domain.throttle import Script, SharedThrottle, Throttle
from webapp.errors import ApiError, RateLimitExceeded, Unauthorized
from webapp.models import ApiKey

log = logging.getLogger(__name__)

KEY_SECONDS = 0.8  # so that a revoked key is refused everywhere within one second
KNOWN_KEYS = 10_000
WRITE_USES_SECONDS = 10
REFUSALS, REFUSALS_SECONDS = 60, 60  # from one network
MAX_ADDRESSES = 10_000  # about 2 MB; the one refused longest ago is dropped first
STRANGERS_A_SECOND = 5  # unknown keys still checked for a network with too many failures, as one may be valid


class KeyChecks:
    """Finds keys, and counts failures by `network`; call `write` every WRITE_USES_SECONDS."""

    def __init__(self, script: Script) -> None:
        """`script` is that of throttle.py; the doors share its counts."""
        self._keys, self._failures = _KeyCache(), _FailedKeyThrottle(script)
        self._strangers = Throttle(STRANGERS_A_SECOND, 1)
        self.write = self._keys.write

    async def find(self, secret: str, network: str) -> ApiKey:
        """The valid key with its organization. Raises Unauthorized, or RateLimitExceeded after too many failures."""
        secret_hash = crypto.digest(secret)
        if not self._keys.is_known(secret_hash) and self._failures.wait(network) and self._strangers.consume(network):
            raise await self.refusal(network)
        key = await self._keys.find(secret, secret_hash)
        if key is None or not key.is_valid(clock.now()):
            raise await self.refusal(network)
        return key

    async def refusal(self, network: str) -> ApiError:
        wait = await self._failures.record(network)
        return RateLimitExceeded("too many requests without a valid API key", wait) if wait else Unauthorized()


class _FailedKeyThrottle:
    """Counts requests without a valid key by address; while an address has to wait, Redis is not asked."""

    def __init__(self, script: Script) -> None:
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


async def _find_for_each(secret: str, asked: Sequence[None]) -> list[ApiKey | None]:
    return [await find_key_of(secret)] * len(asked)


class _KeyCache:
    """Caches keys for KEY_SECONDS, so that a busy key costs one query a second, and collects their uses."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, ApiKey]] = {}
        self._uses: dict[UUID, datetime] = {}
        self._queries: Batcher[str, None, ApiKey | None] = Batcher(_find_for_each, limit=10_000)

    def is_known(self, secret_hash: str) -> bool:
        return secret_hash in self._known

    async def find(self, secret: str, secret_hash: str) -> ApiKey | None:
        now = monotonic()
        since, key = self._known.get(secret_hash, (-KEY_SECONDS, None))
        if key is None or now - since > KEY_SECONDS:
            key = await self._queries.ask(secret, None)  # shared by concurrent requests
            if key is None:
                self._known.pop(secret_hash, None)
                return None
            if len(self._known) >= KNOWN_KEYS:
                self._known.clear()
            self._known[secret_hash] = (now, key)
        if key.is_valid(clock.now()):
            self._uses[key.id] = clock.now()
        return key

    async def write(self) -> None:
        uses, self._uses = self._uses, {}
        if not uses:
            return
        try:
            await record_key_use(uses)
        except Exception as error:  # noqa: BLE001 - a lost time of use is not worth a failed request
            log.warning("the last uses of %d keys are not kept: %s", len(uses), error)
