"""What every table has: a time-ordered id, and when the row was made."""

from datetime import UTC, datetime
from uuid import UUID

from tortoise import fields
from tortoise.models import Model
from uuid_utils.compat import uuid7


class Row(Model):
    """A row with a UUIDv7 (RFC 9562, 5.7): ids sort by the time they were made."""

    id = fields.UUIDField(primary_key=True, default=uuid7)
    created_at = fields.DatetimeField(auto_now_add=True)

    class Meta:
        abstract = True


def first_id(at: datetime) -> UUID:
    """The smallest UUIDv7 made at this instant (RFC 9562, 5.7): ids find rows by time without an index of their own."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


def made_at(row_id: UUID) -> datetime:
    """When a UUIDv7 was made, in UTC, to the millisecond."""
    return datetime.fromtimestamp((row_id.int >> 80) / 1000, UTC)
