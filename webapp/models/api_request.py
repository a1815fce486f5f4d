"""The log of API requests, and for some days their details."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base import OrgModel
from webapp.models.row import columns_of


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
