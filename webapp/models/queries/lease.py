"""Leases of rows: one worker at a time has a row, until its `lease_until` by the database's clock.

Leases are in seconds; that of a dead worker ends by itself. Each function is one statement, which waits for a locked
row and locks it no longer than it takes, so that what a worker saves must name what it read.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_instant


def is_free(row: str = "", *, worker: str = "") -> str:
    """A condition: no worker has the row (an alias with its dot), or the one that the parameter `worker` names."""
    own = f" OR {row}leased_by = {worker}" if worker else ""
    return f"({row}lease_until IS NULL OR {row}lease_until <= {db.dialect().now}{own})"


async def due_round_robin(table: str, due: str, limit: int, *, first: str, then: str) -> list[UUID]:
    """Free rows that are `due`, like `in_turn`."""
    return await in_turn(table, f"{due} AND {is_free()}", limit, first=first, then=then)


async def in_turn(table: str, due: str, limit: int, *, first: str, then: str) -> list[UUID]:
    """Rows that are `due`, of all organizations in turn: sorted by `first` within each, and by `then` among them."""
    ranked = f"SELECT id, {first}, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY {first}, id) AS nth FROM {table}"
    query = f"SELECT id FROM ({ranked} WHERE {due}) AS d ORDER BY nth, {then} LIMIT $1"
    return await db.fetch_ids(query, limit)


async def lease(table: str, row_id: UUID, seconds: float, due: str, also: str = "", *values: Any) -> datetime | None:
    """Leases a row that is `due`, and assigns `also`, with values from $3; the lease's end, None if already leased."""
    update = f"""UPDATE {table} SET lease_until = {db.dialect().later("$2")}{also}
        WHERE id = $1 AND {due} AND {is_free()} RETURNING lease_until"""
    leased = await db.fetch_value(update, row_id, seconds, *values)
    return None if leased is None else as_instant(leased)


async def extend(table: str, row_id: UUID, seconds: float) -> None:
    update = f"UPDATE {table} SET lease_until = {db.dialect().later('$2')} WHERE id = $1 RETURNING id"
    await db.fetch(update, row_id, seconds)
