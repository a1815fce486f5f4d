"""Signing in and out. A browser holds a token, the database its SHA-256."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from tortoise.expressions import Q

from webapp import addresses, clock, crypto
from webapp.domain.roles import Role
from webapp.domain.throttle import Throttle
from webapp.errors import RateLimitExceeded, ValidationError
from webapp.models import Membership, Organization, Session, User

ABSOLUTE = timedelta(days=30)  # a session ends then, however busy
IDLE = timedelta(days=14)  # and sooner when nobody uses it
SEEN_EVERY = timedelta(minutes=5)  # between two writes of last_seen_at
WINDOW_SECONDS = 15 * 60
WRONG = "The email or the password is wrong."


class Visit(NamedTuple):
    """A live session with the person, the organization they look at and their role in it."""

    session: Session
    user: User
    org: Organization
    role: Role


class Opened(NamedTuple):
    """A new session and the token that its browser keeps; the token is never seen again."""

    session: Session
    token: str


class Browser(NamedTuple):
    """What asks to sign in. `device` is what `device_token` gave it when this person signed in here before."""

    address: str
    user_agent: str
    device: str = ""


@dataclass
class SignInThrottle:
    """Wrong passwords per person and per address.

    A browser that the person used before is counted apart and without its address, so that tries of strangers, also
    of those behind the same address, lock nobody out.
    """

    per_person: Throttle = field(default_factory=lambda: Throttle(5, WINDOW_SECONDS))
    per_address: Throttle = field(default_factory=lambda: Throttle(20, WINDOW_SECONDS))

    def take(self, email: str, browser: Browser) -> None:
        """Count a try. Raises RateLimitExceeded when there were too many, the same for known and unknown people."""
        device = _device_of(email, browser.device)
        wait = (0 if device else self.per_address.take(browser.address)) or self.per_person.take(device or email)
        if wait:
            minutes = -(-wait // 60)
            raise RateLimitExceeded(
                f"Too many tries. Wait {minutes} minute{'s' if minutes > 1 else ''} and try again.", wait
            )

    def passed(self, email: str, browser: Browser) -> None:
        """The try was a good one: forget it."""
        device = _device_of(email, browser.device)
        if device is None:
            self.per_address.give_back(browser.address)
        self.per_person.forget(device or email)


async def sign_in(email: str, password: str, browser: Browser, throttle: SignInThrottle) -> Opened:
    """A new session. Raises ValidationError, the same and after the same time for a wrong and for an unknown person."""
    email = _as_typed(email)
    throttle.take(email, browser)
    user = await User.get_or_none(email=email)
    is_right = await crypto.verify_password(password, user.password_hash if user else None)
    membership = await Membership.across_orgs().filter(user_id=user.id).order_by("id").first() if user else None
    if user is None or membership is None or not is_right:
        raise ValidationError.of("", WRONG)
    throttle.passed(email, browser)
    if crypto.needs_rehash(user.password_hash):
        await User.filter(id=user.id).update(password_hash=await crypto.hash_password(password))
    return await open_session(user, await Organization.get(id=membership.org_id), browser)


def _as_typed(email: str) -> str:
    try:
        return addresses.normalize(email).lower()
    except ValueError:
        return email.strip().lower()[:254]


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
    session = await Session.get_or_none(token_hash=crypto.digest(token)).select_related("user", "org")
    now = clock.now()
    if session is None or session.expires_at <= now or session.last_seen_at <= now - IDLE:
        return None
    membership = await Membership.of(session.org).get_or_none(user_id=session.user_id)
    if membership is None:
        return None
    if session.last_seen_at <= now - SEEN_EVERY:
        await Session.filter(id=session.id).update(last_seen_at=now)
    return Visit(session, session.user, session.org, Role(membership.role))


async def end_session(token: str) -> None:
    """End the session of a token, at once and for every process."""
    await Session.filter(token_hash=crypto.digest(token)).delete()


async def forget_old_sessions() -> None:
    """Remove the sessions that no browser can use any more."""
    now = clock.now()
    await Session.filter(Q(expires_at__lte=now) | Q(last_seen_at__lte=now - IDLE)).delete()
