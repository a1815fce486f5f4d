"""Signing in and out. A browser holds a token, the database its SHA-256."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tortoise.expressions import Q
from tortoise.queryset import QuerySet

from webapp import addresses, clock, crypto, db
from webapp.domain.roles import Role
from webapp.domain.throttle import Script, SharedThrottle, network_of
from webapp.errors import NotFound, RateLimitExceeded, ValidationError
from webapp.models import Membership, OneTimeLink, Organization, Session, User

ABSOLUTE = timedelta(days=30)  # a session ends then, however busy
IDLE = timedelta(days=14)  # and sooner when nobody uses it
SEEN_EVERY = timedelta(minutes=5)  # between two writes of last_seen_at
WINDOW_SECONDS = 15 * 60
WRONG = "The email or the password is wrong."


class Visit(NamedTuple):
    """A live session with the person, the organization they look at and their role in it.

    `organizations` are all that they are in, by name.
    """

    session: Session
    user: User
    org: Organization
    role: Role
    organizations: Sequence[Organization]


class Opened(NamedTuple):
    """A new session and the token that its browser keeps; the token is never seen again."""

    session: Session
    token: str


class Halfway(NamedTuple):
    """Somebody who gave the right password, and is asked for a code next: see two_step."""

    user: User


class Browser(NamedTuple):
    """What asks to sign in. `device` is what `device_token` gave it when this person signed in here before."""

    address: str
    user_agent: str
    device: str = ""


class SignInThrottle:
    """Wrong passwords per person and per address, over all processes.

    A browser that the person used before is counted apart and without its address, so that tries of strangers, also
    of those behind the same address, lock nobody out.
    """

    def __init__(self, script: Script) -> None:
        """Count by what runs the script of shared throttles."""
        self._per_person = SharedThrottle(script, "sign-in:person", 5, WINDOW_SECONDS)
        self._per_address = SharedThrottle(script, "sign-in:address", 20, WINDOW_SECONDS)

    async def take(self, email: str, browser: Browser) -> None:
        """Count a try. Raises RateLimitExceeded when there were too many, the same for known and unknown people."""
        device = _device_of(email, browser.device)
        wait = 0 if device else await self._per_address.consume(network_of(browser.address))
        wait = wait or await self._per_person.consume(device or email)
        if wait:
            minutes = -(-wait // 60)
            raise RateLimitExceeded(
                f"Too many tries. Wait {minutes} minute{'s' if minutes > 1 else ''} and try again.", wait
            )

    async def passed(self, email: str, browser: Browser) -> None:
        """The try was a good one: forget it."""
        device = _device_of(email, browser.device)
        if device is None:
            await self._per_address.refund(network_of(browser.address))
        await self._per_person.forget(device or email)


async def sign_in(email: str, password: str, browser: Browser, throttle: SignInThrottle) -> Opened | Halfway:
    """A new session, or who it is that still owes the second step.

    Raises ValidationError, the same and after the same time for a wrong and for an unknown person.
    """
    email = _as_typed(email)
    await throttle.take(email, browser)
    user = await User.get_or_none(email=email)
    is_right = await crypto.verify_password(password, user.password_hash if user else None)
    org = await home_of(user) if user and is_right else None
    if user is None or org is None:
        raise ValidationError.of("", WRONG)
    if user.totp_secret is not None:
        return Halfway(user)  # the try has not passed yet
    await throttle.passed(email, browser)
    renewed = await crypto.hash_password(password) if crypto.needs_rehash(user.password_hash) else user.password_hash
    async with db.write_transaction():
        if not await user.lock_if_password_unchanged():  # who changed it ended all sessions: this would be one more
            raise ValidationError.of("", WRONG)
        if renewed != user.password_hash:
            await User.filter(id=user.id).update(password_hash=renewed)
        return await open_session(user, org, browser)


def _as_typed(email: str) -> str:
    try:
        return addresses.normalize(email).lower()
    except ValueError:
        return email.strip().lower()[:254]


async def home_of(user: User) -> Organization | None:
    """The organization that a person looks at first; None for one who is in none."""
    membership = await Membership.across_orgs().filter(user_id=user.id).order_by("id").first()
    return None if membership is None else await Organization.get(id=membership.org_id)


def device_token(email: str) -> str:
    """What a browser keeps after this person signed in, to be counted apart from strangers at the next sign-in."""
    nonce = crypto.new_token()[:16]
    return f"{nonce}.{crypto.sign('device', f'{nonce} {email}')}"


def _device_of(email: str, device: str) -> str | None:
    nonce, _, signature = device.partition(".")
    return f"device {nonce}" if crypto.is_signed("device", f"{nonce} {email}", signature) else None


async def open_session(user: User, org: Organization, browser: Browser) -> Opened:
    """A session for somebody who has just proved who they are; the person's expired ones are removed."""
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
    return Opened(session, token)


