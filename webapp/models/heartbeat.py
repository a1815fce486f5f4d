"""Heartbeats of live workers."""

import math
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.row import TableModel


class WorkerHeartbeat(TableModel):
    hostname = fields.CharField(max_length=255)
    process_id = fields.IntField()
    seen_at = fields.DatetimeField()

    class Meta:
        table = "worker_heartbeats"
        indexes = (("seen_at",),)


async def beat(worker_id: UUID, hostname: str, process_id: int) -> None:
    now = db.dialect().now
    insert = f"""INSERT INTO worker_heartbeats (id, created_at, hostname, process_id, seen_at)
        VALUES ($1, {now}, $2, $3, {now})
        ON CONFLICT (id) DO UPDATE SET seen_at = {now} RETURNING id"""
    await db.fetch(insert, worker_id, hostname, process_id)


async def youngest_age() -> float:
    """Seconds since the latest heartbeat; infinite without any."""
    rows = await db.fetch(f"SELECT MIN({db.dialect().since('seen_at')}) AS age FROM worker_heartbeats")
    age = rows[0]["age"]
    return math.inf if age is None else float(age)


async def remove_older_than(seconds: float) -> None:
    delete = f"DELETE FROM worker_heartbeats WHERE {db.dialect().since('seen_at')} > $1 RETURNING id"
    await db.fetch(delete, seconds)
