"""Two-step sign-in: a code of an authenticator app after the password, or a recovery code where the app is lost.

A code of the app counts once, and so does a recovery code. Tries are counted with those of the password.
"""

import json
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import Field

from webapp import clock, crypto, db
from webapp.domain import link_signing
from webapp.domain.auth import totp
from webapp.domain.auth.passwords import check_own_password
from webapp.domain.auth.sessions import Browser, Halfway, Opened, SignInThrottle, Visit, home_of, open_session
from webapp.domain.inputs import Input
from webapp.errors import ConfigError, Conflict, ValidationError
from webapp.models import RecoveryCode, Session, User

HALFWAY = timedelta(minutes=10)  # between the password and the code
CODES = 10
CODE_LENGTH = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base32: what looks like 1 or 0 is none of it
LOOKALIKES = str.maketrans("oil", "011", "- ")
WRONG = "This code is wrong, or it was used before."
STALE = "This page is no longer good. Start again with the new secret on it."


class Setup(NamedTuple):
    """A secret that is offered to a person, and the same sealed: their browser keeps it until they confirm it."""

    secret: str
    sealed: str
    uri: str


class Finished(NamedTuple):
    """A new session, and how many recovery codes are left where one of them opened it."""

    opened: Opened
    codes_left: int | None


class Confirmation(Input):
    """What turns two-step sign-in on or off, or gives new recovery codes."""

    current_password: str = Field(repr=False)
    code: str = Field(repr=False, max_length=100)


def offer_setup(visit: Visit, sealed: str = "") -> Setup:
    """The secret that was offered to this session before, or a new one. Raises ValidationError for one that was not."""
    place = f"setup of {visit.session.id}"
    try:
        secret = crypto.unseal(sealed, place) if sealed else totp.new_secret()
    except (ConfigError, ValueError):
        raise ValidationError.of("", STALE) from None
    return Setup(secret, sealed or crypto.seal(secret, place), totp.setup_uri(secret, visit.user.email))


async def turn_on(
    visit: Visit, setup: Setup, data: Confirmation, browser: Browser, throttle: SignInThrottle
) -> list[str]:
    """Ask for a code from now on, and end all other sessions. Returns the recovery codes, which are nowhere kept.

    Raises ValidationError for a wrong password or code, Conflict where it is on already.
    """
    user = visit.user
    await check_own_password(user, data.current_password, browser, throttle)
    step = totp.matching_step(setup.secret, data.code, clock.now())
    if step is None:
        raise ValidationError.of("code", WRONG)
    await throttle.passed(user.email, browser)
    async with db.write_transaction():
        sealed = seal_secret(user, setup.secret)
        if not await User.filter(id=user.id, totp_secret=None).update(totp_secret=sealed, totp_step=step):
            raise Conflict("Two-step sign-in is on already.")
        await Session.filter(user_id=user.id).exclude(id=visit.session.id).delete()
        return await _new_recovery_codes(user)


async def renew_recovery_codes(
    visit: Visit, data: Confirmation, browser: Browser, throttle: SignInThrottle
) -> list[str]:
    """Put new recovery codes in the place of those that are left. Raises what `turn_off` raises."""
    user = visit.user
    await check_own_password(user, data.current_password, browser, throttle)
    async with db.write_transaction():
        if not await _use_code(user, data.code):
            raise ValidationError.of("code", WRONG)
        await RecoveryCode.filter(user_id=user.id).delete()
        codes = await _new_recovery_codes(user)
    await throttle.passed(user.email, browser)
    return codes


async def turn_off(visit: Visit, data: Confirmation, browser: Browser, throttle: SignInThrottle) -> None:
    """Ask for no code any more. Raises ValidationError for a wrong password or code; a recovery code is one too."""
    user = visit.user
    await check_own_password(user, data.current_password, browser, throttle)
    async with db.write_transaction():
        if not await _use_code(user, data.code):
            raise ValidationError.of("code", WRONG)
        await forget_second_step(user)
    await throttle.passed(user.email, browser)


