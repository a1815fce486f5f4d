"""What is done to many contacts at once; those that are gone meanwhile, or never were, are passed over."""

from collections.abc import Collection
from uuid import UUID

from webapp import db
from webapp.domain.contacts import consent
from webapp.domain.contacts.contacts import ContactStatus, add_members, delete_contacts, set_status
from webapp.models import Contact, Organization, Segment

__all__ = ["add_to_segment", "count_existing", "delete_contacts", "unsubscribe_contacts"]


async def count_existing(org: Organization, ids: Collection[UUID]) -> int:
    """How many of these contacts there are."""
    return await Contact.of(org).filter(id__in=list(ids)).count()


async def add_to_segment(org: Organization, segment: Segment, ids: Collection[UUID]) -> int:
    """Let the contacts join a segment, and tell how many were no members. Raises NotFound when it is gone meanwhile."""
    async with db.write_transaction():
        await org.locked_plan()  # before the contacts, as whoever counts them
        held = await Contact.lock_many(org, ids)
        return len(await add_members(org, segment.id, [contact.id for contact in held]))


async def unsubscribe_contacts(org: Organization, ids: Collection[UUID]) -> int:
    """Let the contacts get no more campaigns, and tell how many got them until now."""
    async with db.write_transaction():
        held = [one for one in await Contact.lock_many(org, ids) if one.status != ContactStatus.UNSUBSCRIBED]
        for contact in held:
            set_status(contact, ContactStatus.UNSUBSCRIBED)
            await contact.save(update_fields=["status", "unsubscribed_at", "updated_at"])
        await consent.record(held)
    return len(held)
