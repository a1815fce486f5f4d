"""Row counts of long tables on PostgreSQL, maintained by triggers: the sum of two tables.

Statements append changes to `row_deltas`, so that writers do not wait for each other, and workers fold these into
`row_totals`. SQLite counts rows instead, because a trigger per row would slow imports by a tenth.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel


class LongTable(StrEnum):
    """The tables with these triggers."""

    CONTACTS = "contacts"
    MAIL_LOGS = "mail_logs"


class RowTotal(OrgModel):
    table_name = fields.CharField(max_length=16)
    status = fields.CharField(max_length=16)
    number = fields.BigIntField()

    class Meta:
        table = "row_totals"
        unique_together = (("org_id", "table_name", "status"),)


class RowDelta(TableModel):
    """Has no foreign key, because checking it locks the organization, for which a worker's update must not wait."""

    org_id = fields.UUIDField()
    table_name = fields.CharField(max_length=16)
    status = fields.CharField(max_length=16)
    number = fields.BigIntField()

    class Meta:
        table = "row_deltas"
        indexes = (("org_id", "table_name"),)


class WrongTotal(NamedTuple):
    table_name: str
    status: str
    missing: int


def are_maintained() -> bool:
    return not db.dialect().has_one_writer


def total_sql(table: LongTable, org_id: str, status: str | None = None) -> str:
    """SQL for the organization's number of rows of a status, or of all; both are parameters."""
    own = f"org_id = {org_id} AND table_name = '{table}'" + ("" if status is None else f" AND status = {status}")
    numbers = f"SELECT number FROM row_totals WHERE {own} UNION ALL SELECT number FROM row_deltas WHERE {own}"
    return f"(SELECT CAST(COALESCE(SUM(number), 0) AS BIGINT) FROM ({numbers}) AS numbers)"


async def fold_deltas() -> None:
    """Moves all deltas into the totals, and drops those of deleted organizations; several processes may call it."""
    await db.fetch(
        """WITH folded AS (DELETE FROM row_deltas RETURNING org_id, table_name, status, number)
           INSERT INTO row_totals (id, created_at, org_id, table_name, status, number)
           SELECT gen_random_uuid(), now(), org_id, table_name, status, SUM(number)
           FROM folded GROUP BY org_id, table_name, status
           HAVING (SELECT o.id FROM organizations o WHERE o.id = org_id) IS NOT NULL
           ORDER BY org_id, table_name, status
           ON CONFLICT (org_id, table_name, status) DO UPDATE SET number = row_totals.number + excluded.number
           RETURNING id"""
    )


async def find_wrong(org_id: UUID) -> list[WrongTotal]:
    """Counts all rows of the organization in one snapshot with the totals."""
    counts = [
        *(
            f"SELECT '{table}' AS table_name, status, COUNT(*) AS number FROM {table} WHERE org_id = $1 GROUP BY status"
            for table in LongTable
        ),
        *(
            f"SELECT table_name, status, -number FROM {table} WHERE org_id = $1"
            for table in ("row_totals", "row_deltas")
        ),
    ]
    query = f"""SELECT table_name, status, CAST(SUM(number) AS BIGINT) AS missing
        FROM ({" UNION ALL ".join(counts)}) AS counts
        GROUP BY table_name, status HAVING SUM(number) <> 0 ORDER BY table_name, status"""
    return [WrongTotal(**row) for row in await db.fetch(query, org_id)]


async def correct(org_id: UUID, wrong: Sequence[WrongTotal]) -> None:
    """Adds what is missing; rows that changed since the count have deltas of their own."""
    await db.run_many(
        f"""INSERT INTO row_totals (id, created_at, org_id, table_name, status, number)
            VALUES ($1, {db.dialect().now}, $2, $3, $4, $5)
            ON CONFLICT (org_id, table_name, status) DO UPDATE SET number = row_totals.number + excluded.number""",
        [[uuid7(), org_id, *total] for total in wrong],
    )
