"""The table of roles and the actions they allow, for people and keys, pages and API."""

from collections.abc import Mapping
from enum import StrEnum

from webapp.errors import Forbidden


class Action(StrEnum):
    """The kind of action of a route; `read` if it only shows rows."""

    READ = "read"
    ONESELF = "oneself"  # one's own password and sessions
    SEND = "send"
    CONTACTS = "contacts"
    SEGMENTS = "segments"
    TEMPLATES = "templates"
    MEDIA = "media"
    CAMPAIGNS = "campaigns"
    SANDBOX = "sandbox"
    ACCOUNTS = "accounts"
    KEYS = "keys"
    WEBHOOKS = "webhooks"
    TEAM = "team"
    ORGANIZATION = "organization"
    REQUESTS = "request log"
    AUDIT = "audit"


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

    def may(self, action: Action) -> bool:
        return self.allows(NEEDED[action])

    def lacks(self, action: Action) -> "Role | None":
        return None if self.may(action) else NEEDED[action]

    def require(self, action: Action) -> None:
        """Raises Forbidden."""
        if not self.may(action):
            raise Forbidden(f"insufficient role: you need the {NEEDED[action]} role (yours is {self})")


RANKS = {role: rank for rank, role in enumerate(Role)}

# The role that each action needs.
NEEDED: Mapping[Action, Role] = {
    Action.READ: Role.VIEWER,
    Action.ONESELF: Role.VIEWER,
    Action.SEND: Role.SENDER,
    Action.CONTACTS: Role.EDITOR,
    Action.SEGMENTS: Role.EDITOR,
    Action.TEMPLATES: Role.EDITOR,
    Action.MEDIA: Role.EDITOR,
    Action.CAMPAIGNS: Role.EDITOR,
    Action.SANDBOX: Role.EDITOR,
    Action.ACCOUNTS: Role.ADMIN,
    Action.KEYS: Role.ADMIN,
    Action.WEBHOOKS: Role.ADMIN,
    Action.TEAM: Role.ADMIN,
    Action.ORGANIZATION: Role.OWNER,
    Action.REQUESTS: Role.ADMIN,
    Action.AUDIT: Role.ADMIN,
}
KEY_ROLES = (Role.VIEWER, Role.SENDER, Role.EDITOR, Role.ADMIN)  # keys cannot be owners
