"""Accepts invitations: a link works for one address and grants what its inviter may still grant."""

from enum import StrEnum

from pydantic import Field
from tortoise.exceptions import IntegrityError

from webapp import clock, crypto, db
from webapp.domain.audit.audit import AuditAction, act_as, record
from webapp.domain.auth import sessions
from webapp.domain.auth.names import PersonName
from webapp.domain.auth.passwords import Password, check_own_password
from webapp.domain.auth.sessions import Browser, NewSession, PendingTwoFactor, SignedInUser, SignInThrottle
from webapp.domain.inputs import Input
from webapp.domain.roles import Role, role_in
from webapp.domain.team.invitations import may_give
from webapp.errors import Conflict, Forbidden, NotFound
from webapp.models import Invitation, Membership, User


class InvitationState(StrEnum):
    SOMEBODY_ELSE = "somebody_else"  # signed in with another address
    WELCOME = "welcome"
    MEMBER = "member"  # already in the organization
    KNOWN = "known"  # not signed in, and the address has an account
    HOMELESS = "homeless"  # like KNOWN, but without organization, so unable to sign in first
    NEW = "new"


class NewUserForm(PersonName):
    password: Password


class ExistingUserForm(Input):
    current_password: str = Field(repr=False)


async def find_by_token(token: str) -> Invitation:
    """Raises NotFound unless the link works."""
    known = Invitation.across_orgs().filter(token_hash=crypto.digest(token), expires_at__gt=clock.now())
    invitation = await known.select_related("org", "inviter").first()
    if invitation is None or not may_give(await role_in(invitation.org, invitation.inviter_id), Role(invitation.role)):
        raise NotFound
    return invitation


async def state_for(invitation: Invitation, visitor: User | None) -> InvitationState:
    if visitor is not None:
        if visitor.email != invitation.email:
            return InvitationState.SOMEBODY_ELSE
        return InvitationState.WELCOME if await role_in(invitation.org, visitor.id) is None else InvitationState.MEMBER
    user = await User.get_or_none(email=invitation.email)
    if user is not None:
        return InvitationState.HOMELESS if await sessions.first_organization(user) is None else InvitationState.KNOWN
    return InvitationState.NEW


async def join(token: str, signed_in: SignedInUser) -> None:
    """Locks the organization. Raises NotFound, Forbidden for another address, Conflict for a member."""
    async with db.write_transaction():
        invitation = await _locked_invitation(token)
        await _admit(invitation, signed_in.user)
        await sessions.move_session(signed_in.session, invitation.org)


async def join_as_new(token: str, data: NewUserForm, browser: Browser) -> NewSession:
    """Creates the person. Raises NotFound, Conflict if the address has an account."""
    await find_by_token(token)  # before the expensive hashing
    hashed = await crypto.hash_password(data.password)
    try:
        async with db.write_transaction():
            invitation = await _locked_invitation(token)
            user = await User.create(email=invitation.email, password_hash=hashed, **data.parts())
            act_as(user, browser.address)
            await _admit(invitation, user)
            return await sessions.open_session(user, invitation.org, browser)
    except IntegrityError:
        raise Conflict("This email address already has an account. Open the link again and sign in.") from None


async def join_as_existing(
    token: str, data: ExistingUserForm, browser: Browser, throttle: SignInThrottle
) -> NewSession | PendingTwoFactor:
    """For a person without organization. Raises like `join` and `sign_in`."""
    invitation = await find_by_token(token)
    user = await User.get_or_none(email=invitation.email)
    if user is None:
        raise NotFound
    await throttle.record_success(await check_own_password(user, data.current_password, browser, throttle))
    act_as(user, browser.address)
    async with db.write_transaction():
        await _admit(await _locked_invitation(token), user)
    return await sessions.sign_in(user.email, data.current_password, browser, throttle)


async def _locked_invitation(token: str) -> Invitation:
    """Reads committed data; the organization stays locked until the transaction ends."""
    await (await find_by_token(token)).org.lock()
    return await find_by_token(token)


async def _admit(invitation: Invitation, user: User) -> None:
    org = invitation.org
    if user.email != invitation.email:
        raise Forbidden("this invitation is for another address")
    if await role_in(org, user.id) is not None:
        raise Conflict(f"you are already in {org.name}")
    await invitation.delete()
    await Membership.create(org=org, user=user, role=invitation.role)
    inviter = invitation.inviter.name_and_email if invitation.inviter else None
    await record(org, AuditAction.MEMBER_JOINED, user.id, user.email, role=invitation.role, invited_by=inviter)
