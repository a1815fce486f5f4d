"""Transactional emails."""

from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses.common import Created, MailState, Time, created, maybe_time, time
from webapp.domain.emails.accept import BatchAccepted
from webapp.domain.emails.emails import EmailsListed, EmailView
from webapp.domain.merge_tags.rendering import render_lenient


class Tag(TypedDict):
    """A label."""

    name: str
    value: str


class Attachment(TypedDict):
    """A file, without its bytes."""

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


# An email in parts, in the specification's order; a list leaves out those between them.
_Sender = TypedDict("_Sender", {"id": UUID, "from": str})


class _Envelope(_Sender):
    to: list[str]
    cc: list[str]
    bcc: list[str]
    reply_to: list[str]
    subject: str


class _Filing(TypedDict):
    status: MailState
    account_id: UUID
    template_id: UUID | None
    tags: list[Tag]


class _Course(TypedDict):
    message_id: str
    error: str | None
    created_at: Time
    scheduled_at: Time | None
    sent_at: Time | None


class _Bodies(TypedDict):
    html: str | None
    text: str | None


class _Extras(TypedDict):
    headers: dict[str, str]
    attachments: list[Attachment]


class _Outcomes(TypedDict):
    recipients: list[Recipient]


class EmailOutline(_Envelope, _Filing, _Course):
    """An email as lists show it."""


class Email(_Envelope, _Bodies, _Filing, _Extras, _Course, _Outcomes):
    """An email whole."""


class EmailList(TypedDict):
    """Emails, newest first."""

    data: list[EmailOutline]
    has_more: Annotated[bool, Field(description="Whether there are more in the direction that was asked for.")]


class BatchItem(TypedDict):
    """An email of a batch that was not taken in: which, from 0, and why."""

    index: int
    message: str


class EmailBatch(TypedDict):
    """The ids of what was taken in, in the order of the batch."""

    data: list[Created]
    errors: NotRequired[Annotated[list[BatchItem], Field(description="The others; with `permissive` alone.")]]


def email_batch(accepted: BatchAccepted, *, is_permissive: bool) -> EmailBatch:
    """The response to a batch; a permissive one always has `errors`."""
    answer: EmailBatch = {"data": [created(row_id) for row_id in accepted.ids]}
    if is_permissive:
        answer["errors"] = [{"index": error.index, "message": error.message} for error in accepted.errors]
    return answer


def email_list(listed: EmailsListed) -> EmailList:
    return {"data": [email_outline(view) for view in listed.emails], "has_more": listed.has_more}


def email_outline(view: EmailView) -> EmailOutline:
    return {**_envelope(view, view.content.subject), **_filing(view), **_course(view)}


def email(view: EmailView) -> Email:
    mail = render_lenient(view.content, view.email.variables)
    return {
        **_envelope(view, mail.subject),
        "html": mail.html,
        "text": mail.text,
        **_filing(view),
        "headers": view.email.headers,
        "attachments": [
            {"filename": file.filename, "content_type": file.content_type, "size": file.size}
            for file in view.attachments
        ],
        **_course(view),
        "recipients": [_recipient(row) for row in view.rows],
    }


def _envelope(view: EmailView, subject: str) -> _Envelope:
    email = view.email
    return {
        "id": email.id,
        "from": email.sender,
        "to": email.addresses["to"],
        "cc": email.addresses["cc"],
        "bcc": email.addresses["bcc"],
        "reply_to": email.addresses["reply_to"],
        "subject": subject,
    }


def _filing(view: EmailView) -> _Filing:
    status: Any = view.status  # a plain string where the shape names the values
    return {
        "status": status,
        "account_id": view.email.account_id,
        "template_id": view.email.template_id,
        "tags": [{"name": tag["name"], "value": tag["value"]} for tag in view.email.tags],
    }


def _course(view: EmailView) -> _Course:
    return {
        "message_id": view.email.message_id,
        "error": view.error,
        "created_at": time(view.email.created_at),
        "scheduled_at": maybe_time(view.email.scheduled_at),
        "sent_at": maybe_time(view.sent_at),
    }


def _recipient(row: Any) -> Recipient:
    return {
        "id": row.id,
        "email": row.to_email,
        "type": row.recipient_type,
        "status": row.status,
        "error": row.error,
    }
