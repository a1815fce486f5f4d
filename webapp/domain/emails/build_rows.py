"""The rows of an email: its content, its attachments, and a mail log row for each recipient."""

from collections.abc import Sequence
from dataclasses import dataclass

from uuid_utils.compat import uuid7

from webapp.addresses import Address
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import ResolvedEmail
from webapp.models import Account, Attachment, Content, Email, Organization
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox.insert import NewRow


@dataclass(frozen=True)
class AddressedRecipient:
    type: RecipientType
    address: Address


@dataclass(frozen=True)
class OutgoingEmail:
    resolved: ResolvedEmail
    account: Account
    recipients: Sequence[AddressedRecipient]


@dataclass(frozen=True)
class EmailRows:
    content: Content
    email: Email
    files: Sequence[Attachment]
    logs: Sequence[NewRow]


def address_email(resolved: ResolvedEmail, account: Account) -> OutgoingEmail:
    """Adds the recipients: to, cc, bcc; a repeated address counts where it is first."""
    data = resolved.data
    named: list[tuple[RecipientType, Address]] = [
        *((RecipientType.TO, address) for address in data.to),
        *((RecipientType.CC, address) for address in data.cc or ()),
        *((RecipientType.BCC, address) for address in data.bcc or ()),
    ]
    first: dict[str, AddressedRecipient] = {}
    for kind, address in named:
        first.setdefault(address.email.lower(), AddressedRecipient(kind, address))
    return OutgoingEmail(resolved, account, list(first.values()))


def build_rows(org: Organization, outgoing: OutgoingEmail) -> EmailRows:
    """The unsaved rows, with ids that rise with each call."""
    resolved = outgoing.resolved
    content = Content(id=uuid7(), org_id=org.id, subject=resolved.subject, html=resolved.html, text=resolved.text)
    email = _email(org, outgoing, content)
    return EmailRows(content, email, _files(email, resolved.data), _logs(email, outgoing))


def _email(org: Organization, outgoing: OutgoingEmail, content: Content) -> Email:
    data, email_id = outgoing.resolved.data, uuid7()
    bodies = (content.html or "", content.text or "")
    addresses = {
        kind.value: [str(one.address) for one in outgoing.recipients if one.type == kind] for kind in RecipientType
    }
    return Email(
        id=email_id,
        org_id=org.id,
        account_id=outgoing.account.id,
        content_id=content.id,
        template_id=outgoing.resolved.template_id,
        message_id=f"<{email_id.hex}@{data.from_.domain}>",
        sender=str(data.from_),
        addresses=addresses | {"reply_to": [str(address) for address in data.reply_to or ()]},
        headers=data.headers or {},
        tags=[tag.model_dump() for tag in data.tags or ()],
        variables={},
        scheduled_at=data.scheduled_at,
        size=sum(map(_utf8_length, bodies)) + sum(len(file.content) for file in data.attachments or ()),
    )


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())  # most texts need no copy


def _files(email: Email, data: NewEmail) -> list[Attachment]:
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


def _logs(email: Email, outgoing: OutgoingEmail) -> list[NewRow]:
    """One row per recipient; the first has the email's id."""
    return [
        NewRow(
            id=email.id if position == 0 else uuid7(),
            org_id=email.org_id,
            kind=MailKind.TRANSACTIONAL,
            content_id=email.content_id,
            to_email=recipient.address.email,
            recipient_type=recipient.type,
            message_id=email.message_id,
            email_id=email.id,
            account_id=email.account_id,
            from_email=outgoing.resolved.data.from_.email,
            due_at=email.scheduled_at,
        )
        for position, recipient in enumerate(outgoing.recipients)
    ]
