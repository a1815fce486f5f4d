"""An email as it is kept: one message, its content and files, and a mail-log row for each recipient."""

from collections.abc import Sequence
from dataclasses import dataclass

from uuid_utils.compat import uuid7

from webapp.addresses import Address
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import Draft
from webapp.models import Account, Attachment, Content, Email, Organization, outbox
from webapp.models.mail_log import MailKind, RecipientType


@dataclass(frozen=True)
class Recipient:
    """One address of an email, and where in the message it stands."""

    type: RecipientType
    address: Address


@dataclass(frozen=True)
class Letter:
    """A draft with the account that sends it."""

    draft: Draft
    account: Account
    recipients: Sequence[Recipient]


@dataclass(frozen=True)
class LetterRows:
    """What of a letter is inserted."""

    content: Content
    email: Email
    files: Sequence[Attachment]
    logs: Sequence[outbox.NewRow]


def letter_of(draft: Draft, account: Account) -> Letter:
    """The draft with everyone whom it goes to: to, cc, bcc; an address named twice counts where it is named first."""
    data = draft.data
    named: list[tuple[RecipientType, Address]] = [
        *((RecipientType.TO, address) for address in data.to),
        *((RecipientType.CC, address) for address in data.cc or ()),
        *((RecipientType.BCC, address) for address in data.bcc or ()),
    ]
    first: dict[str, Recipient] = {}
    for kind, address in named:
        first.setdefault(address.email.lower(), Recipient(kind, address))
    return Letter(draft, account, list(first.values()))


def rows_of(org: Organization, letter: Letter) -> LetterRows:
    """The rows of a letter, with ids that rise in the order in which this is called."""
    draft = letter.draft
    content = Content(id=uuid7(), org_id=org.id, subject=draft.subject, html=draft.html, text=draft.text)
    email = _email(org, letter, content)
    return LetterRows(content, email, _files(email, draft.data), _logs(email, letter))


def _email(org: Organization, letter: Letter, content: Content) -> Email:
    data, email_id = letter.draft.data, uuid7()
    bodies = (content.html or "", content.text or "")
    return Email(
        id=email_id,
        org_id=org.id,
        account_id=letter.account.id,
        content_id=content.id,
        template_id=letter.draft.template_id,
        message_id=f"<{email_id.hex}@{data.from_.domain}>",
        sender=str(data.from_),
        addresses={
            **{
                kind.value: [str(one.address) for one in letter.recipients if one.type == kind]
                for kind in RecipientType
            },
            "reply_to": [str(address) for address in data.reply_to or ()],
        },
        headers=data.headers or {},
        tags=[tag.model_dump() for tag in data.tags or ()],
        variables={},
        scheduled_at=data.scheduled_at,
        size=sum(map(_bytes_of, bodies)) + sum(len(file.content) for file in data.attachments or ()),
    )


def _bytes_of(text: str) -> int:
    """The length of a text in UTF-8; most texts tell it without being encoded."""
    return len(text) if text.isascii() else len(text.encode())


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


def _logs(email: Email, letter: Letter) -> list[outbox.NewRow]:
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
            from_email=letter.draft.data.from_.email,
            due_at=email.scheduled_at,
        )
        for position, recipient in enumerate(letter.recipients)
    ]
