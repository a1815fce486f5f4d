"""Roles: one ladder for people and keys."""

from enum import StrEnum

from webapp.errors import Forbidden


class Role(StrEnum):
    """From the least to the most; each may do what those before it may."""

    VIEWER = "viewer"  # read
    SENDER = "sender"  # and send
    EDITOR = "editor"  # and contacts, segments, templates, campaigns
    ADMIN = "admin"  # and accounts, keys, team, request log
    OWNER = "owner"  # and plan, organization

    @property
    def rank(self) -> int:
        """The place on the ladder, 0 is the lowest."""
        return list(Role).index(self)

    def allows(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        return self.rank >= needed.rank

    def require(self, needed: "Role") -> None:
        """Raise Forbidden, naming the role that is needed, unless this one is enough."""
        if not self.allows(needed):
            article = "an" if needed in (Role.EDITOR, Role.ADMIN, Role.OWNER) else "a"
            raise Forbidden(f"insufficient role: this needs {article} {needed}, you are {self}")


KEY_ROLES = (Role.VIEWER, Role.SENDER, Role.EDITOR, Role.ADMIN)  # no key is owner
