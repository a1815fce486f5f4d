"""The single row about the installation, and the heartbeats of workers."""

import math
import secrets
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.row import TableModel

INSTANCE_ID = UUID(int=1)
FILE = "file"  # the origin of a SQLite file that is not a copy
NOT_SUSPENDED = (
    f"(SELECT i.held_at FROM instance i WHERE i.id = '{INSTANCE_ID}') IS NULL"  # evaluated once per statement
)


class Instance(TableModel):
    """While `held_at` is set, nothing is sent and no schedule fires."""

    held_at = fields.DatetimeField(null=True)
    held_reason = fields.CharField(max_length=255, null=True)
    origin = fields.CharField(max_length=120, null=True)  # identifies this database; a restored copy differs
    signing_key = fields.TextField(null=True)  # sealed; signs what outlives the secret keys
    network_salt = fields.CharField(max_length=64, null=True)  # today's; earlier ones are forgotten
    network_salt_day = fields.DateField(null=True)
    untrusted_proxy = fields.CharField(max_length=64, null=True)  # the latest untrusted address that forwards requests
    untrusted_proxy_at = fields.DatetimeField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "instance"


class WorkerHeartbeat(TableModel):
    hostname = fields.CharField(max_length=255)
    process_id = fields.IntField()
    seen_at = fields.DatetimeField()
    trouble = fields.TextField(null=True)  # why it does not send, or not everything

    class Meta:
        table = "worker_heartbeats"
        indexes = (("seen_at",),)


class Suspension(NamedTuple):
    since: datetime
    reason: str


async def find_suspension() -> Suspension | None:
    rows = await db.fetch(
        "SELECT held_at, held_reason FROM instance WHERE id = $1 AND held_at IS NOT NULL", INSTANCE_ID
    )
    return Suspension(dialects.as_instant(rows[0]["held_at"]), rows[0]["held_reason"]) if rows else None


async def suspend(reason: str) -> None:
    await insert_row()
    now = db.dialect().now
    update = f"UPDATE instance SET held_at = {now}, held_reason = $2, updated_at = {now} WHERE id = $1 RETURNING id"
    await db.fetch(update, INSTANCE_ID, reason)


async def resume() -> bool:
    """False if sending was not suspended."""
    update = f"""UPDATE instance SET held_at = NULL, held_reason = NULL, updated_at = {db.dialect().now}
        WHERE id = $1 AND held_at IS NOT NULL RETURNING id"""
    rows = await db.fetch(update, INSTANCE_ID)
    return bool(rows)


async def insert_row() -> None:
    now = db.dialect().now
    insert = f"""INSERT INTO instance (id, created_at, updated_at) VALUES ($1, {now}, {now})
        ON CONFLICT (id) DO NOTHING RETURNING id"""
    await db.fetch(insert, INSTANCE_ID)


async def lock() -> str | None:
    """Locks the row until the transaction ends, inserting it if missing; returns the origin."""
    await insert_row()
    rows = await db.fetch(f"SELECT origin FROM instance WHERE id = $1 {db.dialect().lock('FOR UPDATE')}", INSTANCE_ID)
    origin: str | None = rows[0]["origin"]
    return origin


async def network_salt(day: date) -> str:
    """The day's salt for hashes of networks; overwrites yesterday's."""
    async with db.write_transaction():
        await lock()
        row = await Instance.get(id=INSTANCE_ID)
        if row.network_salt is None or row.network_salt_day is None or row.network_salt_day < day:
            row.network_salt, row.network_salt_day = secrets.token_hex(32), day
            await row.save(update_fields=["network_salt", "network_salt_day"])
        return row.network_salt


async def find_origin() -> str | None:
    rows = await db.fetch("SELECT origin FROM instance WHERE id = $1", INSTANCE_ID)
    return rows[0]["origin"] if rows else None


async def record_origin(origin: str) -> None:
    await db.fetch("UPDATE instance SET origin = $2 WHERE id = $1 RETURNING id", INSTANCE_ID, origin)


async def database_identity() -> str:
    """Changes when `pg_restore` fills another database; FILE on SQLite, where `pennypost backup` marks copies."""
    if db.dialect().has_one_writer:
        return FILE
    rows = await db.fetch(
        """SELECT (SELECT system_identifier FROM pg_control_system())::text AS server,
           (SELECT oid FROM pg_database WHERE datname = current_database())::text AS database,
           'mail_logs'::regclass::oid::text AS tables"""
    )
    return "{server}/{database}/{tables}".format(**rows[0])


async def record_untrusted_proxy(address: str) -> None:
    await insert_row()
    now = db.dialect().now
    update = f"UPDATE instance SET untrusted_proxy = $2, untrusted_proxy_at = {now} WHERE id = $1 RETURNING id"
    await db.fetch(update, INSTANCE_ID, address)


async def find_untrusted_proxy(seconds: float) -> str | None:
    """The latest one if it was seen within `seconds`."""
    since = db.dialect().since("untrusted_proxy_at")
    rows = await db.fetch(f"SELECT untrusted_proxy FROM instance WHERE id = $1 AND {since} < $2", INSTANCE_ID, seconds)
    return rows[0]["untrusted_proxy"] if rows else None


async def beat(worker_id: UUID, hostname: str, process_id: int, trouble: str | None) -> None:
    now = db.dialect().now
    insert = f"""INSERT INTO worker_heartbeats (id, created_at, hostname, process_id, seen_at, trouble)
        VALUES ($1, {now}, $2, $3, {now}, $4)
        ON CONFLICT (id) DO UPDATE SET seen_at = {now}, trouble = $4 RETURNING id"""
    await db.fetch(insert, worker_id, hostname, process_id, trouble)


async def worker_troubles(seconds: float) -> list[str]:
    """The troubles that workers reported within the last `seconds`."""
    query = f"""SELECT hostname, process_id, trouble FROM worker_heartbeats
        WHERE trouble IS NOT NULL AND {db.dialect().since("seen_at")} < $1 ORDER BY id"""
    return ["process {process_id} on {hostname}: {trouble}".format(**row) for row in await db.fetch(query, seconds)]


async def youngest_heartbeat() -> float:
    """Seconds since the latest one, or infinity."""
    rows = await db.fetch(f"SELECT MIN({db.dialect().since('seen_at')}) AS age FROM worker_heartbeats")
    age = rows[0]["age"]
    return math.inf if age is None else float(age)


async def remove_heartbeats_older_than(seconds: float) -> None:
    delete = f"DELETE FROM worker_heartbeats WHERE {db.dialect().since('seen_at')} > $1 RETURNING id"
    await db.fetch(delete, seconds)
