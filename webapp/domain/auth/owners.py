"""Organizations and their owners: the first claim, further organizations, passwords set by the operator."""

from collections.abc import Callable
from importlib.resources import files
from typing import Annotated
from uuid import UUID
from zoneinfo import available_timezones

from pydantic import AfterValidator
from tortoise.exceptions import IntegrityError

from webapp import addresses, crypto, db
from webapp.config import settings
from webapp.domain.accounts import accounts
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth.names import PersonName
from webapp.domain.auth.passwords import Password, check_password, set_password
from webapp.domain.auth.two_step import remove_second_step
from webapp.domain.inputs import LoginEmail, Timezone, check_timezone, login_email
from webapp.domain.plans import limits
from webapp.domain.plans.plans import SELF_HOSTED, plan_named, plan_table
from webapp.domain.roles import Role
from webapp.errors import ConfigError, Conflict, InvalidValue, NotFound, ValidationError
from webapp.models import ClaimLink, Membership, Organization, User, instance

LIVE_CLAIM_LINKS = 20  # each web process creates one at its start while the instance has no owner


def _zones_of_countries() -> set[str]:
    """The zones that tzdata lists for countries, without former names such as Africa/Asmera."""
    lines = (files("tzdata") / "zoneinfo" / "zone.tab").read_text().splitlines()
    return {line.split("\t")[2] for line in lines if not line.startswith("#")}


TIMEZONES = ("UTC", *sorted(_zones_of_countries() & available_timezones()))  # offered; others stay valid


def check_name(text: str) -> str:
    """Raises ValueError with a sentence."""
    text = text.strip()
    if not text or len(text) > 200 or addresses.CONTROL.search(text):  # noqa: PLR2004 - the column's width
        raise ValueError("must be 1 to 200 characters on one line")
    return text


def check_plan(text: str) -> str:
    known = plan_table()
    if text not in known:
        raise InvalidValue.choice(f"one of {', '.join(known)}")
    return text


class NewOrganization(PersonName):
    organization: Annotated[str, AfterValidator(check_name)]
    timezone: Timezone
    password: Password


class NewOwner(NewOrganization):
    email: LoginEmail


async def create_claim_link(*, keeps_others: bool = False) -> str | None:
    """A token to create the first owner, or None if there is one.

    Invalidates older links, or with `keeps_others` all but the newest LIVE_CLAIM_LINKS.
    """
    token = crypto.new_token()
    async with db.write_transaction():
        await instance.lock()
        if await is_claimed():
            return None
        newest = await ClaimLink.all().order_by("-id").limit(LIVE_CLAIM_LINKS - 1) if keeps_others else []
        await ClaimLink.exclude(id__in=[link.id for link in newest]).delete()
        await ClaimLink.create(token_hash=crypto.digest(token))
    return token


async def check_claim_link(token: str) -> None:
    """Raises NotFound if the link is unknown, replaced or used."""
    if not await ClaimLink.filter(token_hash=crypto.digest(token)).exists() or await is_claimed():
        raise NotFound


async def claim_instance(token: str, owner: NewOwner) -> tuple[User, Organization]:
    """Raises NotFound as `check_claim_link` does."""
    hashed = await crypto.hash_password(owner.password)
    async with db.write_transaction():
        await instance.lock()  # of two concurrent claims, the second finds an owner
        await check_claim_link(token)
        await ClaimLink.all().delete()
        user = await User.create(email=owner.email, password_hash=hashed, **owner.parts())
        org = await create_organization(owner.organization, owner.timezone, SELF_HOSTED, user)
    return user, org


async def is_claimed() -> bool:
    return await Membership.across_orgs().filter(role=Role.OWNER).exists()


async def create_organization(name: str, timezone: str, plan: str, owner: User) -> Organization:
    """Creates its owner and sandbox account too, in the caller's transaction."""
    org = await Organization.create(name=name, timezone=timezone, plan=plan)
    await Membership.create(org=org, user=owner, role=Role.OWNER)
    await accounts.sandbox_account(org)
    return org


async def add_organization(
    name: str, owner_email: str, password: str | None, timezone: str, plan: str
) -> tuple[User, Organization]:
    """Existing owners keep their password and must not be given another. Raises ValidationError, Conflict."""
    name, email = _checked("name", check_name, name), _checked("owner", login_email, owner_email)
    timezone, plan = _checked("timezone", check_timezone, timezone), _checked("plan", check_plan, plan)
    user = await User.get_or_none(email=email)
    if user is None and password is None:
        raise ValidationError.of("password", f"{email} is a new user: set a password with --password-stdin")
    hashed = user.password_hash if user else await _hashed(password or "")
    if user and password and not await crypto.verify_password(password, user.password_hash):
        raise ValidationError.of(
            "password", f"{user.email} already has a different password: leave the password out to keep it"
        )
    try:
        async with db.write_transaction():
            user = user or await User.create(email=email, password_hash=hashed)
            return user, await create_organization(name, timezone, plan, user)
    except IntegrityError:
        raise Conflict(f"{email} was just added by someone else: try again") from None


def _checked(field: str, check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except ValueError as error:
        raise ValidationError.at(field, error) from None


async def _hashed(password: str) -> str:
    return await crypto.hash_password(_checked("password", check_password, password))


async def reset_password(email: str, password: str) -> User:
    """Also ends all sessions and disables two-step sign-in, which may be lost too. Raises NotFound."""
    user = await User.get_or_none(email=_checked("email", login_email, email))
    if user is None:
        raise NotFound(f"no user with the email address {email}")
    hashed = await _hashed(password)
    async with db.write_transaction():
        await set_password(user, hashed)
        await remove_second_step(user)
    return user


async def find_organization(org_id: str) -> Organization:
    """Raises NotFound."""
    try:
        org = await Organization.get_or_none(id=UUID(org_id))
    except ValueError:
        org = None
    if org is None:
        raise NotFound(f"no organization with the ID {org_id}: its Usage page shows the ID")
    return org


async def set_plan(org: Organization, plan: str) -> Organization:
    """Locks the organization. Raises ValidationError."""
    org.plan = _checked("plan", check_plan, plan)
    async with db.write_transaction():
        await org.lock()
        before = await org.locked_plan()
        await org.save(update_fields=["plan", "updated_at"])
        await limits.recount(org)
        if org.plan != before:
            await record(org, AuditAction.PLAN_CHANGED, org.id, org.name, plan=[before, org.plan])
    return org


async def check_plans() -> None:
    """Raises ConfigError unless all plans in use and for sign-ups are in the table; syncs the counters."""
    if settings().sign_up_plan not in plan_table():
        raise ConfigError(f"PENNYPOST_SIGN_UP_PLAN must be one of {', '.join(plan_table())}")
    for plan in await Organization.all().distinct().values_list("plan", flat=True):
        plan_named(str(plan))
    await limits.sync_counters()
