"""Roles as people read them."""

from webapp.domain.roles import Role

KEYS = {
    Role.VIEWER: "Viewer: reads",
    Role.SENDER: "Sender: reads and sends",
    Role.EDITOR: "Editor: also changes contacts, templates, campaigns",
    Role.ADMIN: "Admin: also manages accounts and keys",
}
PEOPLE = KEYS | {
    Role.ADMIN: "Admin: also manages accounts, keys and the team",
    Role.OWNER: "Owner: also decides about the organization",
}


def options(words: dict[Role, str], giver: Role) -> list[tuple[str, str]]:
    """Those of the roles that somebody may give, as options of a select."""
    return [(str(role), text) for role, text in words.items() if giver.allows(role)]
