"""Lines of the consent log that are committed but not known to be written to it yet."""

from datetime import timedelta
from uuid import UUID

from tortoise import fields

from webapp import clock
from webapp.models.row import TableModel


class ConsentLine(TableModel):
    """A line of some 200 bytes, deleted when the log has it."""

    contact_id: UUID = fields.UUIDField(db_index=True)
    text = fields.TextField()

    class Meta:
        table = "consent_lines"

    @classmethod
    async def is_any_older_than(cls, seconds: float) -> bool:
        return await cls.filter(created_at__lt=clock.now() - timedelta(seconds=seconds)).exists()
