"""Roles, the actions that each allows, for people and keys, pages and API, and the roles of people as committed."""

from enum import StrEnum
from typing import Self
from uuid import UUID

from webapp.errors import Forbidden
from webapp.models import Membership, Organization, User


class Role(StrEnum):
    """Ascending; each allows everything that the previous ones allow."""

    VIEWER = "viewer"
    SENDER = "sender"
    EDITOR = "editor"
    ADMIN = "admin"
    OWNER = "owner"

    @property
    def rank(self) -> int:
        return RANKS[self]

    @property
    def with_article(self) -> str:
        return f"{'an' if self in (Role.EDITOR, Role.ADMIN, Role.OWNER) else 'a'} {self}"

    def allows(self, needed: "Role") -> bool:
        return self.rank >= needed.rank

    def lacks(self, action: str) -> "Role | None":
        """The role that the action needs, unless this one allows it."""
        needed = Action(action).needed  # type: ignore[call-arg]  # mypy reads __new__, but Enum looks the member up
        return None if self.allows(needed) else needed

    def may(self, action: str) -> bool:
        return self.lacks(action) is None

    def require(self, action: str) -> None:
        """Raises Forbidden."""
        if needed := self.lacks(action):
            raise Forbidden(f"insufficient role: you need the {needed} role (yours is {self})")


RANKS = {role: rank for rank, role in enumerate(Role)}


class Action(StrEnum):
    """The kind of action of a route, with the role that it needs; `read` if it only shows rows."""

    needed: Role

    def __new__(cls, name: str, needed: Role) -> Self:
        action = str.__new__(cls, name)
        action._value_, action.needed = name, needed
        return action

    READ = "read", Role.VIEWER
    ONESELF = "oneself", Role.VIEWER  # one's own password and sessions
    SEND = "send", Role.SENDER
    CONTACTS = "contacts", Role.EDITOR
    SEGMENTS = "segments", Role.EDITOR
    FORMS = "forms", Role.EDITOR
    TOPICS = "topics", Role.EDITOR
    TEMPLATES = "templates", Role.EDITOR
    MEDIA = "media", Role.EDITOR
    CAMPAIGNS = "campaigns", Role.EDITOR
    SANDBOX = "sandbox", Role.EDITOR
    ACCOUNTS = "accounts", Role.ADMIN
    KEYS = "keys", Role.ADMIN
    WEBHOOKS = "webhooks", Role.ADMIN
    TEAM = "team", Role.ADMIN
    ORGANIZATION = "organization", Role.OWNER
    PERSONAL_DATA = "personal data", Role.ADMIN
    REQUESTS = "request log", Role.ADMIN
    AUDIT = "audit", Role.ADMIN


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
