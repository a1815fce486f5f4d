"""Signs in and out. The browser holds a token, the database its SHA-256."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tortoise.expressions import Q
from tortoise.queryset import QuerySet

from webapp import addresses, clock, crypto, db
from webapp.domain.roles import Role
from webapp.domain.throttle import Script, SharedThrottle, network_of, too_many_tries
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.models import Membership, OneTimeLink, Organization, Session, User

ABSOLUTE = timedelta(days=30)  # since the sign-in
IDLE = timedelta(days=14)  # since the last use
SEEN_EVERY = timedelta(minutes=5)  # between two writes of last_seen_at
WINDOW_SECONDS = 15 * 60
CHECK_SECONDS = 2.0  # how often a process checks the sessions of its open streams
WRONG = "Incorrect email or password."


class SignedInUser(NamedTuple):
    session: Session
    user: User
    org: Organization
    role: Role
    organizations: Sequence[Organization]


class NewSession(NamedTuple):
    session: Session
    token: str


class PendingTwoFactor(NamedTuple):
    user: User


class Browser(NamedTuple):
    address: str
    user_agent: str
    device: str = ""  # the `device_token` of an earlier sign-in
    forwarded_for: str = ""  # the client according to a private `address`, which may be a proxy


class SignInAttempt(NamedTuple):
    """A counted attempt; if `wait` is set, there were too many, and only the right password is accepted."""

    person_key: str
    address: tuple[SharedThrottle, str] | None
    wait: int = 0

    def refusal(self, wrong: ApiError) -> ApiError:
        return too_many_tries(self.wait) if self.wait else wrong


class SignInThrottle:
    """Counts attempts by person and by address; browsers with an earlier sign-in have their own count.

    An untrusted proxy makes all visitors share its address. After too many attempts, each forwarded address is counted
    instead, and a wrong password gets the same answer.
    """

    def __init__(self, script: Script) -> None:
        self._per_person = SharedThrottle(script, "sign-in:person", 5, WINDOW_SECONDS)
        self._per_address = SharedThrottle(script, "sign-in:address", 20, WINDOW_SECONDS)
        self._per_forwarded = SharedThrottle(script, "sign-in:forwarded", 20, WINDOW_SECONDS)

    async def consume(self, person: User | str, browser: Browser) -> SignInAttempt:
        """Raises RateLimitExceeded, without revealing if the person is known."""
        device = device_of(person, browser.device)  # counted separately, so that strangers cannot lock the person out
        address, wait = (None, 0) if device else await self._consume_address(browser)
        key = _key_of(person, device)
        if refused := await self._per_person.consume(key):
            raise too_many_tries(refused)
        return SignInAttempt(key, address, wait)

    async def _consume_address(self, browser: Browser) -> tuple[tuple[SharedThrottle, str], int]:
        network = network_of(browser.address)
        wait = await self._per_address.consume(network)
        if not wait:
            return (self._per_address, network), 0
        forwarded = f"{network_of(browser.forwarded_for)} by {network}"
        if not browser.forwarded_for or await self._per_forwarded.consume(forwarded):
            raise too_many_tries(wait)
        return (self._per_forwarded, forwarded), wait

    async def record_success(self, attempt: SignInAttempt) -> None:
        if attempt.address is not None:
            throttle, key = attempt.address
            await throttle.refund(key)
        await self._per_person.forget(attempt.person_key)


async def sign_in(
    email: str, password: str, browser: Browser, throttle: SignInThrottle
) -> NewSession | PendingTwoFactor:
    """Raises RateLimitExceeded, and ValidationError after the same time for wrong passwords and unknown people."""
    try:
        email = addresses.normalize(email).lower()
    except ValueError:
        email = email.strip().lower()[:254]
    user = await User.get_or_none(email=email)
    attempt = await throttle.consume(user or email, browser)
    is_right = await crypto.verify_password(password, user.password_hash if user else None)
    org = await first_organization(user) if user and is_right else None
    if user is None or org is None:
        raise attempt.refusal(ValidationError.of("", WRONG))
    if user.totp_secret is not None:
        return PendingTwoFactor(user)  # the attempt counts until the code is right
    await throttle.record_success(attempt)
    renewed = await crypto.hash_password(password) if crypto.needs_rehash(user.password_hash) else user.password_hash
    async with db.write_transaction():
        if not await user.lock_if_password_unchanged():  # changing the password ended all sessions
            raise ValidationError.of("", WRONG)
        if renewed != user.password_hash:
            await User.filter(id=user.id).update(password_hash=renewed)
        return await open_session(user, org, browser)


async def first_organization(user: User) -> Organization | None:
    membership = await Membership.across_orgs().filter(user_id=user.id).order_by("id").first()
    return None if membership is None else await Organization.get(id=membership.org_id)


def device_token(email: str) -> str:
    """A cookie that gives this browser its own throttle at the next sign-in."""
    nonce = crypto.new_token()[:16]
    return f"{nonce}.{crypto.sign('device', f'{nonce} {email}')}"


def device_of(person: User | str, device: str) -> str | None:
    """The key of a browser in which the person signed in before."""
    email = person if isinstance(person, str) else person.email
    nonce, _, signature = device.partition(".")
    return f"device {nonce}" if crypto.is_signed("device", f"{nonce} {email}", signature) else None


def _key_of(person: User | str, device: str | None) -> str:
    if isinstance(person, str):
        return device or person
    return f"{device or person.email} {crypto.digest(person.password_hash)}"


async def open_session(user: User, org: Organization, browser: Browser) -> NewSession:
    token, now = crypto.new_token(), clock.now()
    await Session.filter(user_id=user.id, expires_at__lt=now).delete()
    session = await Session.create(
        token_hash=crypto.digest(token),
        user=user,
        org=org,
        csrf_token=crypto.new_token(),
        address=browser.address[:64],
        user_agent=browser.user_agent[:255].encode(errors="replace").decode().replace("\0", ""),
        last_seen_at=now,
        expires_at=now + ABSOLUTE,
    )
    return NewSession(session, token)


async def find_signed_in_user(token: str) -> SignedInUser | None:
    session = await Session.get_or_none(token_hash=crypto.digest(token)).select_related("user")
    now = clock.now()
    if session is None or session.expires_at <= now or session.last_seen_at <= now - IDLE:
        return None
    memberships = await Membership.across_orgs().filter(user_id=session.user_id).select_related("org")
    here = next((membership for membership in memberships if membership.org_id == session.org_id), None)
    if here is None:
        return None
    if session.last_seen_at <= now - SEEN_EVERY:
        await Session.filter(id=session.id).update(last_seen_at=now)
    organizations = sorted(
        (membership.org for membership in memberships), key=lambda org: (org.name.casefold(), org.id)
    )
    return SignedInUser(session, session.user, here.org, Role(here.role), organizations)


def own_organization(signed_in: SignedInUser, org_id: UUID) -> Organization:
    """Raises NotFound."""
    org = next((org for org in signed_in.organizations if org.id == org_id), None)
    if org is None:
        raise NotFound
    return org


async def move_session(session: Session, org: Organization) -> None:
    """Also invalidates the forms of the session's open pages."""
    await Session.filter(id=session.id).update(org_id=org.id, csrf_token=crypto.new_token())


