"""Undoes imports, except for contacts changed since, and deletes data of those that can no longer be undone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.domain.audit.audit import AuditAction, acting_for
from webapp.domain.contacts.columns import TOPICS
from webapp.domain.contacts.consents import choices_of, record_choices
from webapp.domain.contacts.contacts import remove_members
from webapp.domain.contacts.custom_fields import delete_unused_fields
from webapp.domain.contacts.deletion import delete_contacts
from webapp.domain.contacts.fields import (
    CHOICE_NAMES,
    DEFAULTS,
    apply_fields,
    restraints,
    snapshot,
    undo_unsubscribe,
)
from webapp.domain.event_log import record_changes
from webapp.domain.imports.imports import UNDO
from webapp.domain.imports.topic_columns import take_back_choices, topics_in, without_topics
from webapp.domain.plans import limits
from webapp.domain.segments.segments import delete_if_unused
from webapp.models import Contact, ContactImport, ImportChange, Organization, SegmentContact
from webapp.models.contact import ConsentKind
from webapp.models.contact_import import ImportStatus
from webapp.models.topic import Subscription
from webapp.models.usage import Metric

CONTACTS_AT_ONCE = 250
ROWS_AT_ONCE = 2_000
PAUSE_SECONDS = 0.05  # between batches, because others need the database too
UNFINISHED = timedelta(days=7)  # then an upload without a next step is deleted
LISTED = timedelta(days=365)
TABLES = ("import_chunks", "import_changes", "import_refusals")


async def undo_batch(row: ContactImport, lease_seconds: int) -> bool:
    """Undoes the next changes in one transaction; False when none are left."""
    async with db.write_transaction():
        held = await ContactImport.across_orgs().select_for_update().get_or_none(id=row.id, status=ImportStatus.UNDOING)
        if held is None:
            return False
        # In index order; by id, each batch would sort all remaining changes.
        changes = await ImportChange.filter(contact_import_id=held.id).order_by("contact_id").limit(CONTACTS_AT_ONCE)
        if changes:
            await _take_back(await Organization.get(id=held.org_id), held, changes)
            await ImportChange.delete_among([change.id for change in changes])
        else:
            held.status, held.lease_until = ImportStatus.UNDONE, None
            if held.new_segment and held.segment_id:
                await delete_if_unused(await Organization.get(id=held.org_id), held.segment_id)
        await held.save()
        if changes:
            await held.extend_lease(lease_seconds)
    if not changes and held.new_fields:
        org = await Organization.get(id=held.org_id)
        async with acting_for(org, AuditAction.IMPORT_UNDONE, held.id):
            await delete_unused_fields(org, held.new_fields)
    return bool(changes)


async def _take_back(org: Organization, held: ContactImport, changes: list[ImportChange]) -> None:
    await limits.release(org, Metric.CONTACTS, 0)  # locks the counter before the contacts, like adding one
    ids = [change.contact_id for change in changes]
    contacts = {contact.id: contact for contact in await Contact.lock_many(org, ids)}
    segments = await SegmentContact.segments_of(org, contacts)
    wanted_elsewhere = {contact_id for contact_id, ids in segments.items() if ids - {held.segment_id}}
    others = await ImportChange.of_others(held, ids, clock.now() - UNDO)
    chosen_elsewhere = _choices_of(others)
    deleted, restored, loosened, leaving, with_topics = [], [], [], [], []
    for change in changes:
        contact = contacts.get(change.contact_id)
        if contact is None:
            continue
        taken_back = CHOICE_NAMES if change.before is None else change.before.keys()
        is_as_left = _is_as_left(contact, change) and not chosen_elsewhere[contact.id] & taken_back
        if change.before is None and is_as_left and contact.bounced_at is None and contact.id not in wanted_elsewhere:
            deleted.append(contact.id)
            continue
        if change.is_joined:
            leaving.append(contact.id)
        if change.before and TOPICS in change.before:
            with_topics.append((contact, change))
        before = change.before and without_topics(change.before)
        if before and is_as_left:
            restored.append((contact, contact.status))
            if before.keys() & CHOICE_NAMES:
                loosened.append((contact, choices_of(contact)))
            _restore(contact, before)
        elif before is None or before:
            held.unchanged_count += 1
    held.created_count += await delete_contacts(org, deleted)
    await Contact.save_fields(contact for contact, _ in restored)
    await record_changes(restored)
    await record_choices(loosened, ConsentKind.IMPORT)
    changed = {contact.id for contact, _ in restored}
    changed |= await take_back_choices(org, with_topics, _left_topics_of(others))
    held.changed_count += len(changed)
    if held.segment_id is not None and leaving:
        await remove_members(org, held.segment_id, leaving)


def _choices_of(changes: Iterable[ImportChange]) -> dict[UUID, set[str]]:
    """The choices that imports made or repeated, by contact."""
    choices: dict[UUID, set[str]] = defaultdict(set)
    for change in changes:
        choices[change.contact_id] |= restraints(change.after).keys()
    return choices


def _left_topics_of(changes: Iterable[ImportChange]) -> dict[UUID, set[UUID]]:
    """The topics that imports opted contacts out of, by contact."""
    topics: dict[UUID, set[UUID]] = defaultdict(set)
    for change in changes:
        chosen = topics_in(change.after).items()
        topics[change.contact_id] |= {topic_id for topic_id, value in chosen if value == Subscription.OPT_OUT}
    return topics


def _is_as_left(contact: Contact, change: ImportChange) -> bool:
    has_chosen = contact.chosen_at is not None and contact.chosen_at >= change.created_at
    if has_chosen or contact.unsubscribed_campaign_id is not None:
        return False
    after = without_topics(change.after)
    if change.before is None:  # older versions did not save all choices
        after = {name: DEFAULTS[name] for name in CHOICE_NAMES} | after
    return snapshot(contact, after) == after


def _restore(contact: Contact, before: Mapping[str, Any]) -> None:
    fields = dict(before)
    if fields.pop("status", None) is not None:
        undo_unsubscribe(contact)
    apply_fields(contact, fields)


async def forget_old_imports() -> None:
    """Deletes rows of imports past their undo time, uploads left for a week, and imports of a year ago."""
    now = clock.now()
    for table in TABLES:
        deleted: list[Any] = [None] * ROWS_AT_ONCE
        while len(deleted) == ROWS_AT_ONCE:
            deleted = await db.fetch(
                f"""DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE contact_import_id IN
                    (SELECT id FROM contact_imports WHERE finished_at < $1 AND status IN ('done', 'failed', 'undone'))
                    LIMIT {ROWS_AT_ONCE}) RETURNING id""",  # noqa: S608 - our own words
                now - UNDO,
            )
            await asyncio.sleep(PAUSE_SECONDS)
    waiting = (ImportStatus.UPLOADED, ImportStatus.CHECKED, ImportStatus.FAILED)
    unfinished = ContactImport.across_orgs().filter(status__in=waiting, finished_at=None)
    await unfinished.filter(created_at__lt=now - UNFINISHED).delete()
    await ContactImport.across_orgs().filter(finished_at__lt=now - LISTED).delete()
