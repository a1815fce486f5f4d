"""Roles in words, for forms."""

from collections.abc import Mapping
from typing import Any

from webapp.domain.roles import Role

# The rights of each role.
KEYS = {
    Role.VIEWER: "Can read everything except webhooks",
    Role.SENDER: "Can read everything except webhooks, and send email",
    Role.EDITOR: "Can send, and edit contacts, segments, templates, images and campaigns",
    Role.ADMIN: "Can read everything, send, edit, and manage accounts and webhooks",
}
PEOPLE = KEYS | {
    Role.VIEWER: "Can view everything except webhooks, API requests and the audit log",
    Role.SENDER: "Can view what a viewer can, and send email",
    Role.ADMIN: "Can view everything, send, edit, and manage accounts, webhooks, API keys and the team",
    Role.OWNER: "Full access, including organization settings",
}


def choices(labels: Mapping[Role, str], giver: Role) -> dict[str, Any]:
    roles = [role for role in labels if giver.allows(role)]
    return {"roles": [(role, role.capitalize()) for role in roles], "duties": {role: labels[role] for role in roles}}
