"""Idempotency keys and their responses; a key is claimed in the transaction that does the work."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg
from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.base import OrgModel

FORGOTTEN_AT_ONCE = 1_000


class IdempotencyKey(OrgModel):
    endpoint = fields.CharField(max_length=160)
    key = fields.CharField(max_length=256)
    body_hash = fields.CharField(max_length=64)
    status = fields.SmallIntField()
    body = fields.BinaryField()

    class Meta:
        table = "idempotency_keys"
        unique_together = (("org_id", "endpoint", "key"),)
        indexes = (("created_at",),)


class KeyLocked(Exception):
    """Another open transaction has claimed the key."""


@dataclass(frozen=True)
class Claim:
    org_id: UUID
    endpoint: str
    key: str
    body_hash: str  # SHA-256 in hexadecimal


async def claim_key(
    claim: Claim, now: datetime, kept_since: datetime, wait_seconds: float, begun_since: datetime | None = None
) -> bool:
    """Inserts the key; False if it exists since `kept_since`. Raises KeyLocked after `wait_seconds`.

    A row that was committed without a response only counts if it is newer than `begun_since`.
    """
    has_row_locks = not db.dialect().has_one_writer  # SQLite waits before the transaction begins
    if has_row_locks:
        await db.fetch("SELECT set_config('lock_timeout', $1, TRUE)", f"{max(wait_seconds, 0.001) * 1000:.0f}ms")
    try:
        insert = """INSERT INTO idempotency_keys (id, created_at, org_id, endpoint, key, body_hash, status, body)
           VALUES ($1, $2, $3, $4, $5, $6, 0, $7)
           ON CONFLICT (org_id, endpoint, key) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
           body_hash = excluded.body_hash, status = excluded.status, body = excluded.body
           WHERE idempotency_keys.created_at < $8 OR idempotency_keys.status = 0 AND idempotency_keys.created_at < $9
           RETURNING id"""
        values = claim.org_id, claim.endpoint, claim.key, claim.body_hash, b"", kept_since, begun_since or kept_since
        rows = await db.fetch(insert, uuid7(), now, *values)
    except asyncpg.LockNotAvailableError:
        raise KeyLocked from None
    if has_row_locks:
        await db.fetch("SET LOCAL lock_timeout TO DEFAULT")
    return bool(rows)


async def forget_keys(before: datetime) -> None:
    while True:
        delete = """DELETE FROM idempotency_keys WHERE id IN
           (SELECT id FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING id"""
        rows = await db.fetch(delete, before, FORGOTTEN_AT_ONCE)
        if len(rows) < FORGOTTEN_AT_ONCE:
            return
