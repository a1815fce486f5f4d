"""Signing up: who has a link, mailed to their address or given by the operator, makes an organization of their own."""

from typing import Annotated

from pydantic import AfterValidator, Field
from tortoise.exceptions import IntegrityError

from webapp import crypto, db
from webapp.config import settings
from webapp.config.mail import SignUp
from webapp.domain.auth.one_time_links import Asker, Purpose, address_of, make_link, use_link
from webapp.domain.auth.owners import check_name, check_timezone, found_organization
from webapp.domain.auth.passwords import check_password, put_password
from webapp.domain.auth.sessions import Browser, Halfway, Opened, home_of, open_session
from webapp.domain.inputs import Input, read_input
from webapp.errors import ConfigError, Conflict, NotFound
from webapp.models import User

KNOWN = "This address has an account by now. Sign in with it."


class Newcomer(Input):
    """What the page behind the mailed link asks for."""

    organization: Annotated[str, AfterValidator(check_name)]
    timezone: Annotated[str, AfterValidator(check_timezone)]
    password: Annotated[str, AfterValidator(check_password)] = Field(repr=False)


def is_open() -> bool:
    """Whether anybody may sign up here."""
    return settings().sign_up is SignUp.OPEN


def check_open() -> None:
    """Raise NotFound where nobody asks for a link to sign up."""
    if not is_open():
        raise NotFound


def check_links_work() -> None:
    """Raise NotFound where not even a link signs anybody up."""
    if settings().sign_up is SignUp.CLOSED:
        raise NotFound


async def make_sign_up_link(email: str) -> str:
    """The operator's link for an address; an older one stops working.

    Raises ConfigError where nobody signs up, ValidationError for what is no address, Conflict for one with an account.
    """
    if settings().sign_up is SignUp.CLOSED:
        raise ConfigError("PENNYPOST_SIGN_UP is closed: set it to invite, here and where the web runs")
    asker = read_input(Asker, {"email": email}, strict=True)
    user = await User.get_or_none(email=asker.email)
    if user is not None and await home_of(user) is not None:
        raise Conflict(f"{asker.email} has an account already: pennypost create-org gives it another organization")
    return f"{settings().base_url}/sign-up/{await make_link(Purpose.SIGN_UP, asker.email)}"


async def sign_up(token: str, newcomer: Newcomer, browser: Browser) -> Opened | Halfway:
    """Make the person and their organization, and sign them in.

    Somebody who is in no organization any more keeps their second step, and gets the new password: they have proved
    that the address is theirs. Raises NotFound where nobody signs up and for a link that does not work, Conflict for
    somebody who has an account by now.
    """
    check_links_work()
    email = await address_of(Purpose.SIGN_UP, token)  # before anything is hashed for a stranger
    hashed = await crypto.hash_password(newcomer.password)
    try:
        async with db.write_transaction():
            await use_link(Purpose.SIGN_UP, token)
            user = await _person(email, hashed)
            org = await found_organization(newcomer.organization, newcomer.timezone, settings().sign_up_plan, user)
            return Halfway(user) if user.totp_secret is not None else await open_session(user, org, browser)
    except IntegrityError:  # an invitation made the person at the same moment
        raise Conflict(KNOWN) from None


async def _person(email: str, hashed: str) -> User:
    user = await User.get_or_none(email=email)
    if user is None:
        return await User.create(email=email, password_hash=hashed)
    if await home_of(user) is not None:
        raise Conflict(KNOWN)
    await put_password(user, hashed)
    return user
