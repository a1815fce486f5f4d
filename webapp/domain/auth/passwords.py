"""Passwords: what makes one, changing one's own, and a new one by a mailed link."""

from typing import Annotated

from pydantic import AfterValidator, Field

from webapp import crypto, db
from webapp.domain.auth.one_time_links import Purpose, address_of, use_link, void_resets
from webapp.domain.auth.sessions import Browser, Halfway, Opened, SignInThrottle, Visit, home_of, open_session
from webapp.domain.inputs import Input
from webapp.errors import NotFound, ValidationError
from webapp.models import Session, User

PASSWORD_CHARACTERS = 10  # at least; a long one beats a wild one (NIST SP 800-63B, 5.1.1.2)
WRONG = "This is not your password."


def check_password(text: str) -> str:
    """A password that is long enough, as it was typed; ValueError with a sentence when it is none."""
    if len(text) < PASSWORD_CHARACTERS:
        raise ValueError(f"must have at least {PASSWORD_CHARACTERS} characters")
    if len(text.encode(errors="replace")) > crypto.MAX_PASSWORD_BYTES:
        raise ValueError(f"must have at most {crypto.MAX_PASSWORD_BYTES:,} bytes")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("has a character that cannot be stored")
    return text


class PasswordChange(Input):
    """A person's new password, and the one they have."""

    current_password: str = Field(repr=False)
    new_password: Annotated[str, AfterValidator(check_password)] = Field(repr=False)


async def change_password(visit: Visit, data: PasswordChange, browser: Browser, throttle: SignInThrottle) -> Opened:
    """Set one's own password and end all one's sessions; this browser goes on with the one returned.

    Raises ValidationError, and RateLimitExceeded after as many wrong tries as at sign-in: they are counted together.
    """
    user = visit.user
    await check_own_password(user, data.current_password, browser, throttle)
    await throttle.passed(user.email, browser)
    if data.new_password == data.current_password:
        raise ValidationError.of("new_password", "new_password must be another than the one you have")
    hashed = await crypto.hash_password(data.new_password)
    async with db.write_transaction():
        if not await user.lock_if_password_unchanged():
            raise ValidationError.of("current_password", WRONG)
        await put_password(user, hashed)
        return await open_session(user, visit.org, browser)


async def check_own_password(user: User, password: str, browser: Browser, throttle: SignInThrottle) -> None:
    """Raise ValidationError unless this is the person's password; the caller says when the try has passed."""
    await throttle.take(user.email, browser)
    if not await crypto.verify_password(password, user.password_hash):
        raise ValidationError.of("current_password", WRONG)


class NewPassword(Input):
    """What the page behind a mailed link asks for."""

    new_password: Annotated[str, AfterValidator(check_password)] = Field(repr=False)


async def reset_by_link(token: str, data: NewPassword, browser: Browser) -> Opened | Halfway:
    """Set the password of whom the link was mailed to, and sign them in; a second step is asked for all the same.

    Raises NotFound for a link that does not work, and for somebody who is in no organization any more.
    """
    email = await address_of(Purpose.RESET, token)  # before anything is hashed for a stranger
    hashed = await crypto.hash_password(data.new_password)
    async with db.write_transaction():
        # The person before the link, as where a password is changed: else the two could wait for each other.
        user = await User.filter(email=email).select_for_update().get_or_none()
        await use_link(Purpose.RESET, token)
        org = await home_of(user) if user is not None else None
        if user is None or org is None:
            raise NotFound
        await put_password(user, hashed)
        return Halfway(user) if user.totp_secret is not None else await open_session(user, org, browser)


async def put_password(user: User, hashed: str) -> None:
    """Keep a new password, and end all that the old one opened, inside the caller's transaction."""
    user.password_hash = hashed
    await user.save(update_fields=["password_hash", "updated_at"])
    await Session.filter(user_id=user.id).delete()
    await void_resets(user.email)
