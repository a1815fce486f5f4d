"""The log of API requests, for some days their details, and their idempotency keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import asyncpg
from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.errors import IdempotencyInProgress
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import columns_of
from webapp.models.organization import Organization


class ApiRequest(OrgModel):
    key_id = fields.UUIDField(null=True)
    method = fields.CharField(max_length=16)
    path = fields.CharField(max_length=500)
    status = fields.SmallIntField()
    duration_ms = fields.IntField()
    address = fields.CharField(max_length=64)
    request_id = fields.CharField(max_length=64)

    class Meta:
        table = "api_requests"
        indexes = (("org_id", "id"), ("org_id", "key_id", "id"), ("org_id", "status", "id"), ("created_at",))


class ApiRequestDetails(OrgModel):
    """Details of the request with the same ID; a separate table because log searches scan many rows."""

    query = fields.TextField()
    headers = fields.TextField()  # a JSON list of names and values
    request_body = fields.TextField(null=True)  # JSON; empty without a body, None if not stored
    request_body_is_cut = fields.BooleanField()
    response_body = fields.TextField(null=True)  # likewise
    response_body_is_cut = fields.BooleanField()

    class Meta:
        table = "api_request_details"
        indexes = (("org_id", "id"),)


class NewRequest(NamedTuple):
    id: UUID
    created_at: datetime  # when the request began
    org_id: UUID
    key_id: UUID
    method: str
    path: str
    status: int
    duration_ms: int
    address: str
    request_id: str


class NewRequestDetails(NamedTuple):
    id: UUID
    created_at: datetime
    org_id: UUID
    query: str
    headers: str
    request_body: str | None
    request_body_is_cut: bool
    response_body: str | None
    response_body_is_cut: bool


async def log_requests(requests: Sequence[NewRequest], details: Sequence[NewRequestDetails]) -> None:
    """Inserts requests with their details, except known ones and those of deleted organizations."""
    async with db.write_transaction():
        await _insert("api_requests", requests)
        if details:
            await _insert("api_request_details", details)


async def _insert(table: str, rows: Sequence[NewRequest] | Sequence[NewRequestDetails]) -> None:
    sql, columns = db.dialect(), ", ".join(rows[0]._fields)
    insert = f"""INSERT INTO {table} ({columns})
        SELECT {columns} FROM {sql.table(columns_of(type(rows[0])))}
        WHERE org_id IN (SELECT id FROM organizations) ON CONFLICT (id) DO NOTHING RETURNING id"""
    await db.fetch(insert, *sql.table_values(rows))


class IdempotencyKey(OrgModel):
    """A key with the response to its first request; it is claimed in the transaction that does the work."""

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
