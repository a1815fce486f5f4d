"""What people did that others may ask about later."""

from typing import Any

from tortoise import fields

from webapp.models.base import OrgModel


class AuditEntry(OrgModel):
    """Who did what to which row. All of it is text of that moment: who did it and what it was done to may be gone."""

    actor_id = fields.UUIDField(null=True)  # a person, or a key; null: the operator
    actor = fields.CharField(max_length=254)  # what they are called
    action = fields.CharField(max_length=64)
    target_id = fields.UUIDField(null=True)
    target = fields.CharField(max_length=255)  # what it is called
    details: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    address = fields.CharField(max_length=64)

    class Meta:
        table = "audit_entries"
        indexes = (("org_id", "id"), ("created_at",))
