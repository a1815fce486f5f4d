"""Contacts: the people an organization writes to."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from tortoise.exceptions import IntegrityError

from webapp import clock, db
from webapp.addresses import email_key, normalize
from webapp.domain.contacts.consents import choices_of, record_choices
from webapp.domain.contacts.fields import (
    CHOICE_NAMES,
    apply_fields,
    new_contact,
    without_loosening,
)
from webapp.domain.contacts.inputs import ContactChanges, NewContact, NewMember
from webapp.domain.event_log import record_changes, record_contacts, record_members
from webapp.domain.plans import limits
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.tombstones import check_not_erased
from webapp.errors import Conflict, DuplicateContact, NotFound
from webapp.models import Contact, Organization, Segment, SegmentContact, Suppression
from webapp.models.contact import NAMES, STANDARD_FIELDS, ConsentKind, ContactStatus
from webapp.models.event import EventType
from webapp.models.outbox import runs
from webapp.models.outbox.wishes import Wish
from webapp.models.suppression import SuppressionReason
from webapp.models.usage import Metric

TRIES = 3  # because the address may be freed and used between a failed write and the next check
OVERTAKEN = "these contacts are being changed by another request. Try again"
NO_SEGMENT = "segments: segment not found"


async def find_contact(org: Organization, key: UUID | str) -> Contact:
    """The contact with this id or address. Raises NotFound."""
    if isinstance(key, UUID) or "@" not in key:
        return await Contact.one_of(org, key)
    with suppress(ValueError):
        for contact in await Contact.with_keys(org, [email_key(normalize(key))]):
            return contact
    raise NotFound


async def contacts_named(org: Organization, ids: Sequence[UUID]) -> list[Contact]:
    """The contacts named by `contact_ids` of a body, in order and without repeats. Raises NotFound."""
    contacts = {contact.id: contact for contact in await Contact.of(org).filter(id__in=list(set(ids)))}
    if not contacts.keys() >= set(ids):
        raise NotFound("contact_ids: contact not found")
    return [contacts[contact_id] for contact_id in dict.fromkeys(ids)]


async def add_contact(org: Organization, data: NewContact) -> Contact:
    """Raises ValidationError (known or erased address, contradicting names), NotFound (segment), PlanLimitExceeded."""
    contact = new_contact(org, data.changes_to({}))
    for _ in range(TRIES):
        await _refuse_known(org, contact)  # before segments and plan limit are checked
        await check_segments(org, data.segments or ())
        with suppress(IntegrityError):  # another request was faster; the next check finds its contact
            async with db.write_transaction():
                await save_new(org, contact)
                await _join_segments(org, contact, data)
                await record_choices([(contact, None)], ConsentKind.API)
            return contact
    raise Conflict(OVERTAKEN)


async def check_segments(org: Organization, ids: Iterable[UUID]) -> None:
    """Raises NotFound."""
    wanted = set(ids)
    if wanted and await Segment.of(org).filter(id__in=list(wanted)).count() < len(wanted):
        raise NotFound(NO_SEGMENT)


async def _join_segments(org: Organization, contact: Contact, data: NewContact | ContactChanges) -> None:
    try:
        for segment_id in sorted(set(data.segments or ())):
            await add_members(org, segment_id, [contact.id])
    except NotFound:
        raise NotFound(NO_SEGMENT) from None


async def add_members(org: Organization, segment_id: UUID, contact_ids: Collection[UUID]) -> set[UUID]:
    """Adds locked contacts to a segment, which it locks; returns new members' ids. Raises NotFound, Conflict."""
    segments = await Segment.lock_many(org, [segment_id])
    if not segments:
        raise NotFound
    check_static(segments[0])
    known = await SegmentContact.among(segments[0], contact_ids)
    new = set(contact_ids) - {member.contact_id for member in known}
    await SegmentContact.join(segments[0], sorted(new))
    await Segment.add_to_counts([segment_id], len(new))
    await record_members(EventType.SEGMENT_JOINED, org, segments[0], new)
    return new


