"""/resend/emails and their attachments."""

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

from quart import Blueprint, Response, ResponseReturnValue, g
from quart_schema import document_headers

from webapp import clock, models
from webapp.config import settings
from webapp.domain.emails import emails
from webapp.domain.emails.accept import accept_batch, accept_email
from webapp.domain.emails.emails import EmailView, WholeEmail
from webapp.domain.emails.inputs import EmailChanges, NewBatch, NewEmail, read_batch
from webapp.domain.emails.resolve_content import ResolvedEmail, resolve_batch, resolve_email
from webapp.domain.events.events import last_events
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.merge_tags.rendering import render_lenient
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import LARGE_BYTES, SEND_BYTES
from webapp.http.idempotency import idempotent
from webapp.http.paging import BatchHeaders, CursorPaging, query, read_headers
from webapp.json_encoder import encode
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT
from webapp.resend.shapes import Body, body, listed, named, time

blueprint = Blueprint("emails", __name__, url_prefix="/emails")

URL_LASTS = timedelta(hours=1)
# Where no event says more.
LAST_EVENTS: dict[str, str] = {
    PENDING: "queued",
    SENDING: "queued",
    DEFERRED: "delivery_delayed",
    HALTED: "canceled",
    SENT: "sent",
    FAILED: "failed",
}


@blueprint.post("")
@guarded(Action.SEND)
@idempotent
@body(NewEmail, max_bytes=SEND_BYTES, find=resolve_email)
async def create(data: ResolvedEmail) -> ResponseReturnValue:
    return {"id": await accept_email(g.caller.org, data)}


@blueprint.post("/batch")
@guarded(Action.SEND)
@idempotent
@body(NewBatch, max_bytes=SEND_BYTES, read=partial(read_batch, is_lenient=True), find=resolve_batch)
@document_headers(BatchHeaders)
async def create_batch(data: list[ResolvedEmail | ApiError]) -> ResponseReturnValue:
    is_permissive = read_headers(BatchHeaders).mode == "permissive"
    accepted = await accept_batch(g.caller.org, data, is_permissive=is_permissive)
    errors = [{"index": at, "message": str(item)} for at, item in enumerate(accepted) if isinstance(item, ApiError)]
    ids = {"data": [{"id": item} for item in accepted if not isinstance(item, ApiError)]}
    return ids | {"errors": errors} if is_permissive else ids


@blueprint.get("")
@guarded(Action.READ)
@query(CursorPaging)
async def index(query_args: CursorPaging) -> Body:
    page = await emails.list_emails(g.caller.org, MailLogSearch(), query_args.cursor)
    last = await last_events(g.caller.org, [view.email.id for view in page.emails])
    return listed([_outline(view, last.get(view.email.id)) for view in page.emails], has_more=page.has_more)


@blueprint.get("/<email_id>")
@guarded(Action.READ, emails.find_email)
async def show(view: WholeEmail) -> ResponseReturnValue:
    last = await last_events(g.caller.org, [view.email.id])
    shape = partial(_whole, view, last.get(view.email.id))
    encoded = encode(shape()) if view.size <= LARGE_BYTES else await asyncio.to_thread(lambda: encode(shape()))
    return Response(encoded, content_type="application/json")


@blueprint.patch("/<email_id>")
@guarded(Action.SEND, emails.find_email)
@body(EmailChanges)
async def change(view: WholeEmail, data: EmailChanges) -> Body:
    moved = await emails.reschedule(g.caller.org, view, data.scheduled_at)
    return named("email", moved.email.id)


@blueprint.post("/<email_id>/cancel")
@guarded(Action.SEND, emails.find_email)
async def cancel(view: WholeEmail) -> Body:
    canceled = await emails.cancel_email(g.caller.org, view)
    return named("email", canceled.email.id)


@blueprint.get("/<email_id>/attachments")
@guarded(Action.READ, emails.find_email)
async def attachments_index(view: WholeEmail) -> Body:
    return listed(map(_attachment, view.attachments))


@blueprint.get("/<email_id>/attachments/<attachment_id>")
@guarded(Action.READ, emails.find_attachment)
async def attachments_show(file: models.Attachment) -> Body:
    return {"object": "attachment"} | _attachment(file)


def _outline(view: EmailView, last_event: str | None) -> Body:
    email = view.email
    return {
        "id": email.id,
        "message_id": email.message_id,
        "from": email.sender,
        **email.addresses,
        "subject": view.subject,
        "created_at": time(email.created_at),
        "scheduled_at": time(email.scheduled_at),
        "last_event": last_event or LAST_EVENTS[view.status],
    }


def _whole(view: WholeEmail, last_event: str | None) -> Body:
    mail = render_lenient(view.content, view.email.variables)
    outline = _outline(view, last_event) | {"subject": mail.subject}
    return {"object": "email", **outline, "html": mail.html, "text": mail.text, "tags": view.email.tags}


def _attachment(file: models.Attachment) -> dict[str, Any]:
    """The URL is that of /v1, which needs the same key."""
    return {
        "id": file.id,
        "filename": file.filename,
        "content_type": file.content_type,
        "content_id": file.content_id,
        "content_disposition": "inline" if file.content_id else "attachment",
        "size": file.size,
        "download_url": f"{settings().base_url}/v1/emails/{file.email_id}/attachments/{file.position}",
        "expires_at": time(clock.now() + URL_LASTS),
    }
