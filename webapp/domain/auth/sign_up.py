"""Signs up: a link by email or from the operator creates an organization."""

from tortoise.exceptions import IntegrityError

from webapp import crypto, db
from webapp.config import settings
from webapp.config.mail import SignUp
from webapp.domain.auth.one_time_links import LinkRequest, Purpose, create_link, find_address, use_link
from webapp.domain.auth.owners import NewOrganization, create_organization
from webapp.domain.auth.passwords import set_password
from webapp.domain.auth.sessions import Browser, NewSession, PendingTwoFactor, first_organization, open_session
from webapp.domain.inputs import read_input
from webapp.errors import ConfigError, Conflict, NotFound
from webapp.models import User

KNOWN = "This email address already has an account. Sign in instead."


def is_open() -> bool:
    return settings().sign_up is SignUp.OPEN


def check_open() -> None:
    """Raises NotFound."""
    if not is_open():
        raise NotFound


def check_links_work() -> None:
    """Raises NotFound."""
    if settings().sign_up is SignUp.CLOSED:
        raise NotFound


async def create_sign_up_link(email: str) -> str:
    """Raises ConfigError while sign-up is closed, ValidationError, Conflict if the person has an account."""
    if settings().sign_up is SignUp.CLOSED:
        raise ConfigError("PENNYPOST_SIGN_UP is closed: set it to invite, here and for the web process")
    request = read_input(LinkRequest, {"email": email}, strict=True)
    user = await User.get_or_none(email=request.email)
    if user is not None and await first_organization(user) is not None:
        raise Conflict(f"{request.email} already has an account: add an organization with pennypost create-org")
    return f"{settings().base_url}/sign-up/{await create_link(Purpose.SIGN_UP, request.email)}"


async def sign_up(token: str, newcomer: NewOrganization, browser: Browser) -> NewSession | PendingTwoFactor:
    """Raises NotFound if the link is invalid or sign-up is closed, Conflict if the address has an account."""
    check_links_work()
    email = await find_address(Purpose.SIGN_UP, token)  # before the expensive hashing
    hashed = await crypto.hash_password(newcomer.password)
    try:
        async with db.write_transaction():
            await use_link(Purpose.SIGN_UP, token)
            user = await User.get_or_none(email=email)
            if user is None:
                user = await User.create(email=email, password_hash=hashed, **newcomer.parts())
            elif await first_organization(user) is not None:
                raise Conflict(KNOWN)
            else:
                await set_password(user, hashed)  # the link proves that the address is theirs; a second factor stays
                names = {name: text for name, text in newcomer.parts().items() if text}
                await user.update_from_dict(names).save(update_fields=[*names, "updated_at"])
            org = await create_organization(newcomer.organization, newcomer.timezone, settings().sign_up_plan, user)
            return PendingTwoFactor(user) if user.totp_secret is not None else await open_session(user, org, browser)
    except IntegrityError:  # a concurrent invitation created the person
        raise Conflict(KNOWN) from None