async def forget_second_step(user: User) -> None:
    """Remove the secret and the recovery codes, inside the caller's transaction."""
    await User.filter(id=user.id).update(totp_secret=None, totp_step=None)
    await RecoveryCode.filter(user_id=user.id).delete()


async def count_recovery_codes(user: User) -> int:
    """How many are left."""
    return await RecoveryCode.filter(user_id=user.id).count()


def keep_halfway(halfway: Halfway, since: datetime | None = None) -> str:
    """What the browser keeps after the password was given (default: now) until the code is.

    A new password makes it worthless.
    """
    ends_at = ((since or clock.now()) + HALFWAY).timestamp()
    return crypto.seal(json.dumps([str(halfway.user.id), _password_mark(halfway.user), ends_at]), "half-way sign-in")


async def find_halfway(kept: str) -> Halfway | None:
    """Who has given the password and not yet the code; None when that was too long ago, or there is no such one."""
    try:
        user_id, mark, ends_at = json.loads(crypto.unseal(kept, "half-way sign-in"))
    except (ConfigError, ValueError):
        return None
    user = await User.get_or_none(id=user_id)
    if user is None or ends_at < clock.now().timestamp() or not crypto.same(mark, _password_mark(user)):
        return None
    return Halfway(user)


async def finish_sign_in(halfway: Halfway, code: str, browser: Browser, throttle: SignInThrottle) -> Finished:
    """A new session for the right code. Raises ValidationError, and RateLimitExceeded after too many tries."""
    user = halfway.user
    await throttle.take(user.email, browser)
    org = await home_of(user)
    async with db.write_transaction():
        before = await count_recovery_codes(user)
        if org is None or not await user.lock_if_password_unchanged() or not await _use_code(user, code):
            raise ValidationError.of("code", WRONG)
        left = await count_recovery_codes(user)
        opened = await open_session(user, org, browser)
    await throttle.passed(user.email, browser)
    return Finished(opened, None if left == before else left)


async def _use_code(user: User, code: str) -> bool:
    """Whether the code is good; it is used up with the caller's transaction."""
    if user.totp_secret is None:
        return False
    step = totp.matching_step(open_secret(user), code, clock.now())
    if step is None:
        return await _use_recovery_code(user, code)
    known = User.filter(id=user.id, totp_secret=user.totp_secret, totp_step__lt=step)
    return bool(await known.update(totp_step=step))


async def _use_recovery_code(user: User, code: str) -> bool:
    for kept in await RecoveryCode.filter(user_id=user.id):
        if link_signing.is_signed("recovery code", _signed_text(user, code), kept.code_hash):
            return bool(await RecoveryCode.filter(id=kept.id).delete())
    return False


def open_secret(user: User) -> str:
    """The secret that the app shares. Raises ConfigError when no key of ours opens it."""
    return crypto.unseal(user.totp_secret or "", _place(user))


def seal_secret(user: User, plain: str) -> str:
    """Seal the secret that the app shares, so that it opens for this person alone."""
    return crypto.seal(plain, _place(user))


def _place(user: User) -> str:
    return f"{user.id}:totp_secret"


def _password_mark(user: User) -> str:
    return crypto.digest(user.password_hash)


async def _new_recovery_codes(user: User) -> list[str]:
    codes = [_random_code() for _ in range(CODES)]
    hashes = [link_signing.sign("recovery code", _signed_text(user, code)) for code in codes]
    await RecoveryCode.bulk_create([RecoveryCode(user_id=user.id, code_hash=hashed) for hashed in hashes])
    return codes


def _random_code() -> str:
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def _signed_text(user: User, code: str) -> str:
    """A code as it is signed: 50 bits would soon be found from a plain hash, so a key of ours is part of it."""
    return f"{user.id} {code.strip().lower().translate(LOOKALIKES)}"
