"""Invitations: who is asked to join an organization, as what, and by which link."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

from pydantic import AfterValidator

from webapp import clock, crypto, db
from webapp.config import settings
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth.one_time_links import check_email
from webapp.domain.inputs import Input
from webapp.domain.memberships import require_in, role_in
from webapp.domain.roles import Action, Role
from webapp.domain.team.team import PersonRole
from webapp.errors import Forbidden, RateLimitExceeded, ValidationError
from webapp.models import AuditEntry, Invitation, Membership, Organization, User
from webapp.models.row import first_id, made_at

LASTS = timedelta(days=7)
A_DAY, DAY = 10, timedelta(days=1)  # of an organization: each may be a mail to a stranger


class NewInvitation(Input):
    """Whom to invite, and as what."""

    email: Annotated[str, AfterValidator(check_email)]
    role: PersonRole


class Invited(NamedTuple):
    """A fresh invitation and its link, which is nowhere kept and can be shown only now."""

    invitation: Invitation
    link: str


class OpenInvitation(NamedTuple):
    """An invitation that waits. It is void when who made it may not make it any more."""

    invitation: Invitation
    role: Role
    inviter: User | None
    is_void: bool


async def invite(org: Organization, inviter: User, data: NewInvitation) -> Invited:
    """Invite an address; an older link for it stops working.

    Raises Forbidden for a role above the inviter's, ValidationError for somebody of the team, RateLimitExceeded after
    the tenth of a day.
    """
    token, now = crypto.new_token(), clock.now()
    async with db.write_transaction():
        await org.hold_still()
        giver = await require_in(org, inviter, Action.TEAM)
        older = await Invitation.of(org).get_or_none(email=data.email)
        for role in [Role(data.role), *([Role(older.role)] if older else [])]:
            _check_reach(giver, role)
        if await Membership.of(org).filter(user__email=data.email).exists():
            raise ValidationError.of("email", "email is in the team already")
        await _check_not_too_many(org, now)
        if older is not None:
            await older.delete()
        invitation = await Invitation.create(
            org=org,
            email=data.email,
            role=data.role,
            token_hash=crypto.digest(token),
            inviter=inviter,
            sent_at=now,
            expires_at=now + LASTS,
        )
        await record(org, AuditAction.MEMBER_INVITED, invitation.id, data.email, role=data.role)
    return Invited(invitation, f"{settings().base_url}/join/{token}")


async def _check_not_too_many(org: Organization, now: datetime) -> None:
    """Raise RateLimitExceeded after A_DAY of the last 24 hours: what the audit log has of them, used or revoked."""
    lately = AuditEntry.of(org).filter(action=AuditAction.MEMBER_INVITED, id__gte=first_id(now - DAY))
    ids = await lately.order_by("-id").limit(A_DAY).values_list("id", flat=True)
    if len(ids) < A_DAY:
        return
    wait = max(1, int((made_at(_as_id(ids[-1])) + DAY - now).total_seconds()))
    hours = -(-wait // 3600)
    raise RateLimitExceeded(
        f"{A_DAY} invitations a day are the most. Try again in {hours} hour{'s' if hours > 1 else ''}.", wait
    )


def _as_id(value: object) -> UUID:
    return UUID(str(value))


def _check_reach(giver: Role, role: Role) -> None:
    if not may_give(giver, role):
        raise Forbidden(f"insufficient role: nobody invites above their own role, and you are {giver}")


def may_give(giver: Role | None, role: Role) -> bool:
    """Whether somebody may invite to `role`; None is who is not in the organization any more."""
    return giver is not None and giver.may(Action.TEAM) and giver.allows(role)


async def list_invitations(org: Organization) -> Sequence[OpenInvitation]:
    """Those that wait, the newest first, with who made them."""
    waiting = Invitation.of(org).filter(expires_at__gt=clock.now()).order_by("-id").select_related("inviter")
    roles: dict[UUID | None, Role] = {one.user_id: Role(one.role) for one in await Membership.of(org)}
    return [
        OpenInvitation(one, role := Role(one.role), one.inviter, not may_give(roles.get(one.inviter_id), role))
        for one in await waiting
    ]


async def find_invitation(org: Organization, giver: Role, invitation_id: UUID) -> Invitation:
    """An invitation that somebody of this role may change. Raises NotFound, Forbidden for one above it."""
    invitation = await Invitation.one_of(org, invitation_id)
    _check_reach(giver, Role(invitation.role))
    return invitation


async def revoke_invitation(org: Organization, actor: User, invitation_id: UUID) -> Invitation:
    """Make an invitation's link worthless. Raises NotFound, also for one that was used meanwhile, and Forbidden."""
    async with db.write_transaction():
        await org.hold_still()
        giver = await require_in(org, actor, Action.TEAM)
        invitation = await find_invitation(org, giver, invitation_id)
        await invitation.delete()
        await record(org, AuditAction.INVITATION_REVOKED, invitation.id, invitation.email, role=invitation.role)
    return invitation


async def is_good(invitation: Invitation) -> bool:
    """Whether the link still works: in time, and from somebody who may still give its role."""
    giver = await role_in(invitation.org, invitation.inviter_id)
    return invitation.expires_at > clock.now() and may_give(giver, Role(invitation.role))


async def forget_old_invitations() -> int:
    """Remove the invitations whose time is over."""
    return await Invitation.across_orgs().filter(expires_at__lte=clock.now()).delete()
