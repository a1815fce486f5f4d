"""Idempotency keys and their responses; a key is claimed in the transaction that does the work."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg
from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.errors import IdempotencyInProgress
from webapp.models.base import OrgModel
from webapp.models.organization import Organization


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


@dataclass(frozen=True)
class KeyedRequest:
    org: Organization
    endpoint: str
    key: str
    body_hash: str  # SHA-256 in hexadecimal


async def claim_key(
    request: KeyedRequest, now: datetime, kept_since: datetime, wait_seconds: float, begun_since: datetime | None = None
) -> bool:
    """Inserts the key; False if it exists since `kept_since`. Raises IdempotencyInProgress after `wait_seconds`.

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
        values = request.org.id, request.endpoint, request.key, request.body_hash, b""
        rows = await db.fetch(insert, uuid7(), now, *values, kept_since, begun_since or kept_since)
    except asyncpg.LockNotAvailableError:
        raise IdempotencyInProgress from None
    if has_row_locks:
        await db.fetch("SET LOCAL lock_timeout TO DEFAULT")
    return bool(rows)
