"""What people did that others may ask about later."""

from datetime import datetime
from typing import Any

from tortoise import fields
from tortoise.expressions import F

from webapp import clock
from webapp.models.base import OrgModel, UniqueWhere


class AuditEntry(OrgModel):
    """Who did what to which row. All of it is text of that moment: who did it and what it was done to may be gone."""

    actor_id = fields.UUIDField(null=True)  # a person, or a key; null: the operator
    actor = fields.CharField(max_length=254)  # what they are called
    action = fields.CharField(max_length=64)
    target_id = fields.UUIDField(null=True)
    target = fields.CharField(max_length=255)  # what it is called
    details: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    address = fields.CharField(max_length=64)
    times = fields.IntField(default=1, db_default=1)
    last_at = fields.DatetimeField(null=True)  # the last of several times
    alike = fields.CharField(max_length=64, null=True)  # what the same again is counted by, for an hour

    class Meta:
        table = "audit_entries"
        indexes = (
            ("org_id", "id"),
            ("created_at",),
            UniqueWhere(fields=("org_id", "alike"), name="audit_entries_alike", where="alike IS NOT NULL"),
        )

    async def count(self, since: datetime) -> None:
        """Count it in the entry that is alike and was made after an instant, or keep it as that one.

        Of two at once the second waits for the first. Stands in a transaction.
        """
        cls, self.times = type(self), 0
        kept = cls.filter(org_id=self.org_id, alike=self.alike)
        await kept.filter(created_at__lte=since).update(alike=None)
        await cls.bulk_create([self], ignore_conflicts=True)
        await kept.update(times=F("times") + 1, last_at=clock.now())
