"""Tracks an email to one recipient by signed addresses in its HTML."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.addresses import email_key
from webapp.domain.campaigns.tracked_links import track
from webapp.domain.inputs import Tracking
from webapp.domain.tracking.placeholders import Tracked, tag_name, with_addresses
from webapp.models import Contact, Content, Organization, TrackedLink


class TrackedHtml(NamedTuple):
    """The ids that the email and its content will have."""

    html: str
    email_id: UUID
    content_id: UUID
    links: list[TrackedLink]


async def refuse_tracking(org: Organization, emails: Collection[str]) -> set[str]:
    """The keys of those addresses whose contacts must not be tracked."""
    keys = {email_key(email) for email in emails}
    contacts = await Contact.of(org).filter(email_key__in=list(keys), do_not_track=True).only("id", "email_key")
    return {contact.email_key for contact in contacts}


def track_html(org_id: UUID, source: str, tracking: Tracking) -> TrackedHtml | None:
    """None if there is nothing to track. Takes a millisecond per 100 KB."""
    content = Content(id=uuid7(), org_id=org_id, subject="", html=source)
    links = track(content, tracking.model_dump())
    if content.html is None or content.html == source:
        return None
    email_id, tracked = uuid7(), Tracked({tag_name(link.number): link.id for link in links}, tracking.opens)
    return TrackedHtml(with_addresses(content.html, tracked, email_id, org_id), email_id, content.id, links)
