"""/v1/emails."""

from typing import Any
from uuid import UUID

from quart import Blueprint, Response, ResponseReturnValue, g
from quart_schema import document_headers

from webapp import models
from webapp.api.mail_filters import EmailParams
from webapp.api.responses import One, answers, shaped
from webapp.api.responses.emails import (
    AcceptedEmail,
    AttachmentList,
    BatchItem,
    Email,
    EmailBatch,
    EmailList,
    ListedAttachment,
)
from webapp.domain.emails import emails
from webapp.domain.emails.accept import accept_batch, accept_email
from webapp.domain.emails.emails import WholeEmail
from webapp.domain.emails.inputs import EmailChanges, NewBatch, NewEmail, read_batch
from webapp.domain.emails.resolve_content import ResolvedEmail, resolve_batch, resolve_email
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.downloads import File, download
from webapp.http.idempotency import idempotent
from webapp.http.paging import BatchHeaders, query, read_headers

blueprint = Blueprint("emails", __name__, url_prefix="/emails")


@blueprint.post("")
@guarded(Action.SEND)
@idempotent
@json_body(NewEmail, max_bytes=SEND_BYTES, find=resolve_email)
@answers(AcceptedEmail)
async def create(data: ResolvedEmail) -> ResponseReturnValue:
    """Send an email.

    Returns the id of the first recipient's mail log. The email is saved before the response and sent right after.
    The mail log of a recipient who is suppressed or opted out of the topic fails at once; the others get the email.
    """
    return _accepted(await accept_email(g.caller.org, data), data)


def _accepted(email_id: UUID, email: ResolvedEmail) -> dict[str, Any]:
    at = email.scheduled_at
    return {"id": email_id} if at is None else {"id": email_id, "scheduled_at": at}


@blueprint.post("/batch")
@guarded(Action.SEND)
@idempotent
@json_body(NewBatch, max_bytes=SEND_BYTES, read=read_batch, find=resolve_batch)
@document_headers(BatchHeaders)
@answers(EmailBatch)
async def create_batch(data: list[ResolvedEmail | ApiError]) -> ResponseReturnValue:
    """Send up to 100 emails.

    Either all are accepted or none, and `errors` lists the invalid ones. With `X-Batch-Validation: permissive`, valid
    emails are accepted and `errors` in the response lists the others.
    """
    is_permissive = read_headers(BatchHeaders).mode == "permissive"
    accepted = await accept_batch(g.caller.org, data, is_permissive=is_permissive)
    ids = [
        _accepted(item, email)
        for item, email in zip(accepted, data, strict=True)
        if not isinstance(item, ApiError) and not isinstance(email, ApiError)
    ]
    errors = [BatchItem(index=at, message=str(item)) for at, item in enumerate(accepted) if isinstance(item, ApiError)]
    return {"data": ids, "errors": errors} if is_permissive else {"data": ids}


@blueprint.get("")
@guarded(Action.READ)
@query(EmailParams)
@answers(EmailList)
async def index(query_args: EmailParams) -> object:
    """List emails, newest first, without bodies; includes pending and scheduled emails.

    An email has the filters that are given, all of them. A search by several common ones may stop early: then
    `searched_until` is the id to pass as `after`, or as `before` where you passed one, to go on.
    """
    page = await emails.list_emails(g.caller.org, query_args.search, query_args.cursor)
    return {"data": page.emails, "has_more": page.has_more, **page.stopped}


@blueprint.get("/<other(batch):email_id>")  # so that GET /batch is 405, not 404
@guarded(Action.READ, emails.find_email)
@answers(One[Email])
async def show(email: WholeEmail) -> object:
    """Get an email with its bodies and the status of each recipient.

    Accepts the id of any of its mail logs.
    """
    return email


@blueprint.patch("/<other(batch):email_id>")
@guarded(Action.SEND, emails.find_email)
@json_body(EmailChanges)
@answers(One[Email])
async def change(email: WholeEmail, data: EmailChanges) -> object:
    """Reschedule an email.

    Returns 409 once sending has started, or if the email was not scheduled.
    """
    return await emails.reschedule(g.caller.org, email, data.scheduled_at)


@blueprint.get("/<email_id>/attachments")
@guarded(Action.READ, emails.find_email)
@answers(AttachmentList)
async def attachments_index(email: WholeEmail) -> object:
    """List the attachments of an email, without their content."""
    return {"data": [shaped(ListedAttachment, file, index=file.position) for file in email.attachments]}


@blueprint.get("/<email_id>/attachments/<attachment_index>")
@guarded(Action.READ, emails.find_attachment)
@answers(File)
async def attachments_show(file: models.Attachment) -> Response:
    """Download an attachment of an email.

    `attachment_index` is its `index` in the list.
    """
    return download(bytes(file.data), file.filename, file.content_type)


@blueprint.post("/<email_id>/cancel")
@guarded(Action.SEND, emails.find_email)
@answers(One[Email])
async def cancel(email: WholeEmail) -> object:
    """Cancel a pending or scheduled email.

    Its mail logs become `halted`. Returns 409 once sending has started, or if the email was already canceled.
    """
    return await emails.cancel_email(g.caller.org, email)
