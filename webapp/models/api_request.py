"""The log of API requests."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base import OrgModel

KINDS = {UUID: "uuid", datetime: "timestamptz", str: "text", int: "int"}


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


async def log_requests(requests: Sequence[NewRequest]) -> None:
    """Inserts requests, but those logged already and those of deleted organizations."""
    sql, columns = db.dialect(), ", ".join(NewRequest._fields)
    kinds = {name: KINDS[kind] for name, kind in NewRequest.__annotations__.items()}
    insert = f"""INSERT INTO api_requests ({columns})
        SELECT {columns} FROM {sql.table(kinds)}
        WHERE org_id IN (SELECT id FROM organizations) ON CONFLICT (id) DO NOTHING RETURNING id"""
    await db.fetch(insert, *sql.table_values(requests))