async def list_sessions(user: User) -> list[Session]:
    return await _active().filter(user_id=user.id).order_by("-last_seen_at", "-id")


async def end_other_sessions(signed_in: SignedInUser) -> int:
    return await _active().filter(user_id=signed_in.user.id).exclude(id=signed_in.session.id).delete()


def _active() -> QuerySet[Session]:
    now = clock.now()
    return Session.filter(expires_at__gt=now, last_seen_at__gt=now - IDLE)


class SessionWatch:
    """Checks every CHECK_SECONDS, with one query for all streams of the process, that sessions are open."""

    def __init__(self) -> None:
        self._watching: Counter[UUID] = Counter()
        self._open: set[tuple[UUID, UUID]] = set()  # sessions with their organizations
        self._next_at = 0.0
        self._lock = asyncio.Lock()

    @contextlib.contextmanager
    def watching(self, session_id: UUID, org: Organization) -> Iterator[None]:
        self._watching[session_id] += 1
        self._open.add((session_id, org.id))
        try:
            yield
        finally:
            self._watching[session_id] -= 1
            if not self._watching[session_id]:
                del self._watching[session_id]

    async def is_open(self, session_id: UUID, org: Organization) -> bool:
        """As of at most CHECK_SECONDS ago."""
        async with self._lock:
            if clock.elapsed() >= self._next_at:
                checked = set(self._watching)
                sessions = await _active().filter(id__in=list(checked))
                people = Membership.across_orgs().filter(user_id__in=[session.user_id for session in sessions])
                members = {(member.user_id, member.org_id) for member in await people}
                still_open = {
                    (session.id, session.org_id) for session in sessions if (session.user_id, session.org_id) in members
                }
                newer = self._watching.keys() - checked  # added during the query
                self._open = still_open | {pair for pair in self._open if pair[0] in newer}
                self._next_at = clock.elapsed() + CHECK_SECONDS
        return (session_id, org.id) in self._open


async def end_session(token: str) -> None:
    await Session.filter(token_hash=crypto.digest(token)).delete()


async def end_all_sessions() -> None:
    await Session.all().delete()
    await OneTimeLink.all().delete()


async def end_sessions_in(org: Organization, user_id: UUID) -> None:
    """Call it after the transaction that removed the person, because sign-in locks sessions before organizations."""
    await Session.filter(user_id=user_id, org_id=org.id).delete()


async def forget_old_sessions() -> None:
    now = clock.now()
    await Session.filter(Q(expires_at__lte=now) | Q(last_seen_at__lte=now - IDLE)).delete()