async def remove_members(org: Organization, segment_id: UUID, contact_ids: Collection[UUID]) -> int:
    """Removes contacts from a segment, which it locks; returns how many were members."""
    count = 0
    for segment in await Segment.lock_many(org, [segment_id]):
        members = await SegmentContact.among(segment, contact_ids)
        await SegmentContact.delete_among([member.id for member in members])
        await Segment.add_to_counts([segment_id], -len(members))
        await record_members(EventType.SEGMENT_LEFT, org, segment, [member.contact_id for member in members])
        count = len(members)
    return count


def check_static(segment: Segment) -> None:
    """Raises Conflict."""
    if segment.is_dynamic:
        raise Conflict("this segment is dynamic: its members are the contacts that match its filter")


async def get_or_create_contact(org: Organization, email: str, data: NewMember) -> Contact:
    """Locks it until the outer transaction ends; fills names. Raises ValidationError, PlanLimitExceeded, Conflict."""
    new = new_contact(org, data.changes_to({}) | {"email": email})
    contact = await lock_known(org, email)
    if contact is None:
        contact = new
        try:
            await save_new(org, contact)  # in a savepoint, so that the outer transaction survives a rollback
            await record_choices([(contact, None)], ConsentKind.API)
        except IntegrityError:
            contact = await lock_known(org, email)
    if contact is None:
        raise Conflict(f"{email} was just deleted. Try again")
    names = {name: getattr(data, name) for name in NAMES}
    added = {name: value for name, value in names.items() if value is not None and getattr(contact, name) is None}
    if added:
        apply_fields(contact, added)
        await contact.save()
        await record_contacts(EventType.CONTACT_UPDATED, [contact])
    return contact


async def lock_known(org: Organization, email: str) -> Contact | None:
    """Locks the contact with this address, if any."""
    # PostgreSQL keeps the lock of a row that it waited for, even if its address has changed. Ending a savepoint
    # releases it; otherwise a transaction that has the counter and waits for that row would deadlock.
    with suppress(NotFound):
        async with db.write_transaction():
            contact = await Contact.of(org).select_for_update().get_or_none(email_key=email_key(email))
            if contact is None:
                raise NotFound
            return contact
    return None


async def save_new(org: Organization, contact: Contact) -> None:
    """Raises PlanLimitExceeded, ValidationError for an erased address, and IntegrityError for a known one."""
    async with db.write_transaction():
        await limits.consume(org, Metric.CONTACTS)
        await check_not_erased(org, contact.email_key)
        await contact.save(force_create=True)
        await record_contacts(EventType.CONTACT_CREATED, [contact])


async def _refuse_known(org: Organization, contact: Contact) -> None:
    for known in await Contact.with_keys(org, [contact.email_key]):
        if known.id != contact.id:
            raise DuplicateContact(known.id)


async def change_contact(org: Organization, contact: Contact, data: ContactChanges) -> Contact:
    """Raises ValidationError for another's address or contradicting names, NotFound for a segment or the contact."""
    data.changes_to(contact.custom_fields)  # reports contradictions before unknown segments
    await check_segments(org, data.segments or ())
    for _ in range(TRIES):
        with suppress(IntegrityError):  # another request was faster; the next check finds its contact
            return await _change(org, contact.id, data)
    raise Conflict(OVERTAKEN)


async def _change(org: Organization, contact_id: UUID, data: ContactChanges) -> Contact:
    async with db.write_transaction():
        if data.segments or "email" in data.given():
            await org.locked_plan()  # locked before the contact, like where contacts are counted
        contact = await lock_contact(org, contact_id)
        status, before = contact.status, choices_of(contact)
        has_bounced = contact.bounced_at is not None
        changes = data.changes_to(contact.custom_fields)
        apply_fields(contact, changes)
        if changes.keys() & CHOICE_NAMES:
            contact.chosen_at = clock.now()  # also if the choice is repeated
        if "email" in changes:
            await check_not_erased(org, contact.email_key)
            await _refuse_known(org, contact)  # because two requests that swap addresses would deadlock in save()
        await contact.save()
        await _join_segments(org, contact, data)
        if has_bounced and contact.bounced_at is None:  # its address is tried again
            await forget_bounces(org, [contact])
        if changes:
            await record_changes([(contact, status)])
        await record_choices([(contact, before)], ConsentKind.API)
    return contact


