"""Who calls: API keys and what they ask for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from time import monotonic
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from quart import Quart, ResponseReturnValue, current_app, g, request

from webapp import clock, crypto, db
from webapp.domain.api_keys import SignedIn, record_key_use, sign_in_key
from webapp.domain.merge_tags.dates import render_in
from webapp.domain.roles import Action, Role
from webapp.domain.throttle import Throttle, network_of
from webapp.errors import ApiError, RateLimitExceeded, Unauthorized
from webapp.http import rate_limit
from webapp.http.auth.audit_actor import act_as_key
from webapp.http.auth.throttles import Refusals
from webapp.http.background_tasks import every
from webapp.http.client_ip import client_address
from webapp.http.error_pages import is_for_programs
from webapp.models import ApiKey, Organization, User

log = logging.getLogger(__name__)

SCHEME = "Bearer "
KEY_SECONDS = 0.8  # a revoked key is refused everywhere within one second, the look-up included
KNOWN_KEYS = 10_000
NOTE_USE_SECONDS = 10
STRANGERS_A_SECOND = 5  # keys that are looked up for an address beyond its refusals: a good one may be among them

# An organization's writes wait for each other's rows, each with a connection in hand: so few leave the others some.
WRITES_AT_ONCE = 3

View = Callable[..., Awaitable[ResponseReturnValue]]
_Turns = WeakValueDictionary[UUID, asyncio.Semaphore]  # one goes when the last who wants it is gone


@dataclass(frozen=True)
class Caller:
    """On whose behalf a request is made: a key's or a person's, with the role that they have in `org`."""

    org: Organization
    role: Role
    key: ApiKey | None = None
    user: User | None = None

    @property
    def sees_links(self) -> bool:
        """Whether mail is shown with the unsubscribe links that work: with one anybody may unsubscribe the contact."""
        return self.role.may(Action.CONTACTS)


def register(app: Quart) -> None:
    """Give the app its memory of keys and of turns, and keep the last uses of keys while it serves."""
    keys = app.extensions["keys"] = _Keys()
    app.extensions["turns"] = _Turns()
    app.extensions["strangers"] = Throttle(STRANGERS_A_SECOND, 1)
    every(app, NOTE_USE_SECONDS, keys.note_uses)
    app.before_request(_admit_stray)


async def _admit_stray() -> None:
    """Look at the key of a request for a path or a method that is none, too, and count it: 401 comes before 404."""
    if request.routing_exception is not None and is_for_programs(request.path):
        await admit_key()


def path_row(find: Callable[..., Awaitable[Any]]) -> Callable[[View], View]:
    """Hand the view the row that the path's ids name, found in the caller's organization before the body is read.

    `find` takes the organization and the ids in the path's order. Raises what it raises: NotFound.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_row(**ids: str) -> ResponseReturnValue:
            return await view(await find(g.caller.org, *ids.values()))

        return with_row

    return decorate


async def admit_key() -> None:
    """Find out whose key this is, and count the request. Raises Unauthorized, and what `rate_limit.admit` raises."""
    g.caller = await _authenticate()
    render_in(g.caller.org.timezone)
    turns: _Turns = current_app.extensions["turns"]
    db.limit_concurrent_writes(turns.setdefault(g.caller.org.id, asyncio.Semaphore(WRITES_AT_ONCE)))
    await rate_limit.admit(g.caller.org)


async def _authenticate() -> Caller:
    """The caller whose key the Authorization header holds; no other place is looked at. Raises Unauthorized.

    Where too many keys came from an address that are none it is RateLimitExceeded; a good one works from there too.
    """
    given = request.headers.getlist("Authorization")
    if len(given) != 1 or not given[0].startswith(SCHEME):
        raise await _refusal()
    keys: _Keys = current_app.extensions["keys"]
    secret = given[0].removeprefix(SCHEME)
    if not keys.is_known(secret) and _has_no_look_up_left():
        raise await _refusal()
    found = await keys.find(secret)
    if found is None or not found.is_valid:
        raise await _refusal()
    act_as_key(found.key)
    return Caller(found.org, Role(found.key.role), key=found.key)


def _has_no_look_up_left() -> bool:
    """Whether so many keys that are none came from the address that this one, which nobody knows, costs no query."""
    refusals: Refusals = current_app.extensions["refusals"]
    strangers: Throttle = current_app.extensions["strangers"]
    return bool(refusals.wait(_whence()) and strangers.consume(_whence()))


def _whence() -> str:
    return network_of(client_address())


async def _refusal() -> ApiError:
    refusals: Refusals = current_app.extensions["refusals"]
    wait = await refusals.take(_whence())
    return RateLimitExceeded("too many requests without a valid API key", wait) if wait else Unauthorized()


class _Keys:
    """The keys seen in the last moment, so that a busy one costs one look-up a second, and their uses to be kept."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, SignedIn]] = {}
        self._uses: dict[UUID, datetime] = {}

    def is_known(self, secret: str) -> bool:
        """Whether a key was seen; it may be one no more."""
        return crypto.digest(secret) in self._known

    async def find(self, secret: str) -> SignedIn | None:
        """The key that `secret` is, as it was within the last KEY_SECONDS."""
        asked = monotonic()
        since, found = self._known.get(secret_hash := crypto.digest(secret), (-KEY_SECONDS, None))
        if found is None or asked - since > KEY_SECONDS:
            found = await sign_in_key(secret)
            if found is None:
                self._known.pop(secret_hash, None)
                return None
            self._remember(secret_hash, asked, found)
        if found.is_valid:
            self._uses[found.key.id] = clock.now()
        return found

    def _remember(self, secret_hash: str, asked: float, found: SignedIn) -> None:
        if len(self._known) >= KNOWN_KEYS:
            self._known.clear()
        self._known[secret_hash] = (asked, found)

    async def note_uses(self) -> None:
        """Write when keys were last used."""
        uses, self._uses = self._uses, {}
        if not uses:
            return
        try:
            await record_key_use(uses)
        except Exception as error:  # noqa: BLE001 - when a key was last used is worth a line in the log, not a request
            log.warning("the last uses of %d keys are not kept: %s", len(uses), error)
