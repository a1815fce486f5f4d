"""Authenticates requests by API key."""

from dataclasses import dataclass

from quart import Quart, current_app, g, request

from webapp import db
from webapp.domain.audit.audit import act_as
from webapp.domain.key_checks import WRITE_USES_SECONDS, KeyChecks
from webapp.domain.key_scope import apply_scope
from webapp.domain.merge_tags.dates import render_in
from webapp.domain.roles import Action, Role
from webapp.domain.throttle import network_of
from webapp.http import rate_limit
from webapp.http.client_ip import client_address
from webapp.http.memory import remember
from webapp.http.paths import is_api_path
from webapp.models import ApiKey, Organization, User

SCHEME = "Bearer "


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
    remember(app, "keys", lambda: KeyChecks(app.extensions["tries"]), write_seconds=WRITE_USES_SECONDS)
    remember(app, "write_shares", db.WriteShares)
    app.before_request(_authenticate_unknown_paths)


async def _authenticate_unknown_paths() -> None:
    """Authenticates and counts requests for unknown paths and methods too, so that 401 precedes 404."""
    if request.routing_exception is not None and is_api_path(request.path):
        await authenticate_key()


async def authenticate_key() -> Caller:
    """Sets `g.caller` and counts the request.

    Raises Unauthorized, OutsideScope, and what `rate_limit.admit` raises.
    """
    caller = admit(await _authenticate())
    await rate_limit.admit(caller.org)
    return caller


def admit(caller: Caller) -> Caller:
    """Sets `g.caller`, the actor, the key's scope and the timezone, and limits writes to the organization's share.

    Raises OutsideScope.
    """
    g.caller = caller
    act_as(caller.key or caller.user, client_address())
    apply_scope(caller.key, client_address())
    render_in(caller.org.timezone)
    current_app.extensions["write_shares"].limit_writes(caller.org.id)
    return caller


async def _authenticate() -> Caller:
    """Raises Unauthorized, or RateLimitExceeded for an address with too many invalid keys."""
    headers = request.headers.getlist("Authorization")
    if len(headers) != 1 or not headers[0].startswith(SCHEME):
        raise await _checks().refusal(_client_network())
    key = await _checks().find(headers[0].removeprefix(SCHEME), _client_network())
    return Caller(key.org, Role(key.role), key=key)


def _checks() -> KeyChecks:
    checks: KeyChecks = current_app.extensions["keys"]
    return checks


def _client_network() -> str:
    return network_of(client_address())
