"""Authenticates requests by API key."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from time import monotonic
from uuid import UUID
from weakref import WeakValueDictionary

from quart import Quart, current_app, g, request

from webapp import clock, crypto, db
from webapp.batcher import Batcher
from webapp.domain.api_keys import find_key_of, record_key_use
from webapp.domain.audit.audit import act_as
from webapp.domain.merge_tags.dates import render_in
from webapp.domain.roles import Action, Role
from webapp.domain.throttle import SharedThrottle, Throttle, network_of
from webapp.errors import ApiError, RateLimitExceeded, Unauthorized
from webapp.http import rate_limit
from webapp.http.client_ip import client_address
from webapp.http.memory import remember
from webapp.http.paths import is_api_path
from webapp.models import ApiKey, Organization, User
from webapp.redis.script import RedisScript

log = logging.getLogger(__name__)

SCHEME = "Bearer "
KEY_SECONDS = 0.8  # so that a revoked key is refused everywhere within one second
KNOWN_KEYS = 10_000
WRITE_USES_SECONDS = 10
REFUSALS, REFUSALS_SECONDS = 60, 60  # from one address
MAX_ADDRESSES = 10_000  # about 2 MB; the one refused longest ago is dropped first
STRANGERS_A_SECOND = 5  # unknown keys still checked for an address with too many failures, as one may be valid
WRITES_AT_ONCE = 3  # for an organization, because its writes hold connections while they wait for each other's locks

_WriteSlots = WeakValueDictionary[UUID, asyncio.Semaphore]  # a semaphore is dropped with its last user


@dataclass(frozen=True)
class Caller:
    org: Organization
    role: Role
    key: ApiKey | None = None
    user: User | None = None

    @property
    def sees_links(self) -> bool:
        """True if the caller may see working unsubscribe links, which unsubscribe the contact."""
        return self.role.may(Action.CONTACTS)


def register(app: Quart) -> None:
    remember(app, "keys", _KeyCache, write_seconds=WRITE_USES_SECONDS)
    remember(app, "write_slots", _WriteSlots)
    remember(app, "refusals", lambda: _FailedKeyThrottle(app.extensions["tries"]))
    remember(app, "strangers", lambda: Throttle(STRANGERS_A_SECOND, 1))
    app.before_request(_authenticate_unknown_paths)


async def _authenticate_unknown_paths() -> None:
    """Authenticates and counts requests for unknown paths and methods too, so that 401 precedes 404."""
    if request.routing_exception is not None and is_api_path(request.path):
        await authenticate_key()


async def authenticate_key() -> Caller:
    """Sets `g.caller` and counts the request. Raises Unauthorized, and what `rate_limit.admit` raises."""
    caller = admit(await _authenticate())
    await rate_limit.admit(caller.org)
    return caller


def admit(caller: Caller) -> Caller:
    """Sets `g.caller`, the actor and the timezone, and limits the request's writes to its organization's share."""
    g.caller = caller
    act_as(caller.key or caller.user, client_address())
    render_in(caller.org.timezone)
    slots: _WriteSlots = current_app.extensions["write_slots"]
    db.limit_concurrent_writes(slots.setdefault(caller.org.id, asyncio.Semaphore(WRITES_AT_ONCE)))
    return caller


async def _authenticate() -> Caller:
    """Raises Unauthorized, or RateLimitExceeded for an address with too many invalid keys."""
    headers = request.headers.getlist("Authorization")
    if len(headers) != 1 or not headers[0].startswith(SCHEME):
        raise await _refusal()
    keys: _KeyCache = current_app.extensions["keys"]
    secret = headers[0].removeprefix(SCHEME)
    secret_hash = crypto.digest(secret)
    if not keys.is_known(secret_hash):
        throttle: _FailedKeyThrottle = current_app.extensions["refusals"]
        strangers: Throttle = current_app.extensions["strangers"]
        if throttle.wait(_client_network()) and strangers.consume(_client_network()):
            raise await _refusal()
    key = await keys.find(secret, secret_hash)
    if key is None or not key.is_valid(clock.now()):
        raise await _refusal()
    return Caller(key.org, Role(key.role), key=key)


def _client_network() -> str:
    return network_of(client_address())


async def _refusal() -> ApiError:
    throttle: _FailedKeyThrottle = current_app.extensions["refusals"]
    wait = await throttle.record(_client_network())
    return RateLimitExceeded("too many requests without a valid API key", wait) if wait else Unauthorized()


class _FailedKeyThrottle:
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
