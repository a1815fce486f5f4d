"""Organizations: the tenants."""

from tortoise import fields

from webapp import db
from webapp.models.row import Row


class Organization(Row):
    """A tenant: everything else belongs to one."""

    name = fields.CharField(max_length=200)
    timezone = fields.CharField(max_length=64)  # an IANA name
    plan = fields.CharField(max_length=16)
    strict_from = fields.BooleanField(default=False)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "organizations"

    async def plan_now(self) -> str:
        """The plan's name as it is committed; it stays so until the transaction ends.

        Whoever makes a row of the organization takes this lock anyway, for its foreign key.
        """
        lock = "FOR KEY SHARE" if db.dialect().for_update else ""
        (row,) = await db.fetch(f"SELECT plan FROM organizations WHERE id = $1 {lock}", self.id)
        return str(row["plan"])

    async def hold_off(self) -> None:
        """Let nobody hold the organization still until the transaction ends; waits for who just does."""
        lock = "FOR KEY SHARE" if db.dialect().for_update else ""
        await db.fetch(f"SELECT id FROM organizations WHERE id = $1 {lock}", self.id)

    async def hold_settings(self) -> None:
        """Take over the row as it is committed; nobody else changes it until the transaction ends.

        Others may make rows of the organization meanwhile.
        """
        lock = "FOR NO KEY UPDATE" if db.dialect().for_update else ""
        await db.fetch(f"SELECT id FROM organizations WHERE id = $1 {lock}", self.id)
        await self.refresh_from_db()

    async def hold_still(self) -> None:
        """Let nobody make a row of the organization until the transaction ends; waits for those who just do."""
        await db.fetch(f"SELECT id FROM organizations WHERE id = $1 {db.dialect().for_update}", self.id)
