"""The response bodies of emails, mail logs and composes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses import Created, Many, Time, body_of, cursor_list, make, makes, shaped
from webapp.domain.emails.accept import BatchAccepted
from webapp.domain.emails.emails import EmailView, WholeEmail
from webapp.domain.mail_logs.mail_logs import MailLogsListed, MailLogView
from webapp.domain.merge_tags.rendering import render_lenient
from webapp.domain.pagination import Listed
from webapp.domain.tracking.engagement import HITS_SHOWN
from webapp.http.streamed_json import JsonPart
from webapp.json_encoder import encode

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


def email_batch(accepted: BatchAccepted, *, is_permissive: bool) -> EmailBatch:
    answer: EmailBatch = {"data": [{"id": row_id} for row_id in accepted.ids]}
    if is_permissive:
        answer["errors"] = [{"index": error.index, "message": error.message} for error in accepted.errors]
    return answer


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


class Bounce(TypedDict):
    """The verdict of a report that came after the email was sent."""

    type: Literal["Permanent", "Transient", "Undetermined"]
    subType: str
    status: Annotated[str | None, Field(description="The enhanced status code.")]
    diagnosticCode: list[str]
    unconfirmed: NotRequired[
        Annotated[
            bool,
            Field(description="True when the report has no id that only the recipient knows: others may have sent it."),
        ]
    ]


class MailLog(TypedDict):
    """The delivery status of one recipient, with the rendered subject and body."""

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
    bounced_at: Annotated[Time | None, Field(description="When a report said that the sent email bounced.")]
    complained_at: Annotated[Time | None, Field(description="When the recipient marked it as spam.")]
    bounce: Bounce | None


@makes(MailLog)
def _mail_log(view: MailLogView) -> MailLog:
    subject, body_html = (view.mail.subject, view.mail.body_html) if view.mail else (None, None)
    return shaped(MailLog, view.row, subject=subject, body_html=body_html)


async def mail_log_parts(listed: MailLogsListed) -> AsyncIterator[JsonPart]:
    envelope = encode(body_of(Many[MailLog], Listed[MailLogView]([], listed.page, listed.total)))
    lead, end = envelope.split(b"[]", 1)
    lead, end = lead + b"[", b"]" + end
    async for views, is_last in listed.load():
        rows = await asyncio.to_thread(_encoded, views)  # which may be megabytes
        views.clear()  # frees their memory while the next ones are loaded
        yield JsonPart([lead, *rows, end] if is_last else [lead, *rows], is_last)
        lead = b","


def _encoded(views: Sequence[MailLogView]) -> list[bytes]:
    pieces = [piece for view in views for piece in (encode(make(MailLog, view)), b",")]
    return pieces[:-1]


class Refused(TypedDict):
    """A recipient that failed, and the reason."""

    email: str
    error: str


class Composed(TypedDict):
    """The result of a compose request."""

    ok: bool
    sent: int
    failed: list[Refused]
