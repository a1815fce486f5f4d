"""Roles in words, for forms."""

from collections.abc import Mapping
from typing import Any

from webapp.domain.roles import Role

# The rights of each role; every line makes sense by itself.
KEYS = {
    Role.VIEWER: "reads, changes nothing",
    Role.SENDER: "reads, and sends mail",
    Role.EDITOR: "sends, and changes contacts, templates and campaigns",
    Role.ADMIN: "sends, edits, and manages accounts and keys",
}
PEOPLE = KEYS | {
    Role.ADMIN: "sends, edits, and manages accounts, keys and the team",
    Role.OWNER: "everything, the organization itself included",
}


def choices(labels: Mapping[Role, str], giver: Role) -> dict[str, Any]:
    given = [role for role in labels if giver.allows(role)]
    return {"roles": [(role, role.capitalize()) for role in given], "duties": {role: labels[role] for role in given}}
