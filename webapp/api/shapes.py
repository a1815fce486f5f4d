"""Every response body of the API, in the specification's order. What is not named here is never sent."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from webapp.domain.accounts import AccountToday
from webapp.domain.emails import EmailsListed, EmailView
from webapp.domain.lists import Listed
from webapp.domain.mail_logs import MailLogView
from webapp.domain.rendering import rendered

T = TypeVar("T")
ARow = TypeVar("ARow")

Time = Annotated[
    str, WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-20T09:30:00.000Z"]})
]
MailState = Literal["pending", "sending", "sent", "failed", "deferred", "halted"]


class Meta(TypedDict):
    """Where a page stands in its list."""

    page: int
    page_size: int
    total: int


class One(TypedDict, Generic[T]):
    """One resource."""

    data: T


class Many(TypedDict, Generic[T]):
    """A page of resources."""

    data: list[T]
    meta: Meta


class Done(TypedDict):
    """It is done."""

    ok: Literal[True]


class Created(TypedDict):
    """The id of what was taken in."""

    id: UUID


class Resource(TypedDict):
    """A kind of resource, where it is, and what can be done with it."""

    name: str
    path: str
    methods: list[str]


class Discovery(TypedDict):
    """What the service offers."""

    name: str
    version: str
    documentation_url: str
    openapi_url: str
    resources: list[Resource]


def one(shape: T) -> One[T]:
    """A single resource."""
    return {"data": shape}


def many(listed: Listed[ARow], shape: Callable[[ARow], T]) -> Many[T]:
    """A page of a list."""
    page = listed.page
    return {
        "data": [shape(row) for row in listed.rows],
        "meta": {"page": page.number, "page_size": page.size, "total": listed.total},
    }


def created(row_id: UUID) -> Created:
    """The answer to a send."""
    return {"id": row_id}


def done() -> Done:
    """The answer to a delete."""
    return {"ok": True}


def time(at: datetime) -> Time:
    """ISO 8601 in UTC with milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def maybe_time(at: datetime | None) -> Time | None:
    """As `time`, or null."""
    return None if at is None else time(at)


class Account(TypedDict):
    """A sending account; its secrets are never returned."""

    id: UUID
    name: str
    provider_type: Literal["smtp", "google"]
    account_key: str
    daily_mail_limit: int
    smtp_host: str | None
    smtp_port: int | None
    smtp_username: str | None
    smtp_security: Literal["auto", "tls", "starttls", "none"] | None
    google_email: str | None
    from_email: str | None
    from_name: str | None
    status: Literal["active", "paused", "error"]
    sent_today: int
    remaining_today: int
    last_error: str | None
    last_used_at: Time | None
    created_at: Time
    updated_at: Time
    has_smtp_password: bool
    has_google_token: bool


def account(view: AccountToday) -> Account:
    """An account with its use of the day."""
    row: Any = view.account  # its columns hold plain strings where the shape names the values
    return {
        "id": row.id,
        "name": row.name,
        "provider_type": row.provider_type,
        "account_key": row.account_key,
        "daily_mail_limit": row.daily_mail_limit,
        "smtp_host": row.smtp_host,
        "smtp_port": row.smtp_port,
        "smtp_username": row.smtp_username,
        "smtp_security": row.smtp_security,
        "google_email": row.google_email,
        "from_email": row.from_email,
        "from_name": row.from_name,
        "status": row.status,
        "sent_today": view.sent_today,
        "remaining_today": view.remaining_today,
        "last_error": row.last_error,
        "last_used_at": maybe_time(row.last_used_at),
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
        "has_smtp_password": row.smtp_password is not None,
        "has_google_token": row.google_access_token is not None,
    }


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


def mail_log(view: MailLogView) -> MailLog:
    """A mail-log row."""
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


def email_list(listed: EmailsListed) -> EmailList:
    """A part of the emails."""
    return {"data": [email_outline(view) for view in listed.emails], "has_more": listed.has_more}


def email_outline(view: EmailView) -> EmailOutline:
    """An email without its bodies."""
    return {**_envelope(view, view.content.subject), **_filing(view), **_course(view)}


def email(view: EmailView) -> Email:
    """An email with its bodies, rendered, and its recipients."""
    mail = rendered(view.content, view.email.variables)
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
