"""The audit log: actions that others may ask about later."""

from datetime import datetime
from typing import Any

from tortoise import fields
from tortoise.expressions import F

from webapp import clock
from webapp.models.base.indexes import UniqueWhere
from webapp.models.base.org_model import OrgModel


class AuditEntry(OrgModel):
    """An action with the names of its actor and target at that time, because either may be deleted."""

    actor_id = fields.UUIDField(null=True)  # a person or key; None: the operator
    actor = fields.CharField(max_length=254)  # the name
    action = fields.CharField(max_length=64)
    target_id = fields.UUIDField(null=True)
    target = fields.CharField(max_length=255)  # the name
    details: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    address = fields.CharField(max_length=64)
    times = fields.IntField(default=1, db_default=1)
    last_at = fields.DatetimeField(null=True)  # when it was last repeated
    alike = fields.CharField(max_length=64, null=True)  # the same for equal actions within an hour

    class Meta:
        table = "audit_entries"
        indexes = (
            ("org_id", "id"),
            ("created_at",),
            UniqueWhere(fields=("org_id", "alike"), name="audit_entries_alike", where="alike IS NOT NULL"),
        )

    async def count(self, since: datetime) -> None:
        """Counts it on an equal entry since `since` or inserts it; call it in a transaction, for which others wait."""
        cls, self.times = type(self), 0
        same = cls.filter(org_id=self.org_id, alike=self.alike)
        await same.filter(created_at__lte=since).update(alike=None)
        await cls.bulk_create([self], ignore_conflicts=True)
        await same.update(times=F("times") + 1, last_at=clock.now())
