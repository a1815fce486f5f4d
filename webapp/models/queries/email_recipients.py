"""The recipients of emails, each with its newest row of the mail log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_instant, as_uuid


class EmailRecipient(NamedTuple):
    id: UUID
    to_email: str
    recipient_type: str
    status: str
    error: str | None
    sent_at: datetime | None


class Addressed(NamedTuple):
    """An email's subject, and its recipients in their order."""

    subject: str
    recipients: Sequence[EmailRecipient]


async def recipients_of(org_id: UUID, emails: Sequence[tuple[UUID, UUID]]) -> Mapping[UUID, Addressed]:
    """By the id of each email, all by index alone; `emails` are pairs of its id and its content's.

    One that retention has just pruned is left out.
    """
    if not emails:
        return {}
    sql = db.dialect()
    query = f"""SELECT k.id, c.subject, m.id, m.to_email, m.recipient_type, m.status, m.error, m.sent_at
        FROM {sql.table({"id": "uuid", "content_id": "uuid", "org_id": "uuid"})}
        {sql.with_each("contents", "c", "c.id = k.content_id AND c.org_id = k.org_id")}
        {sql.with_each("mail_logs", "m", "m.email_id = k.id AND m.org_id = k.org_id")}
        ORDER BY m.id"""
    found: dict[UUID, tuple[str, dict[str, EmailRecipient]]] = {}
    asked = [(*email, org_id) for email in emails]
    for key, subject, row_id, to_email, kind, status, error, sent_at in await db.records(
        query, *sql.table_values(asked)
    ):
        if subject is None:
            continue
        _, newest = found.setdefault(as_uuid(key), (subject, {}))
        if row_id is not None:  # those that failed may have been retried
            sent = None if sent_at is None else as_instant(sent_at)
            newest[to_email] = EmailRecipient(as_uuid(row_id), to_email, kind, status, error, sent)
    return {key: Addressed(subject, list(newest.values())) for key, (subject, newest) in found.items()}
