"""Records events of contacts, segments, forms, campaigns and suppressions, in the transaction that causes them."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from webapp import clock
from webapp.contact_fields import CONTACT_FIELDS
from webapp.models import Campaign, Contact, Organization, Segment, SignUpForm, Suppression, TopicChoice
from webapp.models.contact import ContactStatus
from webapp.models.event import EventType
from webapp.models.queries.event_log import NewEvent, is_heard, record_events

CONTACT_MEMBERS = ("id", *(field.name for field in CONTACT_FIELDS), "created_at", "updated_at")


async def record_contacts(kind: EventType, contacts: Iterable[Contact]) -> None:
    await record_events([_of_contact(kind, contact) for contact in contacts])


async def record_changes(changes: Iterable[tuple[Contact, str]]) -> None:
    """Records that contacts, given with their former status, were changed, subscribed or unsubscribed."""
    await record_events([_of_contact(_kind_of_change(contact, before), contact) for contact, before in changes])


def _kind_of_change(contact: Contact, before: str) -> EventType:
    if contact.status == before:
        return EventType.CONTACT_UPDATED
    is_subscribed = contact.status == ContactStatus.SUBSCRIBED
    return EventType.CONTACT_SUBSCRIBED if is_subscribed else EventType.CONTACT_UNSUBSCRIBED


def _of_contact(kind: EventType, contact: Contact) -> NewEvent:
    campaign_id = contact.unsubscribed_campaign_id if kind == EventType.CONTACT_UNSUBSCRIBED else None
    return NewEvent(contact.org_id, kind, _contact(contact), contact_id=contact.id, campaign_id=campaign_id)


async def record_topics(choices: Iterable[TopicChoice]) -> None:
    """Records new choices of contacts about topics."""
    kind = EventType.CONTACT_TOPIC_CHANGED
    await record_events(
        [NewEvent(choice.org_id, kind, _topic_choice(choice), contact_id=choice.contact_id) for choice in choices]
    )


def _topic_choice(choice: TopicChoice) -> dict[str, Any]:
    return {name: getattr(choice, name) for name in ("contact_id", "topic_id", "subscription", "source")}


async def record_submitted(form: SignUpForm, page_url: str | None) -> None:
    """Records a sign-up without the person, who may never confirm it."""
    data = {"form_id": form.id, "form_name": form.name, "page_url": page_url}
    await record_events([NewEvent(form.org_id, EventType.FORM_SUBMITTED, data)])


async def record_confirmed(contact: Contact, form: SignUpForm) -> None:
    data = {**_contact(contact), "form_id": form.id}
    await record_events([NewEvent(contact.org_id, EventType.CONTACT_CONFIRMED, data, contact_id=contact.id)])


async def record_members(kind: EventType, org: Organization, segment: Segment, contact_ids: Collection[UUID]) -> None:
    """Records that contacts joined or left a segment, if a webhook names the type."""
    if not contact_ids or not await is_heard(org.id, kind):
        return
    about = {"segment_id": segment.id, "segment_name": segment.name}
    emails = await Contact.of(org).filter(id__in=list(contact_ids)).values_list("id", "email")
    await record_events(
        [
            NewEvent(org.id, kind, about | {"contact_id": id_, "email": email}, contact_id=id_, is_of_run=True)
            for id_, email in emails
        ]
    )


async def record_campaign(kind: EventType, campaign: Campaign, run_id: UUID | None, **data: Any) -> None:
    await record_events([NewEvent(campaign.org_id, kind, {"run_id": run_id} | data, campaign_id=campaign.id)])


async def record_suppressions(kind: EventType, entries: Iterable[Suppression]) -> None:
    await record_events([NewEvent(entry.org_id, kind, _suppression(entry)) for entry in entries])


def _suppression(entry: Suppression) -> dict[str, Any]:
    about = {name: getattr(entry, name) for name in ("id", "email", "reason", "mail_log_id")}
    return about | {"created_at": clock.timestamp(entry.created_at)}


def _contact(contact: Contact) -> dict[str, Any]:
    values = {name: getattr(contact, name) for name in CONTACT_MEMBERS}
    return {name: clock.timestamp(value) if isinstance(value, datetime) else value for name, value in values.items()}
