"""Creates, mails, lists and revokes invitations."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, crypto, db
from webapp.config import settings
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.inputs import Input, LoginEmail
from webapp.domain.roles import Action, Role, require_in
from webapp.domain.team.team import PersonRole
from webapp.domain.templates.brand import member_translator
from webapp.errors import Forbidden, RateLimitExceeded, ValidationError
from webapp.models import AuditEntry, Invitation, Membership, Organization, User
from webapp.models.base.row import id_lower_bound, time_of_id
from webapp.sending.outcomes import Delivered

LASTS = timedelta(days=7)
A_DAY, DAY = 10, timedelta(days=1)  # per organization, because each may mail a stranger


class NewInvitation(Input):
    email: LoginEmail
    role: PersonRole


class Invited(NamedTuple):
    invitation: Invitation
    link: str  # not stored, so it can only be shown now


class OpenInvitation(NamedTuple):
    invitation: Invitation
    role: Role
    inviter: User | None
    is_void: bool  # its inviter could no longer make it


async def invite(org: Organization, inviter: User, data: NewInvitation) -> Invited:
    """Replaces an earlier one; locks the organization. Raises Forbidden, ValidationError, RateLimitExceeded."""
    token, now = crypto.new_token(), clock.now()
    async with db.write_transaction():
        await org.lock()
        giver = await require_in(org, inviter, Action.TEAM)
        older = await Invitation.of(org).get_or_none(email=data.email)
        _check_reach(giver, Role(data.role))
        if older is not None:
            _check_reach(giver, Role(older.role))
        if await Membership.of(org).filter(user__email=data.email).exists():
            raise ValidationError.of("email", "This person is already on the team.")
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


async def mail_invitation(org: Organization, invited: Invited) -> str | None:
    """Mails the link; None if the server accepted it, otherwise the failure in words."""
    name = system_email.plain_name(org.name)  # the only text that the inviter controls
    t = await member_translator(org)
    email = SystemEmail(
        to=invited.invitation.email,
        subject=t.plain("team_mail.invited_subject"),
        before=t.plain("team_mail.invited", name=name, url=settings().base_url),
        link=invited.link,
        label=t.plain("team_mail.join"),
        after=t.plain("team_mail.invited_after"),
        language=t.language,
    )
    outcome = await system_email.send(email)
    return None if isinstance(outcome, Delivered) else outcome.text or "sending was interrupted"


async def _check_not_too_many(org: Organization, now: datetime) -> None:
    """Raises RateLimitExceeded after A_DAY in 24 hours, including accepted and revoked ones."""
    lately = AuditEntry.of(org).filter(action=AuditAction.MEMBER_INVITED, id__gte=id_lower_bound(now - DAY))
    entries = await lately.order_by("-id").limit(A_DAY).only("id")
    if len(entries) < A_DAY:
        return
    wait = max(1, int((time_of_id(entries[-1].id) + DAY - now).total_seconds()))
    hours = -(-wait // 3600)
    raise RateLimitExceeded(
        f"You can send up to {A_DAY} invitations per day. Try again in {hours} hour{'s' if hours > 1 else ''}.", wait
    )


def _check_reach(giver: Role, role: Role) -> None:
    if not may_give(giver, role):
        raise Forbidden(f"insufficient role: you can't invite above your own role (yours is {giver})")


def may_give(giver: Role | None, role: Role) -> bool:
    return giver is not None and giver.may(Action.TEAM) and giver.allows(role)


async def list_invitations(org: Organization) -> Sequence[OpenInvitation]:
    waiting = Invitation.of(org).filter(expires_at__gt=clock.now()).order_by("-id").select_related("inviter")
    roles: dict[UUID | None, Role] = {member.user_id: Role(member.role) for member in await Membership.of(org)}
    return [
        OpenInvitation(item, role := Role(item.role), item.inviter, not may_give(roles.get(item.inviter_id), role))
        for item in await waiting
    ]


async def find_invitation(org: Organization, giver: Role, invitation_id: UUID) -> Invitation:
    """Raises NotFound, Forbidden for a role above the giver's."""
    invitation = await Invitation.one_of(org, invitation_id)
    _check_reach(giver, Role(invitation.role))
    return invitation


async def revoke_invitation(org: Organization, actor: User, invitation_id: UUID) -> Invitation:
    """Locks the organization. Raises NotFound, also if accepted, Forbidden."""
    async with db.write_transaction():
        await org.lock()
        giver = await require_in(org, actor, Action.TEAM)
        invitation = await find_invitation(org, giver, invitation_id)
        await invitation.delete()
        await record(org, AuditAction.INVITATION_REVOKED, invitation.id, invitation.email, role=invitation.role)
    return invitation


async def forget_old_invitations() -> int:
    return await Invitation.across_orgs().filter(expires_at__lte=clock.now()).delete()
