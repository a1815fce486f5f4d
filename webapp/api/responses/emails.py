"""The response bodies of /v1/emails."""

from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses import HasMore, Time, makes, shaped
from webapp.domain.emails.emails import EmailView, WholeEmail
from webapp.domain.merge_tags.rendering import render_lenient
from webapp.domain.tracking.engagement import HITS_SHOWN

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
    topic_id: UUID | None
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
    topic_id: UUID | None
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


class AcceptedEmail(TypedDict):
    """The id of the queued email."""

    id: UUID
    scheduled_at: NotRequired[Annotated[Time, Field(description="When it will be sent; only if it was scheduled.")]]


class EmailBatch(TypedDict):
    """The ids of the accepted emails, in batch order."""

    data: list[AcceptedEmail]
    errors: NotRequired[Annotated[list[BatchItem], Field(description="The rejected emails; only with `permissive`.")]]


@makes(EmailOutline)
def _email_outline(view: EmailView) -> EmailOutline:
    return shaped(EmailOutline, view.email, **_common(view), subject=view.subject)


class EmailList(TypedDict):
    """Emails, newest first."""

    data: list[EmailOutline]
    has_more: HasMore
    searched_until: NotRequired[Annotated[UUID, Field(description="Where a search stopped early.")]]


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
