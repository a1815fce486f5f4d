"""Who calls: API keys, and the role that each route needs."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from time import monotonic
from typing import Any
from uuid import UUID

from quart import Quart, ResponseReturnValue, current_app, g, request

from webapp import clock, crypto
from webapp.domain.api_keys import SignedIn, note_key_use, sign_in_key
from webapp.domain.roles import Role
from webapp.errors import Unauthorized
from webapp.models import ApiKey, Organization, User

log = logging.getLogger(__name__)

SCHEME = "Bearer "
KEY_SECONDS = 0.8  # a revoked key is refused everywhere within one second, the look-up included
KNOWN_KEYS = 10_000
NOTE_USE_SECONDS = 10

View = Callable[..., Awaitable[ResponseReturnValue]]


@dataclass(frozen=True)
class Caller:
    """On whose behalf a request is made: a key's or a person's, with the role that they have in `org`."""

    org: Organization
    role: Role
    key: ApiKey | None = None
    user: User | None = None


def register(app: Quart) -> None:
    """Give the app its memory of keys, and keep their last uses while it serves."""
    app.extensions["keys"] = _Keys()

    @app.while_serving
    async def note_uses() -> AsyncGenerator[None, None]:
        async with app.extensions["keys"].noting():
            yield


def role_required(needed: Role) -> Callable[[View], View]:
    """Let callers with an API key of this role or a higher one through; `g.caller` is who it is.

    Raises Unauthorized, then Forbidden. A route is marked with `needed_role`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        async def guarded(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            g.caller = await _authenticate()
            g.caller.role.require(needed)
            return await view(*args, **kwargs)

        guarded.needed_role = needed  # type: ignore[attr-defined]  # a test reads it off every route
        return guarded

    return decorate


def path_row(find: Callable[[Organization, str], Awaitable[Any]]) -> Callable[[View], View]:
    """Hand the view the row that the path's id names, found in the caller's organization before the body is read.

    Raises what `find` raises: NotFound.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_row(**ids: str) -> ResponseReturnValue:
            (row_id,) = ids.values()
            return await view(await find(g.caller.org, row_id))

        return with_row

    return decorate


async def _authenticate() -> Caller:
    """The caller whose key the Authorization header holds; no other place is looked at. Raises Unauthorized."""
    given = request.headers.getlist("Authorization")
    if len(given) != 1 or not given[0].startswith(SCHEME):
        raise Unauthorized
    keys: _Keys = current_app.extensions["keys"]
    found = await keys.find(given[0].removeprefix(SCHEME))
    if found is None or not found.is_valid:
        raise Unauthorized
    return Caller(found.org, Role(found.key.role), key=found.key)


class _Keys:
    """The keys seen in the last moment, so that a busy one costs one look-up a second, and their uses to be kept."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, SignedIn]] = {}
        self._uses: dict[UUID, datetime] = {}

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

    @contextlib.asynccontextmanager
    async def noting(self) -> AsyncIterator[None]:
        """For the life of this block, write last uses every NOTE_USE_SECONDS, and what is left at its end."""
        task = asyncio.create_task(self._note_on())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self._note()

    async def _note_on(self) -> None:
        while True:
            await asyncio.sleep(NOTE_USE_SECONDS)
            await self._note()

    async def _note(self) -> None:
        uses, self._uses = self._uses, {}
        if not uses:
            return
        try:
            await note_key_use(uses)
        except Exception as error:  # noqa: BLE001 - when a key was last used is worth a line in the log, not a request
            log.warning("the last uses of %d keys are not kept: %s", len(uses), error)
