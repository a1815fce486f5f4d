"""Inserts rows into the outbox."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db

INSERTED_AT_ONCE = 1_000  # their values take the event loop 5 ms


class NewRow(NamedTuple):
    """A recipient of a message, in the order of `add_rows`; a `due_at` of None is now by the database's clock."""

    id: UUID
    org_id: UUID
    kind: str
    content_id: UUID
    to_email: str
    recipient_type: str
    message_id: str
    email_id: UUID | None = None
    account_id: UUID | None = None
    campaign_id: UUID | None = None
    campaign_run_id: UUID | None = None
    contact_id: UUID | None = None
    from_email: str | None = None
    due_at: datetime | None = None
    variables: Mapping[str, Any] = {}


async def add_rows(rows: Sequence[NewRow]) -> None:
    """Inserts pending rows; call it in the transaction that saves what they belong to."""
    now = db.dialect().now
    statement = f"""INSERT INTO mail_logs (id, org_id, kind, content_id, to_email, recipient_type, message_id, email_id,
            account_id, campaign_id, campaign_run_id, contact_id, from_email, next_attempt_at, variables, status,
            attempts, crashes, unknowns, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, COALESCE($14, {now}), $15, 'pending',
            0, 0, 0, {now})"""
    for first in range(0, len(rows), INSERTED_AT_ONCE):
        batch = rows[first : first + INSERTED_AT_ONCE]
        await db.run_many(statement, [[*values, json.dumps(variables)] for *values, variables in batch])
