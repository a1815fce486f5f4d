"""The audit log: who did what to keys, accounts, members, the plan, and what left by an export."""

from contextvars import ContextVar
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from webapp.models import AuditEntry, Organization


class Deed(StrEnum):
    """What is noted; the part before the dot is what it was done to."""

    KEY_ISSUED = "key.issued"
    KEY_REVOKED = "key.revoked"
    ACCOUNT_ADDED = "account.added"
    ACCOUNT_CHANGED = "account.changed"
    ACCOUNT_DELETED = "account.deleted"
    MEMBER_INVITED = "member.invited"
    INVITATION_REVOKED = "member.invitation_revoked"
    MEMBER_JOINED = "member.joined"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    PLAN_CHANGED = "plan.changed"
    ORGANIZATION_CHANGED = "organization.changed"
    EXPORTED = "data.exported"


class Actor(NamedTuple):
    """Who acts: a person or a key by its id and what they are called, or the operator, who has no id."""

    id: UUID | None
    name: str
    address: str


OPERATOR = Actor(None, "the operator", "")
_acting: ContextVar[Actor] = ContextVar("acting", default=OPERATOR)


def act_as(actor: Actor) -> None:
    """Say on whose behalf this task goes on; without it, it is the operator's command line."""
    _acting.set(actor)


async def note(org: Organization, deed: Deed, target_id: UUID | None, target: str, **details: Any) -> None:
    """Write an entry, inside the transaction that does the deed. `details` are JSON and hold nothing secret."""
    actor = _acting.get()
    await AuditEntry.create(
        org=org,
        actor_id=actor.id,
        actor=actor.name[:254],
        action=deed,
        target_id=target_id,
        target=target[:255],
        details=details,
        address=actor.address[:64],
    )
