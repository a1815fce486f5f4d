"""Organizations: the tenants."""

from uuid import uuid4

from tortoise import fields

from webapp import db
from webapp.models.base.indexes import UniqueWhere
from webapp.models.base.row import TableModel


class Organization(TableModel):
    name = fields.CharField(max_length=200)
    timezone = fields.CharField(max_length=64)  # an IANA name
    plan = fields.CharField(max_length=16)
    strict_from = fields.BooleanField(default=False)
    track_opens = fields.BooleanField(default=False, db_default=False)  # the default of campaigns
    track_clicks = fields.BooleanField(default=False, db_default=False)
    delivered_on_acceptance = fields.BooleanField(default=False, db_default=False)  # the meaning of `email.delivered`
    # The `filter_values` and `search_text` of contacts with lower IDs may be of an older version; None if none is.
    filters_stale_below = fields.UUIDField(null=True)
    # In the addresses of pages for readers.
    public_key = fields.CharField(max_length=32, null=True, default=lambda: uuid4().hex)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "organizations"
        indexes = (
            UniqueWhere(fields=("public_key",), name="organizations_public_key", where="public_key IS NOT NULL"),
        )

    async def locked_plan(self) -> str:
        """The committed plan, locked until the transaction ends like inserts of the organization's rows do."""
        lock = db.dialect().lock("FOR KEY SHARE")
        (row,) = await db.fetch(f"SELECT plan FROM organizations WHERE id = $1 {lock}", self.id)
        return str(row["plan"])

    async def lock_settings(self) -> None:
        """Locks and reloads the row without blocking inserts of the organization's rows."""
        await Organization.filter(id=self.id).select_for_update(no_key=True)
        await self.refresh_from_db()

    async def lock(self) -> None:
        """Blocks `locked_plan` and inserts of the organization's rows until the transaction ends."""
        await Organization.filter(id=self.id).select_for_update()
