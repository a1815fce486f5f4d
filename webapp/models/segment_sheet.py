"""Google Sheets that segments follow: each row is a contact of the segment."""

from typing import Any, Self
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.base import OrgModel
from webapp.models.segment import Segment


class SegmentSheet(OrgModel):
    """The sheet that a segment follows, the account that reads it, and the result of the last sync."""

    segment: fields.ForeignKeyRelation[Segment] = fields.OneToOneField("models.Segment", related_name="sheet")
    segment_id: UUID
    account_id = fields.UUIDField()  # the Google account that may read it
    spreadsheet_id = fields.CharField(max_length=128)
    title = fields.CharField(max_length=255, null=True)  # of the spreadsheet at the last sync
    tab = fields.CharField(max_length=255, null=True)  # null: the first
    next_sync_at = fields.DatetimeField(null=True)  # null: Google refused it, so on demand alone
    lease_until = fields.DatetimeField(null=True)  # while a worker reads it
    synced_at = fields.DatetimeField(null=True)
    last_error = fields.TextField(null=True)
    # Of the last sync: the numbers of rows read, created, changed and refused, and the first refusals.
    report: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "segment_sheets"
        indexes = (("org_id", "id"), ("account_id",), ("next_sync_at",))

    @classmethod
    async def due(cls, limit: int) -> list[UUID]:
        rows = await db.fetch(
            f"SELECT id FROM segment_sheets WHERE {_is_due()} ORDER BY next_sync_at LIMIT $1",
            limit,
        )
        return [dialects.as_uuid(row["id"]) for row in rows]

    @classmethod
    async def claim(cls, sheet_id: UUID, seconds: float) -> Self | None:
        """Leases the sheet for `seconds`; None when it is not due or leased already."""
        rows = await db.fetch(
            f"""UPDATE segment_sheets SET lease_until = {db.dialect().later("$2")}
                WHERE id = $1 AND {_is_due()} RETURNING id""",
            sheet_id,
            seconds,
        )
        return await cls.get_or_none(id=sheet_id) if rows else None

    @classmethod
    async def refused(cls, org_id: UUID, account_id: UUID) -> list[Self]:
        """The sheets that Google refused and that are synced on demand alone."""
        return await cls.filter(org_id=org_id, account_id=account_id, next_sync_at=None)

    async def save_if_current(self, **changes: Any) -> bool:
        """False when the segment follows another sheet by now, or none."""
        same = {name: getattr(self, name) for name in ("spreadsheet_id", "tab", "account_id")}
        return bool(await type(self).filter(id=self.id, **same).update(**changes))

    async def renew(self, seconds: float) -> None:
        """Extends the lease to `seconds` from now."""
        await db.fetch(
            f"UPDATE segment_sheets SET lease_until = {db.dialect().later('$2')} WHERE id = $1 RETURNING id",
            self.id,
            seconds,
        )


def _is_due() -> str:
    now = db.dialect().now
    return f"next_sync_at <= {now} AND (lease_until IS NULL OR lease_until <= {now})"
