"""Roles of people in an organization, as committed."""

from uuid import UUID

from webapp.domain.roles import Action, Role
from webapp.errors import Forbidden
from webapp.models import Membership, Organization, User


async def require_in(org: Organization, user: User, action: Action) -> Role:
    """Raises Forbidden. Call it in a transaction that has locked the organization, so that roles are committed ones."""
    role = await role_in(org, user.id)
    if role is None:
        raise Forbidden(f"you are no longer in {org.name}")
    role.require(action)
    return role


async def role_in(org: Organization, user_id: UUID | None) -> Role | None:
    member = await Membership.of(org).get_or_none(user_id=user_id) if user_id else None
    return None if member is None else Role(member.role)
