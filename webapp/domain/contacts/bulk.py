"""Changes to many contacts at once; ids of contacts that do not exist are skipped."""

from collections.abc import Collection
from uuid import UUID

from webapp import db
from webapp.domain.contacts import consent
from webapp.domain.contacts.contacts import add_members, set_status
from webapp.models import Contact, Organization, Segment
from webapp.models.contact import ContactStatus


async def count_existing(org: Organization, ids: Collection[UUID]) -> int:
    return await Contact.of(org).filter(id__in=list(ids)).count()


async def add_to_segment(org: Organization, segment: Segment, ids: Collection[UUID]) -> int:
    """Adds the contacts to the segment and counts the new members. Raises NotFound when it has just been deleted."""
    async with db.write_transaction():
        await org.locked_plan()  # locked before the contacts, as where they are counted
        held = await Contact.lock_many(org, ids)
        return len(await add_members(org, segment.id, [contact.id for contact in held]))


async def unsubscribe_contacts(org: Organization, ids: Collection[UUID]) -> int:
    """Unsubscribes the contacts in one transaction and counts those that were subscribed."""
    async with db.write_transaction():
        held = [one for one in await Contact.lock_many(org, ids) if one.status != ContactStatus.UNSUBSCRIBED]
        for contact in held:
            set_status(contact, ContactStatus.UNSUBSCRIBED)
            await contact.save(update_fields=["status", "unsubscribed_at", "updated_at"])
        await consent.record(held)
    return len(held)
