"""The bases of the tables with an organization's rows, and of those that workers take up under a lease."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Self
from uuid import UUID

from tortoise import fields
from tortoise.exceptions import DoesNotExist
from tortoise.queryset import QuerySet
from uuid_utils.compat import uuid7

from webapp import db
from webapp.batcher import Batcher
from webapp.db.dialects import as_uuid
from webapp.errors import NotFound
from webapp.models.base.row import TableModel
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.organization import Organization
from webapp.models.queries import lease

MOST_TRIES = 100  # counted at most
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)  # due by any clock
DUE_ANEW = {"next_at": AT_ONCE, "tries": 0, "lease_token": None, "lease_until": None}


def parse_id(text: str) -> UUID:
    """Raises ValueError unless it has the canonical form (RFC 9562, 4: 8-4-4-4-12 hexadecimal digits)."""
    parsed = UUID(text)
    if str(parsed) != text.lower():
        raise ValueError("not a canonical UUID")
    return parsed


class OrgModel(TableModel):
    """A row of one organization, read through `of` or `one_of`; only workers use `across_orgs`."""

    org: fields.ForeignKeyRelation[Organization] = fields.ForeignKeyField("models.Organization")
    org_id: UUID
    are_read_together: ClassVar[bool] = False  # batches `one_of`; for small rows that are read often
    large_columns: ClassVar[frozenset[str]] = frozenset()  # which `one_of` leaves out

    class Meta:
        abstract = True

    @classmethod
    def of(cls, org: Organization) -> QuerySet[Self]:
        return cls.filter(org_id=org.id)

    @classmethod
    async def one_of(cls, org: Organization, row_id: UUID | str) -> Self:
        """Raises NotFound if the id is missing, malformed or another organization's."""
        try:
            key = row_id if isinstance(row_id, UUID) else parse_id(row_id)
        except ValueError:
            raise NotFound from None
        # A transaction must see its own writes, and SQLite has connections for reading.
        is_shared = cls.are_read_together and not (db.is_in_transaction() or db.dialect().has_one_writer)
        rows = cls.of(org).only(*(cls._meta.db_fields - cls.large_columns)) if cls.large_columns else cls.of(org)
        row = await (_batched.ask(cls, (key, org.id)) if is_shared else rows.get_or_none(id=key))
        if not isinstance(row, cls):
            raise NotFound
        return row

    @classmethod
    async def find_many(cls, asked: Sequence[tuple[UUID, UUID]]) -> list[Self | None]:
        """The rows with these (id, organization) pairs in this order, as separate objects."""
        sql = db.dialect()
        own_row = f"SELECT * FROM {cls._meta.db_table} t WHERE t.id = k.id AND t.org_id = k.org_id OFFSET 0"
        query = f"SELECT o.* FROM {sql.table({'id': 'uuid', 'org_id': 'uuid'})} CROSS JOIN LATERAL ({own_row}) AS o"
        rows = await db.records(query, *sql.table_values(asked))
        by_ids = {(as_uuid(row["id"]), as_uuid(row["org_id"])): row for row in rows}
        return [cls._init_from_db(**dict(row)) if (row := by_ids.get(key)) else None for key in asked]

    @classmethod
    async def newest_among(cls, org: Organization, ids: Collection[UUID]) -> list[Self]:
        if db.dialect().has_one_writer or not ids:
            return await cls.of(org).filter(id__in=list(ids)).order_by("-id")
        rows = await cls.find_many([(row_id, org.id) for row_id in sorted(ids, reverse=True)])
        return [row for row in rows if row is not None]

    def binding(self, column: str) -> str:
        """What an encrypted column is bound to, so that its value opens in no other row."""
        return f"{self.org_id}:{self.id}:{column}"

    async def refresh(self) -> None:
        """Raises NotFound if the row is gone."""
        try:
            await self.refresh_from_db()
        except DoesNotExist:
            raise NotFound from None

    @classmethod
    def across_orgs(cls) -> QuerySet[Self]:
        return cls.all()


_batched: Batcher[type[OrgModel], tuple[UUID, UUID], OrgModel | None] = Batcher(
    lambda model, asked: model.find_many(asked), limit=100
)


class LeasedModel(OrgModel):
    """A row of an `account` that workers take up when it is due, each under a lease, of all organizations in turn.

    `tries` says how often that failed in a row.
    """

    next_at = fields.DatetimeField()
    tries = fields.SmallIntField(default=0)
    lease_token = fields.UUIDField(null=True)
    lease_until = fields.DatetimeField(null=True)

    class Meta:
        abstract = True

    @classmethod
    async def due(cls, limit: int) -> list[UUID]:
        """The due ones, one per organization in rotation."""
        table = cls._meta.db_table
        return await lease.due_round_robin(table, _is_due(), limit, first="next_at", then="next_at, id")

    @classmethod
    async def claim(cls, row_id: UUID, seconds: float) -> Self | None:
        """Leases it for `seconds` and counts the try; None if it is not due or already leased."""
        counted = f"CASE WHEN tries < {MOST_TRIES} THEN tries + 1 ELSE tries END"
        also = f", lease_token = $3, tries = {counted}"
        if not await lease.lease(cls._meta.db_table, row_id, seconds, _is_due(), also, uuid7()):
            return None
        return await cls.get_or_none(id=row_id).select_related("account", "org")

    async def release(self, **changes: Any) -> bool:
        """Saves the changes and releases the lease; False if the row was changed or leased again since."""
        leased = type(self).filter(id=self.id, lease_token=self.lease_token)
        return bool(await leased.update(lease_token=None, lease_until=None, **changes))


def _is_due() -> str:
    return f"next_at <= {db.dialect().now} AND {NOT_SUSPENDED}"