async def forget_bounces(org: Organization, contacts: Iterable[Contact]) -> None:
    """Removes the suppressions that bounces of the contacts caused."""
    entries = await Suppression.with_keys(org.id, [contact.email_key for contact in contacts])
    await suppressions.remove(org, [entry.id for entry in entries if entry.reason == SuppressionReason.BOUNCE])


async def lock_contact(org: Organization, contact_id: UUID) -> Contact:
    """Locks the contact until the outer transaction ends; lock it before segments. Raises NotFound."""
    contact = await Contact.of(org).select_for_update().get_or_none(id=contact_id)
    if contact is None:
        raise NotFound
    return contact


def check_wants_mail(contact: Contact) -> None:
    """Raises Conflict if the contact unsubscribed or bounced."""
    if contact.status != ContactStatus.SUBSCRIBED:
        raise Conflict(f"{contact.email} unsubscribed")
    if contact.bounced_at is not None:
        raise Conflict(f"{contact.email} bounced")


def reason_against(contact: Contact | Wish | None) -> str | None:
    """Why a queued contact gets no campaigns any more; `wishes.WANTS_MAIL` is the same in SQL."""
    if contact is None:
        return runs.CONTACT_DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return runs.CONTACT_UNSUBSCRIBED
    if contact.bounced_at is not None:
        return runs.CONTACT_BOUNCED
    return None


def reason_against_run(wish: Wish | None) -> str | None:
    """Why a queued contact does not get the mail of its run; `wishes.wants_run` is the same in SQL."""
    reason = reason_against(wish)
    if wish is None or reason is not None:
        return reason
    is_paused = wish.paused_until is not None and wish.paused_until > clock.now()
    return runs.CONTACT_PAUSED if is_paused else wish.opted_out


async def add_to_segment(org: Organization, segment: Segment, ids: Collection[UUID]) -> int:
    """Adds the contacts and counts new members. Raises NotFound if the segment has just been deleted."""
    async with db.write_transaction():
        await org.locked_plan()  # locked before the contacts, like where they are counted
        held = await Contact.lock_many(org, ids)
        return len(await add_members(org, segment.id, [contact.id for contact in held]))


async def unsubscribe_contacts(org: Organization, ids: Collection[UUID], kind: ConsentKind = ConsentKind.API) -> int:
    """Unsubscribes the contacts in one transaction; returns how many were subscribed."""
    choices = {contact_id: {"status": ContactStatus.UNSUBSCRIBED} for contact_id in ids}
    return await restrain_contacts(org, choices, kind)


async def restrain_contacts(
    org: Organization, choices: Mapping[UUID, Mapping[str, Any]], kind: ConsentKind = ConsentKind.API
) -> int:
    """Applies choices that mean less mail or tracking in one transaction; returns how many contacts changed."""
    async with db.write_transaction():
        changed, chosen, held = [], [], await Contact.lock_many(org, choices)
        for contact in held:
            if changes := without_loosening(contact, choices[contact.id]):
                changed.append((contact, contact.status))
                chosen.append((contact, choices_of(contact)))
                apply_fields(contact, changes)
        await Contact.save_fields(contact for contact, _ in changed)
        await Contact.of(org).filter(id__in=[contact.id for contact in held]).update(chosen_at=clock.now())
        await record_choices(chosen, kind)
        await record_changes(changed)
    return len(changed)


def merge_values(contact: Contact) -> dict[str, Any]:
    custom = {name: value for name, value in contact.custom_fields.items() if name not in STANDARD_FIELDS}
    standard = {name: getattr(contact, name) for name in STANDARD_FIELDS}
    return {name: value for name, value in (custom | standard).items() if value is not None}
