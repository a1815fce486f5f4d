"""Who is in an organization and as what, as it is committed: what others ask before they change anything in it."""

from uuid import UUID

from webapp.domain.roles import Action, Role
from webapp.errors import Forbidden
from webapp.models import Membership, Organization, User


async def require_in(org: Organization, user: User, action: Action) -> Role:
    """The person's role in `org` now. Raises Forbidden unless it may do `action`.

    Inside a transaction that holds the organization, still or off: whoever changed the role has committed, and the
    next one waits.
    """
    role = await role_in(org, user.id)
    if role is None:
        raise Forbidden(f"you are not in {org.name} any more")
    role.require(action)
    return role


async def role_in(org: Organization, user_id: UUID | None) -> Role | None:
    """The role of a person in `org`; None for who is not in it."""
    member = await Membership.of(org).get_or_none(user_id=user_id) if user_id else None
    return None if member is None else Role(member.role)
