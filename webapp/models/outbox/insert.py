"""Inserts rows into the outbox."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.models.base.row import columns_of
from webapp.models.event import EventType
from webapp.models.mail_log import MailKind
from webapp.models.outbox.transitions import Transition, add_transitions
from webapp.models.queries.event_log import MailChange, record_mail_events

INSERTED_AT_ONCE = 1_000  # preparing their values blocks the event loop for 5 ms


class NewRow(NamedTuple):
    """A recipient of a message in the column order of `add_rows`; `due_at` None means now by the database's clock.

    Rows with an `error` are failed from the beginning.
    """

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
    error: str | None = None
    variables: Mapping[str, Any] = {}


COLUMNS = columns_of(NewRow)


async def add_rows(rows: Sequence[NewRow]) -> None:
    """Inserts rows and their events; call it in the transaction that saves their message."""
    columns = ", ".join(name for name in COLUMNS if name != "due_at")
    now = db.dialect().now
    status = "CASE WHEN error IS NULL THEN 'pending' ELSE 'failed' END"
    insert = f"""INSERT INTO mail_logs ({columns}, next_attempt_at, status, attempts, crashes, unknowns, created_at)
        SELECT {columns}, COALESCE(due_at, {now}), {status}, 0, 0, 0, {now} FROM"""
    for first in range(0, len(rows), INSERTED_AT_ONCE):
        batch = rows[first : first + INSERTED_AT_ONCE]
        await db.run_on(insert, COLUMNS, [[*values, json.dumps(variables)] for *values, variables in batch])
    accepted, failed = list[MailChange](), list[Transition]()
    for row in rows:
        if row.error is None:
            is_scheduled = row.due_at is not None and row.kind == MailKind.TRANSACTIONAL
            accepted.append(MailChange(row.id, EventType.EMAIL_SCHEDULED if is_scheduled else EventType.EMAIL_QUEUED))
        else:
            failed.append(Transition(row.org_id, row.id, "pending", "failed", row.error))
    await record_mail_events(accepted)
    await add_transitions(failed)
