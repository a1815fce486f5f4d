"""The contacts of a segment."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.domain.contacts.contacts import (
    add_members,
    check_static,
    find_contact,
    get_or_create_contact,
    lock_contact,
    remove_members,
)
from webapp.domain.contacts.inputs import NewMember
from webapp.errors import NotFound
from webapp.models import Contact, Organization, Segment, SegmentContact
from webapp.models.base.org_model import parse_id


async def add_member(org: Organization, segment: Segment, data: NewMember) -> Contact:
    """Adds a contact by id or address, creating it if new. Raises Conflict (dynamic), PlanLimitExceeded, and others."""
    check_static(segment)
    named = data.named_by()
    data.changes_to({})  # refuses contradictions, even for a known contact, which ignores them
    async with db.write_transaction():
        await org.locked_plan()  # locked before the contact, like where contacts are counted
        if isinstance(named, str):
            contact = await get_or_create_contact(org, named, data)
        else:
            try:
                contact = await lock_contact(org, named)
            except NotFound:
                raise NotFound("contact_id: contact not found") from None
        await add_members(org, segment.id, [contact.id])
    return contact


async def members_among(segment: Segment, contact_ids: Collection[UUID]) -> set[UUID]:
    rows = segment.memberships().filter(contact_id__in=list(contact_ids))
    return set(await rows.values_list("contact_id", flat=True))  # type: ignore[arg-type]  # a flat list holds the column's values


class ContactIn(NamedTuple):
    segment: Segment
    contact: Contact


async def find_contact_in(org: Organization, segment_id: UUID | str, key: UUID | str) -> ContactIn:
    """The contact with this id or address, if it is in the segment. Raises NotFound."""
    segment, contact = await Segment.one_of(org, segment_id), await find_contact(org, key)
    if not (segment.is_dynamic or await members_among(segment, [contact.id])):
        raise NotFound
    return ContactIn(segment, contact)


async def find_both(org: Organization, key: UUID | str, segment_id: UUID | str) -> ContactIn:
    """A contact and a segment that it may not be in. Raises NotFound."""
    return ContactIn(await Segment.one_of(org, segment_id), await find_contact(org, key))


async def find_member(org: Organization, segment_id: UUID | str, contact_id: UUID | str) -> SegmentContact:
    """Raises NotFound, Conflict for a dynamic segment."""
    check_static(await Segment.one_of(org, segment_id))
    try:
        ids = {"segment_id": parse_id(str(segment_id)), "contact_id": parse_id(str(contact_id))}
    except ValueError:
        raise NotFound from None
    member = await SegmentContact.of(org).get_or_none(**ids)
    if member is None:
        raise NotFound
    return member


async def remove_member(org: Organization, member: SegmentContact) -> None:
    """Keeps the contact. Raises NotFound if it was removed since."""
    async with db.write_transaction():
        if not await remove_members(org, member.segment_id, [member.contact_id]):
            raise NotFound
