"""What the sessions of a process share: keys, rates, room for large messages, and bounds for networks and callers."""

import asyncio
import contextlib
import ipaddress
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import NamedTuple, Protocol
from uuid import UUID

from webapp import db
from webapp.config import Settings
from webapp.config.mail import helo_name_of
from webapp.crypto import ACCOUNT_KEY_PREFIX
from webapp.domain.api_requests.rate import WRITE_SECONDS, RateLimiter
from webapp.domain.emails.choose_account import account_named
from webapp.domain.key_checks import WRITE_USES_SECONDS, KeyChecks
from webapp.domain.key_scope import apply_scope
from webapp.domain.plans.plans import plan_named
from webapp.domain.roles import Action, Role
from webapp.domain.throttle import SCRIPT, network_of
from webapp.errors import Forbidden, RateLimitExceeded, ValidationError
from webapp.fair_slots import FairSlot, FairSlots, slot_of
from webapp.hosts import PRIVATE
from webapp.models import ApiKey, Organization
from webapp.redis.script import RedisScript
from webapp.smtp.certificate import Certificate
from webapp.smtp.connection import Slot
from webapp.tasks import in_background

FREE_BYTES, MIDDLE_BYTES = 64 * 1024, 1024 * 1024  # of a message that is read without a slot, and without a large one
MIDDLE_AT_ONCE, LARGE_AT_ONCE = 32, 2  # half of them for an organization
SLOT_SECONDS = 20.0
NEW_OF_NETWORK = 250  # sessions without a sign-in; more end the oldest of these
MOST_OF_ORGANIZATION = 500  # sessions


class Caller(NamedTuple):
    """Who signed in; `account_key` is the user name if it names an account."""

    secret: str
    key: ApiKey
    account_key: str | None

    @property
    def org(self) -> Organization:
        return self.key.org


class Evictable(Protocol):
    def evict(self) -> None: ...


class Door:
    def __init__(self, settings: Settings) -> None:
        """Raises ConfigError for an invalid certificate."""
        submission = settings.submission
        self.settings, self.max_bytes = settings, submission.max_bytes
        self.name = settings.helo_name or helo_name_of(settings.base_url) or socket.gethostname()
        self.certificate = Certificate(*submission.certificate) if submission.certificate else None
        self._tries = RedisScript(settings, SCRIPT, "each process counts tries by itself")
        self._keys, self._rates = KeyChecks(self._tries), RateLimiter(settings)
        self._middle: FairSlots[FairSlot] = FairSlots(MIDDLE_AT_ONCE, limit_each=MIDDLE_AT_ONCE // 2)
        self._large: FairSlots[FairSlot] = FairSlots(LARGE_AT_ONCE, limit_each=LARGE_AT_ONCE // 2)
        self._writes = db.WriteShares()
        self._sessions = Counter[UUID]()  # by organization
        self._new: dict[str, dict[Evictable, None]] = {}  # by network, the oldest first

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        works = (self._keys.write, WRITE_USES_SECONDS), (self._rates.write, WRITE_SECONDS)
        try:
            async with in_background(*(_repeat(work, seconds) for work, seconds in works)):
                yield
            for work, _ in works:
                await work()
        finally:
            await self._rates.script.close()
            await self._tries.close()

    @property
    def why_not_admitted(self) -> str:
        return (
            f"{self.name} has no certificate, so it accepts clients of its own machine and of the networks in "
            "PENNYPOST_ALLOW_PRIVATE_HOSTS: set PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY"
        )

    @contextlib.contextmanager
    def new_session(self, session: Evictable, address: str) -> Iterator[Callable[[], None]]:
        """Counts a session against its network until the block ends or the result is called, at the sign-in."""
        network = network_of(address)
        others = self._new.setdefault(network, {})
        if len(others) >= NEW_OF_NETWORK:
            oldest = next(iter(others))
            del others[oldest]  # now, because its session ends later than others of this moment begin
            oldest.evict()
        others[session] = None

        def forget() -> None:
            others.pop(session, None)
            if not others and self._new.get(network) is others:
                del self._new[network]

        try:
            yield forget
        finally:
            forget()

    @contextlib.contextmanager
    def session_of(self, org: Organization) -> Iterator[None]:
        """Raises RateLimitExceeded above the organization's share."""
        if self._sessions[org.id] >= MOST_OF_ORGANIZATION:
            raise RateLimitExceeded(f"the organization has {MOST_OF_ORGANIZATION} connections already")
        self._sessions[org.id] += 1
        self._writes.limit_writes(org.id)
        try:
            yield
        finally:
            self._sessions[org.id] -= 1
            if not self._sessions[org.id]:
                del self._sessions[org.id]

    async def sign_in(self, username: str, secret: str, address: str) -> Caller:
        """Raises Unauthorized, Forbidden, NotFound for an unknown account, RateLimitExceeded."""
        key = await self._find_key(secret, address)
        if not Role(key.role).may(Action.SEND):
            raise Forbidden(f"the key has the role {key.role}: sending needs the role sender")
        if not username.startswith(ACCOUNT_KEY_PREFIX):
            return Caller(secret, key, None)
        with contextlib.suppress(ValidationError):  # a paused account refuses each message, with the reason
            await account_named(key.org, username)
        return Caller(secret, key, username)

    async def begin_message(self, caller: Caller, address: str) -> Caller:
        """The caller with its key as it is now. Raises what `sign_in` raises, and PlanLimitExceeded."""
        key = await self._find_key(caller.secret, address)
        bucket = await self._rates.consume(key.org, plan_named(key.org.plan))
        bucket.check()
        return caller._replace(key=key)

    async def _find_key(self, secret: str, address: str) -> ApiKey:
        key = await self._keys.find(secret, network_of(address))
        apply_scope(key, address)
        return key

    def tiers(self, caller: Caller) -> list[tuple[int, Slot]]:
        middle = slot_of(self._middle, caller.org.id, SLOT_SECONDS)
        large = slot_of(self._large, caller.org.id, SLOT_SECONDS)
        tiers: list[tuple[int, Slot]] = [(FREE_BYTES, contextlib.nullcontext()), (MIDDLE_BYTES, middle)]
        return [*((size, slot) for size, slot in tiers if size < self.max_bytes), (self.max_bytes, large)]


def admits(settings: Settings, address: str) -> bool:
    """True for every client if there is a certificate, else for this machine and allowed private networks."""
    parsed = ipaddress.ip_address(address)
    networks = settings.private_networks or (PRIVATE if settings.allow_private_hosts else ())
    is_near = parsed.is_loopback or any(parsed in network for network in networks)
    return settings.submission.certificate is not None or is_near


async def _repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()
