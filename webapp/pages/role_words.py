"""Roles as people read them."""

from webapp.domain.roles import Role

KEYS = {
    Role.VIEWER: "Viewer: reads",
    Role.SENDER: "Sender: reads and sends",
    Role.EDITOR: "Editor: and changes contacts, templates, campaigns",
    Role.ADMIN: "Admin: and manages accounts and keys",
}
PEOPLE = KEYS | {
    Role.ADMIN: "Admin: and manages accounts, keys and the team",
    Role.OWNER: "Owner: and the organization itself",
}


def options(words: dict[Role, str], giver: Role) -> list[tuple[str, str]]:
    """Those of the roles that somebody may give, as options of a select."""
    return [(str(role), text) for role, text in words.items() if giver.allows(role)]
