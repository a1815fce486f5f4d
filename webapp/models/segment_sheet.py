"""Google Sheets that segments follow: each row of the sheet is a contact of the segment."""

from typing import Any
from uuid import UUID

from tortoise import fields

from webapp.models.base import OrgModel
from webapp.models.segment import Segment


class SegmentSheet(OrgModel):
    """Which sheet a segment follows, with whose token it is read, and what the last look found."""

    segment: fields.ForeignKeyRelation[Segment] = fields.OneToOneField("models.Segment", related_name="sheet")
    segment_id: UUID
    account_id = fields.UUIDField()  # the Google account that may read it
    spreadsheet_id = fields.CharField(max_length=128)
    title = fields.CharField(max_length=255, null=True)  # of the spreadsheet, as Google last told it
    tab = fields.CharField(max_length=255, null=True)  # null: the first
    next_sync_at = fields.DatetimeField(null=True)  # null: only on demand, for it was refused
    lease_until = fields.DatetimeField(null=True)  # while a worker reads it
    synced_at = fields.DatetimeField(null=True)
    last_error = fields.TextField(null=True)
    # Of the last look: how many rows were read, made contacts, changed and were refused, and the first few refusals.
    report: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "segment_sheets"
        indexes = (("org_id", "id"), ("account_id",), ("next_sync_at",))
