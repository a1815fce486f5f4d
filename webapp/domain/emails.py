"""Transactional emails: taking one in, and telling what became of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.addresses import Address
from webapp.domain.new_email import NewEmail
from webapp.domain.senders import choose_account
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Attachment, Content, Email, MailLog, Organization, outbox
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT, MailKind, RecipientType
from webapp.queue import Job, enqueue

__all__ = [
    "EmailCursor",
    "EmailView",
    "EmailsListed",
    "NewEmail",
    "Recipient",
    "add_email",
    "find_email",
    "list_emails",
    "merge_recipients",
]

UNDECIDED = (PENDING, SENDING, DEFERRED, HALTED)  # the first of these that a row is in is the email's status
OUTLINE = ("id", "email_id", "status", "error", "sent_at", "to_email", "recipient_type")
WITHOUT_DATA = ("id", "email_id", "filename", "content_type", "size")


@dataclass(frozen=True)
class Recipient:
    """One address of an email, and where in the message it stands."""

    type: RecipientType
    address: Address


@dataclass(frozen=True)
class EmailView:
    """An email and what became of it: its rows in the order of its recipients. Lists have no attachments."""

    email: Email
    content: Content
    rows: Sequence[MailLog]
    attachments: Sequence[Attachment] = ()

    @property
    def status(self) -> str:
        """What the email waits for, else `sent` when one recipient's server took it, else `failed`."""
        found = {row.status for row in self.rows}
        return next((status for status in (*UNDECIDED, SENT) if status in found), FAILED)

    @property
    def error(self) -> str | None:
        """What the first server that complained said."""
        return next((row.error for row in self.rows if row.error), None)

    @property
    def sent_at(self) -> datetime | None:
        """When the first recipient's server took it."""
        return min((row.sent_at for row in self.rows if row.sent_at is not None), default=None)


@dataclass(frozen=True)
class EmailCursor:
    """A part of the emails, newest first: those older than `after`, or newer than `before`, or the newest."""

    limit: int = 20
    after: UUID | None = None
    before: UUID | None = None


@dataclass(frozen=True)
class EmailsListed:
    """Emails, newest first, and whether there are more in the direction that was asked for."""

    emails: list[EmailView]
    has_more: bool


async def add_email(org: Organization, data: NewEmail) -> UUID:
    """Take an email in: its rows are committed when this returns. The id is that of the first recipient's row.

    Raises ValidationError, or NotFound for an `account_key` that is not the organization's.
    """
    recipients = merge_recipients(data)
    async with db.write_transaction():
        account = await _hold_account(org, data)
        email = _email(org, account, data, recipients)
        content = Content(id=email.content_id, org_id=org.id, subject=data.subject, html=data.html, text=data.text)
        await content.save(force_create=True)
        await email.save(force_create=True)
        await Attachment.bulk_create(_attachments(email, data))
        await outbox.add_rows(_rows(email, data, recipients))
    if data.scheduled_at is None:
        enqueue(Job.WAKE, account.id)
    return email.id


async def _hold_account(org: Organization, data: NewEmail) -> Account:
    """The account to send with, kept from being deleted until the transaction ends."""
    account = await choose_account(org, data)
    return account if await account.hold() else await _hold_account(org, data)


def merge_recipients(data: NewEmail) -> list[Recipient]:
    """Everyone the email goes to: to, cc, bcc; an address named twice counts where it is named first."""
    named: list[tuple[RecipientType, Address]] = [
        *((RecipientType.TO, address) for address in data.to),
        *((RecipientType.CC, address) for address in data.cc or ()),
        *((RecipientType.BCC, address) for address in data.bcc or ()),
    ]
    first: dict[str, Recipient] = {}
    for kind, address in named:
        first.setdefault(address.email.lower(), Recipient(kind, address))
    return list(first.values())