async def find_visit(token: str) -> Visit | None:
    """The live session of a token; None when it is unknown, ended, expired, or the person left the organization."""
    session = await Session.get_or_none(token_hash=crypto.digest(token)).select_related("user")
    now = clock.now()
    if session is None or session.expires_at <= now or session.last_seen_at <= now - IDLE:
        return None
    memberships = await Membership.across_orgs().filter(user_id=session.user_id).select_related("org")
    here = next((one for one in memberships if one.org_id == session.org_id), None)
    if here is None:
        return None
    if session.last_seen_at <= now - SEEN_EVERY:
        await Session.filter(id=session.id).update(last_seen_at=now)
    organizations = sorted((one.org for one in memberships), key=lambda org: (org.name.casefold(), org.id))
    return Visit(session, session.user, here.org, Role(here.role), organizations)


async def switch_organization(visit: Visit, org_id: UUID) -> Organization:
    """Let the session look at another organization of the person's. Raises NotFound for one that is none of theirs."""
    org = own_organization(visit, org_id)
    await move_session(visit.session, org)
    return org


def own_organization(visit: Visit, org_id: UUID) -> Organization:
    """One of the organizations that the person is in. Raises NotFound."""
    org = next((one for one in visit.organizations if one.id == org_id), None)
    if org is None:
        raise NotFound
    return org


async def move_session(session: Session, org: Organization) -> None:
    """Let a session look at `org`; the forms that its pages of before hold are void."""
    await Session.filter(id=session.id).update(org_id=org.id, csrf_token=crypto.new_token())


async def list_sessions(user: User) -> list[Session]:
    """The person's sessions that a browser can still use, in whichever organization, the busiest first."""
    return await _living(user).order_by("-last_seen_at", "-id")


async def end_other_sessions(visit: Visit) -> int:
    """End all sessions of the person but this one, at once and for every process; how many there were."""
    return await _living(visit.user).exclude(id=visit.session.id).delete()


async def open_among(ids: Sequence[UUID]) -> set[tuple[UUID, UUID]]:
    """Those of these sessions that are open, each with the organization it looks at and its person is in."""
    now = clock.now()
    living = Session.filter(id__in=list(ids), expires_at__gt=now, last_seen_at__gt=now - IDLE)
    found = [(one.id, one.user_id, one.org_id) for one in await living]
    people = Membership.across_orgs().filter(user_id__in=[user_id for _, user_id, _ in found])
    members = {(one.user_id, one.org_id) for one in await people}
    return {(session_id, org_id) for session_id, user_id, org_id in found if (user_id, org_id) in members}


def _living(user: User) -> QuerySet[Session]:
    now = clock.now()
    return Session.filter(user_id=user.id, expires_at__gt=now, last_seen_at__gt=now - IDLE)


async def end_session(token: str) -> None:
    """End the session of a token, at once and for every process."""
    await Session.filter(token_hash=crypto.digest(token)).delete()


async def end_all() -> None:
    """End every session, and void every link to a new password: some had ended since a backup was taken."""
    await Session.all().delete()
    await OneTimeLink.all().delete()


async def end_sessions_in(org: Organization, user_id: UUID) -> None:
    """End the sessions with which somebody who has left `org` looked at it.

    They open nothing as it is; outside the transaction that removed the person, which holds the organization: who
    signs in just then holds sessions and waits for it.
    """
    await Session.filter(user_id=user_id, org_id=org.id).delete()


async def forget_old_sessions() -> None:
    """Remove the sessions that no browser can use any more."""
    now = clock.now()
    await Session.filter(Q(expires_at__lte=now) | Q(last_seen_at__lte=now - IDLE)).delete()
