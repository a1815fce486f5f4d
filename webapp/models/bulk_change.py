"""Changes of all contacts that a search finds, which a worker makes batch by batch."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base import IndexWhere, OrgModel


class BulkAction(StrEnum):
    SEGMENT = "segment"
    UNSUBSCRIBE = "unsubscribe"
    DELETE = "delete"


class BulkChange(OrgModel):
    """Reaches contacts older than itself, the newest first, and at most as many as were found when it was made."""

    action = fields.CharField(max_length=16)
    filters: fields.Field[dict[str, Any]] = fields.JSONField()
    segment_id = fields.UUIDField(null=True)  # which the contacts join
    total = fields.IntField()
    reached_count = fields.IntField(default=0)
    changed_count = fields.IntField(default=0)  # of those reached: new members, unsubscribed or deleted contacts
    last_id = fields.UUIDField()  # of the contacts reached; at first its own
    failure = fields.TextField(null=True)
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "bulk_changes"
        indexes = (
            ("org_id", "id"),
            IndexWhere(fields=("id",), name="bulk_changes_unfinished", where="finished_at IS NULL"),
        )

    @classmethod
    async def unfinished(cls) -> list[UUID]:
        return await db.fetch_ids("SELECT id FROM bulk_changes WHERE finished_at IS NULL ORDER BY id")
