"""Deletes contacts with their memberships."""

from collections import Counter
from collections.abc import Collection
from uuid import UUID

from webapp import db
from webapp.domain.contacts import consent
from webapp.domain.contacts.consents import choices_of
from webapp.domain.contacts.fields import DEFAULTS, apply_fields, restraints
from webapp.domain.event_log import record_contacts
from webapp.domain.plans import limits
from webapp.errors import NotFound
from webapp.models import CampaignContact, Contact, Organization, Segment, SegmentContact, TopicChoice
from webapp.models.event import EventType
from webapp.models.suppression import ERASED_VALUE, address_digest
from webapp.models.usage import Metric


async def delete_contact(org: Organization, contact: Contact) -> None:
    """Deletes the contact and its memberships but not its mail logs. Raises NotFound if it is already gone."""
    if not await delete_contacts(org, [contact.id]):
        raise NotFound


async def delete_contacts(org: Organization, ids: Collection[UUID], *, erases: bool = False) -> int:
    """Deletes the contacts and their memberships in one transaction; if `erases`, events do not name them."""
    async with db.write_transaction():
        await limits.release(org, Metric.CONTACTS, 0)  # locks the counter before the contacts, like adding one
        held = await Contact.lock_many(org, ids)
        there = [contact.id for contact in held]
        segment_ids = (await SegmentContact.segments_of(org, there)).values()
        await Segment.lock_many(org, {segment_id for ids in segment_ids for segment_id in ids})
        for segment_id, count in Counter(await SegmentContact.end_all_of(there)).items():
            await Segment.add_to_counts([segment_id], -count)
        await CampaignContact.forget(org, there)
        chose = await TopicChoice.made_by(there)
        await Contact.delete_among(there)
        if erases:
            for contact in held:
                await consent.record_erased(org.id, contact.id, address_digest(org.id, contact.email_key))
                apply_fields(contact, {**DEFAULTS, "email": ERASED_VALUE})
        else:
            chosen = [contact for contact in held if contact.id in chose or restraints(choices_of(contact))]
            await consent.record(chosen, are_deleted=True)
        await record_contacts(EventType.CONTACT_DELETED, held)
        await limits.release(org, Metric.CONTACTS, len(there))
    return len(there)
