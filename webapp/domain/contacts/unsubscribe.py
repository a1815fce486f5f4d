"""The signed unsubscribe link (RFC 8058), `<ids in base64>.<HMAC>`; it never expires, as mail is read years later."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.config import settings
from webapp.domain import link_signing
from webapp.domain.contacts import consent
from webapp.domain.contacts.consents import choices_of, record_choices
from webapp.domain.contacts.fields import set_status, undo_unsubscribe
from webapp.domain.event_log import record_changes
from webapp.domain.link_signing import BROWSER_URL
from webapp.errors import Busy
from webapp.models import Contact, MailLog, Organization
from webapp.models.campaign_run import campaign_of_run
from webapp.models.contact import ConsentKind, ContactStatus

PURPOSE = link_signing.ReaderPath.PREFERENCES
SIGNED = (*link_signing.ReaderPath, link_signing.VIEW)  # the tokens that people see only if their role may
HALF = 43  # characters on each side of a token's dot: two ids and an HMAC-SHA-256
# Matched from the dot outwards, in linear time.
DOT = re.compile(rf"\.(?=[\w-]{{{HALF}}})(?<=[\w-]{{{HALF}}}\.)", re.ASCII)
UNSUBSCRIBE_URL, PREFERENCES_URL = "unsubscribe_url", "preferences_url"  # merge tags
OWN_TAGS = (UNSUBSCRIBE_URL, PREFERENCES_URL)
OWN_TAG = re.compile(rf"\{{\{{\s*({'|'.join(OWN_TAGS)})\s*\}}\}}")
UNDO = timedelta(hours=1)
RETRY_SECONDS = 60
LATER = UUID(int=0)  # instead of a campaign, if the contact had unsubscribed before using a link


@dataclass(frozen=True)
class SubscriptionStatus:
    org: Organization | None
    email: str | None
    is_subscribed: bool
    can_undo: bool = False
    contact: Contact | None = None


def variables_of(row: MailLog, *, shows_links: bool) -> dict[str, Any]:
    if row.campaign_run_id is None or row.contact_id is None or row.campaign_id is None:
        return row.variables
    if not shows_links:
        return row.variables | sample_links()
    browser_url = link_signing.browser_link(row.id, row.org_id)
    return row.variables | own_links(link(row.contact_id, row.campaign_run_id)) | {BROWSER_URL: browser_url}


def hide_links(text: str) -> str:
    pieces, end = [], 0
    for dot in DOT.finditer(text):
        first, last = dot.start() - HALF, dot.end() + HALF
        if first >= end and any(link_signing.is_token(kind, text[first:last]) for kind in SIGNED):
            pieces += [text[end:first], link_signing.SAMPLE]
            end = last
    return "".join([*pieces, text[end:]])


def link(contact_id: UUID, sent_id: UUID) -> str:
    """The link of a run's email to a contact, or of a transactional one about a topic, which is `sent_id` then."""
    return f"{settings().base_url}/unsubscribe/{token_for(contact_id, sent_id)}"


def own_links(url: str) -> dict[str, str]:
    """The unsubscribe link and that to the preferences, by merge tag."""
    return {UNSUBSCRIBE_URL: url, PREFERENCES_URL: f"{url}/preferences"}


def sample_links() -> dict[str, str]:
    """Links for mail without a contact, by merge tag."""
    return sample_own_links() | {BROWSER_URL: link_signing.sample_browser_link()}


def sample_own_links() -> dict[str, str]:
    return own_links(f"{settings().base_url}/unsubscribe/{link_signing.SAMPLE}")


def with_sample_links(body: str) -> str:
    """Replaces these tags in a body that is no template."""
    links = sample_own_links()
    return OWN_TAG.sub(lambda tag: links[tag[1]], body)


def token_for(contact_id: UUID, sent_id: UUID) -> str:
    return link_signing.sign_ids(PURPOSE, contact_id, sent_id)


async def _campaign_of(contact: Contact, sent_id: UUID) -> UUID:
    """The campaign of a link's run; what older links and those of transactional email name stays."""
    return await campaign_of_run(contact.org_id, sent_id) or sent_id


async def find_subscription(token: str) -> SubscriptionStatus:
    """The contact behind the link. Raises NotFound if it is invalid."""
    contact_id, sent_id = link_signing.ids_in(PURPOSE, token)
    contact = await Contact.across_orgs().filter(id=contact_id).select_related("org").first()
    if contact is None:
        return SubscriptionStatus(None, None, is_subscribed=False)
    is_subscribed = contact.status == ContactStatus.SUBSCRIBED
    can_undo = _can_undo(contact, await _campaign_of(contact, sent_id))
    return SubscriptionStatus(contact.org, contact.email, is_subscribed, can_undo, contact)


def _can_undo(contact: Contact, campaign_id: UUID) -> bool:
    if contact.unsubscribed_at is None or contact.unsubscribed_campaign_id != campaign_id:
        return False
    return clock.now() - contact.unsubscribed_at <= UNDO


async def unsubscribe(token: str) -> SubscriptionStatus:
    """Repeated requests change nothing."""
    return await change(token, leave)


async def subscribe_again(token: str) -> SubscriptionStatus:
    """Undoes it within an hour by the same link; otherwise changes nothing."""
    return await change(token, undo)


async def change(token: str, apply: Callable[[Contact, UUID], Awaitable[bool]]) -> SubscriptionStatus:
    """Applies a person's choice to their locked contact; `apply` returns True if that changes its fields.

    Raises NotFound for an invalid link, Busy if saved but not yet in the consent log, so that programs retry.
    """
    contact_id, sent_id = link_signing.ids_in(PURPOSE, token)
    async with db.write_transaction():
        contact = await Contact.across_orgs().filter(id=contact_id).select_for_update().first()
        if contact is not None:
            before, choices, contact.chosen_at = contact.status, choices_of(contact), clock.now()
            if await apply(contact, await _campaign_of(contact, sent_id)):
                await Contact.save_fields([contact])
                await record_choices([(contact, choices)], ConsentKind.PERSON)
                await record_changes([(contact, before)])
            else:
                await contact.save(update_fields=["chosen_at"])
    if not await consent.has_written(contact_id):
        raise Busy("your choice is saved on this server but not backed up yet. Please try again", RETRY_SECONDS)
    return await find_subscription(token)


async def leave(contact: Contact, campaign_id: UUID) -> bool:
    if contact.unsubscribed_campaign_id is not None:
        return False
    is_first = contact.status == ContactStatus.SUBSCRIBED
    set_status(contact, ContactStatus.UNSUBSCRIBED)
    contact.unsubscribed_campaign_id = campaign_id if is_first else LATER
    return True


async def undo(contact: Contact, campaign_id: UUID) -> bool:
    if not _can_undo(contact, campaign_id):
        return False
    undo_unsubscribe(contact)
    return True
