"""Leaving: the signed link of every campaign mail, and what it does (RFC 8058).

A link is one contact's, of one campaign: `<contact and campaign in base64>.<HMAC>`. It needs no sign-in and never
ends, since mail is read years later.
"""

import base64
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from webapp import crypto, db
from webapp.config import settings
from webapp.domain import signing
from webapp.domain.contacts import ContactStatus, take_status
from webapp.errors import NotFound
from webapp.models import Contact

PURPOSE = "unsubscribe"
ID_BYTES = 16
SAMPLE = "test"  # the token of test mails, which is nobody's


class Row(Protocol):
    """A mail-log row: whose it is, and what its content is filled in with."""

    @property
    def contact_id(self) -> UUID | None: ...

    @property
    def campaign_id(self) -> UUID | None: ...

    @property
    def campaign_run_id(self) -> UUID | None: ...

    @property
    def variables(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Subscription:
    """Whom a link is for, and whether they get mail; without an address the contact was deleted."""

    organization: str | None
    email: str | None
    is_subscribed: bool


def variables_of(row: Row) -> dict[str, Any]:
    """What fills in the content of a row: its values, and the link of a campaign's."""
    if row.campaign_run_id is None or row.contact_id is None or row.campaign_id is None:
        return row.variables
    return row.variables | {"unsubscribe_url": link(row.contact_id, row.campaign_id)}


def link(contact_id: UUID, campaign_id: UUID) -> str:
    """The address at which a contact leaves."""
    return _address(token_for(contact_id, campaign_id))


def sample_link() -> str:
    """A link for test mails, which shows what it is and unsubscribes nobody."""
    return _address(SAMPLE)


def _address(token: str) -> str:
    return f"{settings().base_url}/unsubscribe/{token}"


def token_for(contact_id: UUID, campaign_id: UUID) -> str:
    """What stands in the link."""
    text = crypto.urlsafe(contact_id.bytes + campaign_id.bytes)
    return f"{text}.{signing.sign(PURPOSE, text)}"


async def find_subscription(token: str) -> Subscription:
    """Whom the link is for. Raises NotFound for one that is none of ours."""
    return _told(await Contact.across_orgs().filter(id=_contact_id(token)).select_related("org").first())


async def unsubscribe(token: str) -> Subscription:
    """Let the contact get no more campaigns; the same again changes nothing. Raises NotFound as `find_subscription`."""
    return await _change(token, ContactStatus.UNSUBSCRIBED)


async def subscribe_again(token: str) -> Subscription:
    """Take it back. Raises NotFound as `find_subscription`."""
    return await _change(token, ContactStatus.SUBSCRIBED)


async def _change(token: str, status: ContactStatus) -> Subscription:
    contact_id = _contact_id(token)
    async with db.write_transaction():
        contact = await Contact.across_orgs().filter(id=contact_id).select_for_update().first()
        if contact is not None and contact.status != status:
            take_status(contact, status)
            await contact.save(update_fields=["status", "unsubscribed_at", "bounced_at", "updated_at"])
    return await find_subscription(token)


def _contact_id(token: str) -> UUID:
    text, _, signature = token.partition(".")
    if not token.isascii() or not signing.is_signed(PURPOSE, text, signature):
        raise NotFound
    return UUID(bytes=base64.urlsafe_b64decode(text + "=")[:ID_BYTES])


def _told(contact: Contact | None) -> Subscription:
    if contact is None:
        return Subscription(None, None, is_subscribed=False)
    return Subscription(contact.org.name, contact.email, contact.status == ContactStatus.SUBSCRIBED)