def _email(org: Organization, account: Account, data: NewEmail, recipients: Sequence[Recipient]) -> Email:
    email_id = uuid7()
    return Email(
        id=email_id,
        org_id=org.id,
        account_id=account.id,
        content_id=uuid7(),
        message_id=f"<{email_id.hex}@{data.from_.domain}>",
        sender=str(data.from_),
        addresses={
            **{kind.value: [str(one.address) for one in recipients if one.type == kind] for kind in RecipientType},
            "reply_to": [str(address) for address in data.reply_to or ()],
        },
        headers=data.headers or {},
        tags=[tag.model_dump() for tag in data.tags or ()],
        variables={},
        scheduled_at=data.scheduled_at,
        size=len(data.html or "") + len(data.text or "") + sum(len(file.content) for file in data.attachments or ()),
    )


def _attachments(email: Email, data: NewEmail) -> Iterable[Attachment]:
    return [
        Attachment(
            org_id=email.org_id,
            email_id=email.id,
            position=position,
            filename=file.filename,
            content_type=file.type,
            content_id=file.content_id,
            size=len(file.content),
            data=file.content,
        )
        for position, file in enumerate(data.attachments or ())
    ]


def _rows(email: Email, data: NewEmail, recipients: Sequence[Recipient]) -> list[outbox.NewRow]:
    """One row per recipient; the first has the email's id."""
    return [
        outbox.NewRow(
            id=email.id if position == 0 else uuid7(),
            org_id=email.org_id,
            kind=MailKind.TRANSACTIONAL,
            content_id=email.content_id,
            to_email=recipient.address.email,
            recipient_type=recipient.type,
            message_id=email.message_id,
            email_id=email.id,
            account_id=email.account_id,
            from_email=data.from_.email,
            due_at=data.scheduled_at,
        )
        for position, recipient in enumerate(recipients)
    ]


async def find_email(org: Organization, row_id: UUID | str) -> EmailView:
    """The email with this id, or one of whose rows has it, whole. Raises NotFound."""
    try:
        email = await Email.one_of(org, row_id)
    except NotFound:
        row = await MailLog.one_of(org, row_id)
        if row.email_id is None:
            raise
        email = await Email.one_of(org, row.email_id)
    content = await Content.of(org).get(id=email.content_id)
    rows = await MailLog.of(org).filter(email_id=email.id).order_by("id").only(*OUTLINE)
    files = await Attachment.of(org).filter(email_id=email.id).order_by("position").only(*WITHOUT_DATA)
    return EmailView(email, content, rows, files)


async def list_emails(org: Organization, cursor: EmailCursor) -> EmailsListed:
    """Emails without bodies, newest first. Raises ValidationError for two ends or one that is no email of `org`."""
    direction, end = await _end_of(org, cursor)
    found = Email.of(org)
    if end is not None:
        found = found.filter(id__lt=end) if direction == "after" else found.filter(id__gt=end)
    emails = await found.order_by("id" if direction == "before" else "-id").limit(cursor.limit + 1)
    has_more, emails = len(emails) > cursor.limit, emails[: cursor.limit]
    if direction == "before":
        emails.reverse()
    return EmailsListed(await _outlined(org, emails), has_more)


async def _end_of(org: Organization, cursor: EmailCursor) -> tuple[Literal["after", "before"], UUID | None]:
    if cursor.after and cursor.before:
        raise ValidationError.of("before", "before and after exclude each other")
    direction: Literal["after", "before"] = "before" if cursor.before else "after"
    end = cursor.after or cursor.before
    if end is not None and not await Email.of(org).filter(id=end).exists():
        raise ValidationError.of(direction, f"{direction} is not the id of an email")
    return direction, end


async def _outlined(org: Organization, emails: Sequence[Email]) -> list[EmailView]:
    """The emails with their rows and subjects, in two queries however many they are."""
    contents = await Content.of(org).filter(id__in=[email.content_id for email in emails]).only("id", "subject")
    subjects = {content.id: content for content in contents}
    rows: dict[UUID, list[MailLog]] = {email.id: [] for email in emails}
    for row in await MailLog.of(org).filter(email_id__in=list(rows)).order_by("id").only(*OUTLINE):
        rows[row.email_id].append(row)  # type: ignore[index]  # found by it
    return [EmailView(email, subjects[email.content_id], rows[email.id]) for email in emails]
