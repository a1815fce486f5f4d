"""What every table has: a time-ordered id, and when the row was made."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.models import Model
from uuid_utils.compat import uuid7

from webapp import db


class Row(Model):
    """A row with a UUIDv7 (RFC 9562, 5.7): ids sort by the time they were made."""

    id = fields.UUIDField(primary_key=True, default=uuid7)
    created_at = fields.DatetimeField(auto_now_add=True)

    class Meta:
        abstract = True

    @classmethod
    async def _looked_up(
        cls,
        owner: str,
        owner_id: UUID,
        column: str,
        values: Collection[Any],
        *,
        is_held: bool = False,
    ) -> list[Self]:
        """The rows of an owner's that have one of these values in a column, which an index of both makes unique.

        Those that are held are taken in the order of the values.
        """
        if not values:
            return []
        speak, kind = db.dialect(), "uuid" if isinstance(next(iter(values)), UUID) else "text"
        asked, lock = speak.table({column: kind}), speak.for_update if is_held else ""
        found = speak.looked_up(cls._meta.db_table, owner, column, lock)
        rows = await db.records(
            f"SELECT o.* FROM {asked} {found}",  # noqa: S608 - our own words
            *speak.table_values([(value,) for value in sorted(set(values))]),
            owner_id,
        )
        return [cls._init_from_db(**dict(row)) for row in rows]

    @classmethod
    async def delete_among(cls, ids: Collection[UUID]) -> None:
        """Delete rows that were read off an organization's own ones, hundreds at once."""
        speak = db.dialect()
        listed = f"DELETE FROM {cls._meta.db_table} WHERE id {speak.among('$1')} RETURNING id"  # noqa: S608 - as above
        await db.records(listed, speak.id_list(ids))


def first_id(at: datetime) -> UUID:
    """The smallest UUIDv7 made at this instant (RFC 9562, 5.7): ids find rows by time without an index of their own."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


def made_at(row_id: UUID) -> datetime:
    """When a UUIDv7 was made, in UTC, to the millisecond."""
    return datetime.fromtimestamp((row_id.int >> 80) / 1000, UTC)
