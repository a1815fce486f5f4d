"""The base of every table: a time-ordered ID and the time of creation."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, NewType, Self
from uuid import UUID

from tortoise import fields
from tortoise.models import Model
from uuid_utils.compat import uuid7

from webapp import db

FIRST_ID, LAST_ID = UUID(int=0), UUID(int=2**128 - 1)
Json = NewType("Json", str)
# PostgreSQL's types for the fields of inserted tuples.
KINDS: dict[Any, str] = {
    **dict.fromkeys((UUID, UUID | None), "uuid"),
    **dict.fromkeys((datetime, datetime | None), "timestamptz"),
    **dict.fromkeys((str, str | None), "text"),
    **dict.fromkeys((Json, Mapping[str, Any]), "jsonb"),
    **dict.fromkeys((bytes, bytes | None), "bytea"),
    **dict.fromkeys((int, int | None), "int"),
    bool: "boolean",
}


def columns_of(row: type[NamedTuple]) -> dict[str, str]:
    """The columns of a tuple type with their types on PostgreSQL."""
    return {name: KINDS[kind] for name, kind in row.__annotations__.items()}


class TableModel(Model):
    """A row with a UUIDv7 (RFC 9562, 5.7), so that ids sort by time."""

    id = fields.UUIDField(primary_key=True, default=uuid7)
    created_at = fields.DatetimeField(auto_now_add=True)

    class Meta:
        abstract = True

    @classmethod
    async def _lookup(
        cls, owner: str, owner_id: UUID, column: str, values: Collection[Any], *, lock: bool = False
    ) -> list[Self]:
        """The owner's rows with these values in `column`, which is unique per owner; locked in the values' order."""
        if not values:
            return []
        sql, kind = db.dialect(), "uuid" if isinstance(next(iter(values)), UUID) else "text"
        asked = sql.table({column: kind})
        lookup = sql.looked_up(cls._meta.db_table, owner, column, sql.lock("FOR UPDATE") if lock else "")
        query = f"SELECT o.* FROM {asked} {lookup}"
        rows = await db.records(query, *sql.table_values([(value,) for value in sorted(set(values))]), owner_id)
        return [cls._init_from_db(**dict(row)) for row in rows]

    @classmethod
    async def insert_many(cls, rows: Sequence[Self]) -> None:
        """Inserts the rows, on PostgreSQL with one statement, so that triggers run once and not per row."""
        if db.dialect().has_one_writer or not rows:
            await cls.bulk_create(rows)
            return
        meta = cls._meta
        fields = {name: meta.fields_map[name] for name in meta.fields_db_projection}
        columns = {
            meta.fields_db_projection[name]: field.get_for_dialect("postgres", "SQL_TYPE").partition("(")[0]
            for name, field in fields.items()
        }  # a cast to VARCHAR(n) would truncate a text that is too long
        values = [[field.to_db_value(getattr(row, name), row) for name, field in fields.items()] for row in rows]
        await db.run_on(f"INSERT INTO {meta.db_table} ({', '.join(columns)}) SELECT * FROM", columns, values)

    @classmethod
    async def insert_tuples(cls, rows: Sequence[NamedTuple]) -> None:
        """Inserts tuples, which takes half the time of models."""
        if not rows:
            return
        columns = columns_of(type(rows[0]))
        insert = f"INSERT INTO {cls._meta.db_table} ({', '.join(columns)}, created_at)"
        await db.run_on(f"{insert} SELECT k.*, {db.dialect().now} FROM", columns, rows)

    @classmethod
    async def delete_among(cls, ids: Collection[UUID]) -> None:
        sql = db.dialect()
        listed = f"DELETE FROM {cls._meta.db_table} WHERE id {sql.among('$1')} RETURNING id"
        await db.records(listed, list(ids))


def id_lower_bound(at: datetime) -> UUID:
    """The smallest UUIDv7 of this instant (RFC 9562, 5.7), for searching by time."""
    return UUID(int=max(int(at.timestamp() * 1000), 0) << 80)


def time_of_id(row_id: UUID) -> datetime:
    """The time in a UUIDv7, in UTC with milliseconds."""
    return datetime.fromtimestamp((row_id.int >> 80) / 1000, UTC)
