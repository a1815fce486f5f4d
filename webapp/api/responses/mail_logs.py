"""Mail logs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import MailState, Time, many, maybe_time, time
from webapp.domain.mail_logs.mail_logs import MailLogsListed, MailLogView
from webapp.domain.pagination import Listed
from webapp.http.json_provider import encode
from webapp.http.streamed_json import JsonPart


class MailLog(TypedDict):
    """One recipient of one mail, and what became of it; subject and body as rendered."""

    id: UUID
    to_email: str
    subject: str | None
    body_html: str | None
    status: MailState
    from_email: str | None
    account_id: UUID | None
    campaign_id: UUID | None
    campaign_run_id: UUID | None
    contact_id: UUID | None
    sent_at: Time | None
    error: str | None
    smtp_message_id: str | None
    attempts: int
    created_at: Time
    email_id: UUID | None
    response_code: int | None


async def mail_log_parts(listed: MailLogsListed) -> AsyncIterator[JsonPart]:
    """A page of mail logs as `many` has it, encoded part by part."""
    envelope = encode(many(Listed[MailLogView]([], listed.page, listed.total), mail_log))
    lead, end = envelope.split(b"[]", 1)
    lead, end = lead + b"[", b"]" + end
    async for views, is_last in listed.load():
        rows = await asyncio.to_thread(_encoded, views)  # they may be megabytes
        views.clear()  # nothing holds them while the next are loaded
        yield JsonPart([lead, *rows, end] if is_last else [lead, *rows], is_last)
        lead = b","


def _encoded(views: Sequence[MailLogView]) -> list[bytes]:
    """The rows, separated by commas."""
    found = [piece for view in views for piece in (encode(mail_log(view)), b",")]
    return found[:-1]


def mail_log(view: MailLogView) -> MailLog:
    row: Any = view.row
    return {
        "id": row.id,
        "to_email": row.to_email,
        "subject": view.mail.subject if view.mail else None,
        "body_html": view.mail.body_html if view.mail else None,
        "status": row.status,
        "from_email": row.from_email,
        "account_id": row.account_id,
        "campaign_id": row.campaign_id,
        "campaign_run_id": row.campaign_run_id,
        "contact_id": row.contact_id,
        "sent_at": maybe_time(row.sent_at),
        "error": row.error,
        "smtp_message_id": row.smtp_message_id,
        "attempts": row.attempts,
        "created_at": time(row.created_at),
        "email_id": row.email_id,
        "response_code": row.response_code,
    }
