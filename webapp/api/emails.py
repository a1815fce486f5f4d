"""/v1/emails and its response bodies."""

from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from quart import Blueprint, Response, ResponseReturnValue, g
from quart_schema import document_headers
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Created, One, Time, answers, cursor_list, makes, shaped
from webapp.domain.emails import emails
from webapp.domain.emails.accept import accept_batch, accept_email
from webapp.domain.emails.emails import EmailView, WholeEmail
from webapp.domain.emails.inputs import EmailChanges, NewBatch, NewEmail, read_batch
from webapp.domain.emails.resolve_content import ResolvedEmail, resolve_batch, resolve_email
from webapp.domain.inputs import Id, Input
from webapp.domain.merge_tags.rendering import render_lenient
from webapp.domain.pagination import Cursor
from webapp.domain.roles import Action
from webapp.domain.tracking.engagement import HITS_SHOWN
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.downloads import File, download
from webapp.http.idempotency import idempotent
from webapp.http.paging import CreatedBetween, QueryInteger, query, read_headers

blueprint = Blueprint("emails", __name__, url_prefix="/emails")
MailState = Literal["pending", "sending", "sent", "failed", "deferred", "halted"]


class Tag(TypedDict):
    """A label."""

    name: str
    value: str


class Attachment(TypedDict):
    """A file, without its content."""

    filename: str
    content_type: str
    size: int


class ListedAttachment(TypedDict):
    """A file of an email, without its content."""

    index: Annotated[int, Field(description="Its place among the files, from 0.")]
    filename: str
    content_type: str
    size: int
    content_id: Annotated[str | None, Field(description="The name of an inline image in the html.")]


class AttachmentList(TypedDict):
    """The files of an email."""

    data: list[ListedAttachment]


class Recipient(TypedDict):
    """One recipient's mail-log row."""

    id: UUID
    email: str
    type: Literal["to", "cc", "bcc"]
    status: MailState
    error: str | None


_Sender = TypedDict("_Sender", {"id": UUID, "from": str})


class EmailOutline(_Sender):
    """An email as shown in lists."""

    to: list[str]
    cc: list[str]
    bcc: list[str]
    reply_to: list[str]
    subject: str
    status: MailState
    account_id: UUID
    template_id: UUID | None
    tags: list[Tag]
    message_id: str
    error: str | None
    created_at: Time
    scheduled_at: Time | None
    sent_at: Time | None


class EmailTracking(TypedDict):
    """The opens and clicks that are counted: of an email's html, unless its contact has `do_not_track`."""

    opens: bool
    clicks: bool


class EmailHit(TypedDict):
    """An open, or a click of a link."""

    type: Literal["email.opened", "email.clicked"]
    link: str | None
    is_machine: Annotated[bool | None, Field(description="null: nobody can tell.")]
    occurred_at: Time


class Email(_Sender):
    """A complete email."""

    to: list[str]
    cc: list[str]
    bcc: list[str]
    reply_to: list[str]
    subject: str
    html: str | None
    text: str | None
    status: MailState
    account_id: UUID
    template_id: UUID | None
    tags: list[Tag]
    headers: dict[str, str]
    attachments: list[Attachment]
    message_id: str
    error: str | None
    created_at: Time
    scheduled_at: Time | None
    sent_at: Time | None
    recipients: list[Recipient]
    tracking: EmailTracking
    engagement: Annotated[
        list[EmailHit], Field(description=f"The first {HITS_SHOWN} opens and clicks, a minute after each.")
    ]


class BatchItem(TypedDict):
    """An email of a batch that was rejected: its index, starting at 0, and the reason."""

    index: int
    message: str


class EmailBatch(TypedDict):
    """The ids of the accepted emails, in batch order."""

    data: list[Created]
    errors: NotRequired[Annotated[list[BatchItem], Field(description="The rejected emails; only with `permissive`.")]]


@makes(EmailOutline)
def _email_outline(view: EmailView) -> EmailOutline:
    return shaped(EmailOutline, view.email, **_common(view), subject=view.subject)


EmailList = cursor_list(EmailOutline, "Emails, newest first.")


@makes(Email)
def _email(view: WholeEmail) -> Email:
    mail = render_lenient(view.content, view.email.variables)
    return shaped(
        Email,
        view.email,
        **_common(view),
        subject=mail.subject,
        html=mail.html,
        text=mail.text,
        attachments=view.attachments,
        recipients=[shaped(Recipient, row, email=row.to_email, type=row.recipient_type) for row in view.recipients],
        tracking=view.engagement,
        engagement=view.engagement.hits,
    )


def _common(view: EmailView) -> dict[str, Any]:
    return {
        **view.email.addresses,
        "from": view.email.sender,
        "status": view.status,
        "error": view.error,
        "sent_at": view.sent_at,
        "tags": view.email.tags,
    }


class EmailParams(CreatedBetween):
    limit: Annotated[QueryInteger, Field(ge=1, le=100)] = Field(default=20, description="Maximum number of results.")
    after: Id | None = Field(default=None, description="Only emails older than this id.")
    before: Id | None = Field(default=None, description="Only emails newer than this id.")

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.limit, self.after, self.before)


class BatchHeaders(Input):
    mode: Literal["strict", "permissive"] = Field(
        default="strict",
        alias="X-Batch-Validation",
        description="`strict`: one invalid email rejects all. `permissive`: valid emails are sent.",
    )


@blueprint.post("")
@guarded(Action.SEND)
@idempotent
@json_body(NewEmail, max_bytes=SEND_BYTES, find=resolve_email)
@answers(Created)
async def create(data: ResolvedEmail) -> ResponseReturnValue:
    """Send an email.

    Returns the id of the first recipient's mail log. The email is saved before the response and sent right after.
    The mail log of a suppressed recipient fails at once; the others get the email.
    """
    return {"id": await accept_email(g.caller.org, data)}


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
    ids = [{"id": item} for item in accepted if not isinstance(item, ApiError)]
    errors = [BatchItem(index=at, message=str(item)) for at, item in enumerate(accepted) if isinstance(item, ApiError)]
    return {"data": ids, "errors": errors} if is_permissive else {"data": ids}


@blueprint.get("")
@guarded(Action.READ)
@query(EmailParams)
@answers(EmailList)
async def index(query_args: EmailParams) -> object:
    """List emails, newest first, without bodies; includes pending and scheduled emails."""
    since, until = query_args.created_after, query_args.created_before
    rows, has_more = await emails.list_emails(g.caller.org, query_args.cursor, since, until)
    return {"data": rows, "has_more": has_more}


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
