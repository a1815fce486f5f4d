"""Two-step sign-in: after the password, an app's code or a recovery code, each of which works once."""

import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import Field

from webapp import clock, crypto, db
from webapp.domain.auth import sessions, totp
from webapp.domain.auth.passwords import check_own_password
from webapp.domain.auth.sessions import Browser, NewSession, PendingTwoFactor, SignedInUser, SignInThrottle
from webapp.domain.inputs import Input
from webapp.errors import ConfigError, Conflict, ValidationError
from webapp.models import RecoveryCode, Session, User, instance

PENDING = timedelta(minutes=10)  # between password and code
CODES = 10
CODE_LENGTH = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base32, without lookalikes of 1 and 0
LOOKALIKES = str.maketrans("oil", "011", "- ")
WRONG = "This code is incorrect or was already used."
STALE = "This page has expired. Start again with the new key below."


class Setup(NamedTuple):
    secret: str
    sealed: str  # the encrypted secret, which the browser holds until it is confirmed
    uri: str


class TwoStepConfirmation(Input):
    current_password: str = Field(repr=False)
    code: str = Field(repr=False, max_length=100)


def offer_setup(signed_in: SignedInUser, sealed: str = "") -> Setup:
    """The secret offered to this session before, or a new one. Raises ValidationError for another session's."""
    binding = f"setup of {signed_in.session.id}"
    try:
        secret = crypto.unseal(sealed, binding) if sealed else totp.new_secret()
    except (ConfigError, ValueError):
        raise ValidationError.of("", STALE) from None
    return Setup(secret, sealed or crypto.seal(secret, binding), totp.setup_uri(secret, signed_in.user.email))


async def enable(
    signed_in: SignedInUser, setup: Setup, data: TwoStepConfirmation, browser: Browser, throttle: SignInThrottle
) -> list[str]:
    """Ends other sessions, returns recovery codes. Raises ValidationError, RateLimitExceeded, Conflict if enabled."""
    user = signed_in.user
    attempt = await check_own_password(user, data.current_password, browser, throttle)
    step = totp.matching_step(setup.secret, data.code, clock.now())
    if step is None:
        raise ValidationError.of("code", WRONG)
    await throttle.record_success(attempt)
    async with db.write_transaction():
        sealed = crypto.seal(setup.secret, binding(user))
        if not await User.filter(id=user.id, totp_secret=None).update(totp_secret=sealed, totp_step=step):
            raise Conflict("Two-step sign-in is already on.")
        await Session.filter(user_id=user.id).exclude(id=signed_in.session.id).delete()
        return await _new_recovery_codes(user)


async def renew_recovery_codes(
    signed_in: SignedInUser, data: TwoStepConfirmation, browser: Browser, throttle: SignInThrottle
) -> list[str]:
    """Raises like `disable`."""
    user = signed_in.user
    async with _confirmed(user, data, browser, throttle):
        await RecoveryCode.filter(user_id=user.id).delete()
        return await _new_recovery_codes(user)


async def disable(
    signed_in: SignedInUser, data: TwoStepConfirmation, browser: Browser, throttle: SignInThrottle
) -> None:
    """Also accepts a recovery code. Raises ValidationError for a wrong password or code, RateLimitExceeded."""
    async with _confirmed(signed_in.user, data, browser, throttle):
        await remove_second_step(signed_in.user)


@contextlib.asynccontextmanager
async def _confirmed(
    user: User, data: TwoStepConfirmation, browser: Browser, throttle: SignInThrottle
) -> AsyncIterator[None]:
    """A transaction that uses up the code."""
    attempt = await check_own_password(user, data.current_password, browser, throttle)
    async with db.write_transaction():
        if not await _use_code(user, data.code):
            raise ValidationError.of("code", WRONG)
        yield
    await throttle.record_success(attempt)


async def remove_second_step(user: User) -> None:
    """Call it in the caller's transaction."""
    await User.filter(id=user.id).update(totp_secret=None, totp_step=None)
    await RecoveryCode.filter(user_id=user.id).delete()


async def count_recovery_codes(user: User) -> int:
    return await RecoveryCode.filter(user_id=user.id).count()


def store_pending(pending: PendingTwoFactor, since: datetime | None = None) -> str:
    """The cookie between password and code; valid for PENDING unless the password changes."""
    ends_at = ((since or clock.now()) + PENDING).timestamp()
    user = pending.user
    return crypto.seal(json.dumps([str(user.id), crypto.digest(user.password_hash), ends_at]), "half-way sign-in")


async def load_pending(sealed: str) -> PendingTwoFactor | None:
    try:
        user_id, mark, ends_at = json.loads(crypto.unseal(sealed, "half-way sign-in"))
    except (ConfigError, ValueError):
        return None
    user = await User.get_or_none(id=user_id)
    if user is None or ends_at < clock.now().timestamp() or not crypto.same(mark, crypto.digest(user.password_hash)):
        return None
    return PendingTwoFactor(user)


async def finish_sign_in(
    pending: PendingTwoFactor, code: str, browser: Browser, throttle: SignInThrottle
) -> tuple[NewSession, int | None]:
    """Also returns how many recovery codes are left, if one was used. Raises ValidationError, RateLimitExceeded."""
    user = pending.user
    attempt = await throttle.consume(user, browser)
    org = await sessions.first_organization(user)
    async with db.write_transaction():
        before = await count_recovery_codes(user)
        if org is None or not await user.lock_if_password_unchanged() or not await _use_code(user, code):
            raise ValidationError.of("code", WRONG)
        left = await count_recovery_codes(user)
        opened = await sessions.open_session(user, org, browser)
    await throttle.record_success(attempt)
    return opened, None if left == before else left


async def _use_code(user: User, code: str) -> bool:
    if user.totp_secret is None:
        return False
    step = totp.matching_step(crypto.unseal(user.totp_secret, binding(user)), code, clock.now())
    if step is not None:
        known = User.filter(id=user.id, totp_secret=user.totp_secret, totp_step__lt=step)
        return bool(await known.update(totp_step=step))
    for stored in await RecoveryCode.filter(user_id=user.id):
        if instance.is_signed("recovery code", _signed_text(user, code), stored.code_hash):
            return bool(await RecoveryCode.filter(id=stored.id).delete())
    return False


def binding(user: User, column: str = "totp_secret") -> str:
    return f"{user.id}:{column}"


async def _new_recovery_codes(user: User) -> list[str]:
    texts = ["".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)) for _ in range(CODES)]
    codes = [f"{text[: CODE_LENGTH // 2]}-{text[CODE_LENGTH // 2 :]}" for text in texts]
    hashes = [instance.sign("recovery code", _signed_text(user, code)) for code in codes]
    await RecoveryCode.bulk_create([RecoveryCode(user_id=user.id, code_hash=hashed) for hashed in hashes])
    return codes


def _signed_text(user: User, code: str) -> str:
    """Signed with our key, because a plain hash of 50 bits could be brute-forced."""
    return f"{user.id} {code.strip().lower().translate(LOOKALIKES)}"
