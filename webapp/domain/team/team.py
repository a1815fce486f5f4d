"""Members and their roles: people can only manage roles below their own, and the last owner cannot be removed."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from tortoise.functions import Max

from webapp import db
from webapp.domain.api_keys import revoke_key
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth.sessions import SignedInUser, end_sessions_in, first_organization, move_session
from webapp.domain.inputs import Input
from webapp.domain.roles import Action, Role, require_in
from webapp.errors import Conflict, Forbidden, NotFound
from webapp.models import ApiKey, Membership, Organization, Session, User

PersonRole = Literal["viewer", "sender", "editor", "admin", "owner"]


class NewRole(Input):
    role: PersonRole


class Member(NamedTuple):
    membership: Membership
    user: User
    role: Role
    last_seen_at: datetime | None  # by sessions in this organization


COLUMNS: Mapping[str, Callable[[Member], Any]] = {
    "name": lambda member: (member.user.display_name.casefold(), member.user.email),
    "role": lambda member: member.role.rank,
    "joined": lambda member: member.membership.created_at,
}


async def list_members(org: Organization, sort: str = "-role") -> list[Member]:
    """Sorted by one of COLUMNS, descending with `-name`, then by name."""
    rows = await Membership.of(org).select_related("user")
    sessions = Session.filter(org_id=org.id, user_id__in=[row.user_id for row in rows])
    last = sessions.annotate(seen=Max("last_seen_at")).group_by("user_id").values_list("user_id", "seen")
    seen: dict[UUID, datetime] = dict(await last)
    members = [Member(row, row.user, Role(row.role), seen.get(row.user_id)) for row in rows]
    members.sort(key=COLUMNS["name"])
    return sorted(members, key=COLUMNS[sort.removeprefix("-")], reverse=sort.startswith("-"))


async def find_member(org: Organization, actor_role: Role, member_id: UUID) -> Membership:
    """Includes the person. Raises NotFound, Forbidden for a role above the actor's."""
    member = await Membership.one_of(org, member_id)
    await member.fetch_related("user")
    role = Role(member.role)
    if not actor_role.allows(role):
        raise Forbidden(
            f"insufficient role: {member.user.display_name} is {role.with_article} (your role is {actor_role})"
        )
    return member


async def living_keys(org: Organization, member: Membership) -> list[ApiKey]:
    return await ApiKey.of(org).filter(maker_id=member.user_id, revoked_at=None).order_by("-id")


def keys_above_role(keys: Sequence[ApiKey], role: Role | None) -> list[ApiKey]:
    return [key for key in keys if role is None or not role.allows(Role(key.role))]


async def change_role(org: Organization, actor: User, member_id: UUID, data: NewRole) -> Membership:
    """Revokes keys above the role; locks the organization. Raises NotFound, Forbidden, Conflict for the last owner."""
    role = Role(data.role)
    async with db.write_transaction():
        await org.lock()
        actor_role = await require_in(org, actor, Action.TEAM)
        member = await find_member(org, actor_role, member_id)
        if not actor_role.allows(role):
            raise Forbidden(f"insufficient role: you can't give a role above your own (yours is {actor_role})")
        before = Role(member.role)
        if role != before:
            await _check_an_owner_stays(org, before)
            member.role = role
            await member.save(update_fields=["role"])
            revoked = await _revoke_above(org, member, role)
            details = {"role": [before, role], "keys_revoked": revoked}
            await record(org, AuditAction.MEMBER_CHANGED, member.user_id, member.user.email, **details)
    return member


async def remove_member(org: Organization, actor: User, member_id: UUID) -> Membership:
    """Ends sessions and revokes keys; locks the organization. Raises like `change_role`."""
    async with db.write_transaction():
        await org.lock()
        actor_role = await require_in(org, actor, Action.TEAM)
        member = await find_member(org, actor_role, member_id)
        await _end_membership(org, member)
    await end_sessions_in(org, member.user_id)
    return member


async def leave(signed_in: SignedInUser, org: Organization) -> Organization | None:
    """Returns the session's next organization; locks the left one. Raises NotFound, Conflict for its last owner."""
    async with db.write_transaction():
        await org.lock()
        await _end_membership(org, await own_membership(signed_in, org))
        home = signed_in.org if signed_in.org.id != org.id else await first_organization(signed_in.user)
    if home is not None and signed_in.org.id == org.id:
        await move_session(signed_in.session, home)
    await end_sessions_in(org, signed_in.user.id)
    return home


async def own_membership(signed_in: SignedInUser, org: Organization) -> Membership:
    """Raises NotFound."""
    member = await Membership.of(org).get_or_none(user_id=signed_in.user.id).select_related("user")
    if member is None:
        raise NotFound
    return member


async def _end_membership(org: Organization, member: Membership) -> None:
    await _check_an_owner_stays(org, Role(member.role))
    await member.delete()
    revoked = await _revoke_above(org, member, None)
    details = {"role": member.role, "keys_revoked": revoked}
    await record(org, AuditAction.MEMBER_REMOVED, member.user_id, member.user.email, **details)


async def _check_an_owner_stays(org: Organization, role: Role) -> None:
    if role is Role.OWNER and await Membership.of(org).filter(role=Role.OWNER).count() == 1:
        raise Conflict(f"{org.name} needs an owner. Make someone else an owner first.")


async def _revoke_above(org: Organization, member: Membership, role: Role | None) -> int:
    keys = keys_above_role(await living_keys(org, member), role)
    for key in reversed(keys):  # oldest first, like `record_key_use` locks them
        await revoke_key(key)
    return len(keys)
