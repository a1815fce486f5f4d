"""Changes all contacts that match a search, or have a value to delete, 500 per transaction; safe to interrupt."""

import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts import custom_fields
from webapp.domain.contacts.contacts import add_to_segment, check_static, unsubscribe_contacts
from webapp.domain.contacts.deletion import delete_contacts
from webapp.domain.contacts.field_uses import FieldUses, in_words
from webapp.domain.contacts.search import ROWS_AT_ONCE, STORED, ContactFilters, count_contacts, next_ids
from webapp.domain.rounds import OUR_FAULT, Rounds
from webapp.errors import Conflict, NotFound
from webapp.models import BulkChange, Contact, CustomField, Organization, Segment
from webapp.models.contact import BulkAction, ContactStatus
from webapp.models.queries.contacts.segment_filter import CUSTOM
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)

MAX_UNFINISHED = 10  # of one organization
LISTED = timedelta(days=7)
RECORDED = {
    BulkAction.SEGMENT: AuditAction.CONTACTS_ADDED,
    BulkAction.UNSUBSCRIBE: AuditAction.CONTACTS_UNSUBSCRIBED,
    BulkAction.DELETE: AuditAction.CONTACTS_DELETED,
    BulkAction.FIELD: AuditAction.FIELD_DELETED,
}
SEGMENT_GONE = "The segment was deleted."
VALUES_ADDED = "Contacts got new values meanwhile, so the field is still there. Delete it again."


class AuditTarget(NamedTuple):
    """What the audit log names."""

    id: UUID
    name: str
    details: dict[str, Any]


async def change_all(
    org: Organization, filters: ContactFilters, action: BulkAction, segment: Segment | None = None
) -> BulkChange:
    """Changes few immediately, more in the worker. Raises NotFound, Conflict if too many are unfinished."""
    if segment is None:
        return await _start(org, filters, action)
    check_static(segment)
    return await _start(org, filters, action, AuditTarget(segment.id, segment.name, filters.to_json()), segment.id)


async def delete_field(org: Organization, field: CustomField) -> BulkChange:
    """Deletes the values of all contacts and then the field, as above. Raises Conflict if it is in use."""
    if uses := await (await FieldUses.read(org)).of(field):
        raise Conflict(f"the field {field.name} is used by {in_words(uses)}")
    target = AuditTarget(field.id, field.label, {"key": field.name})
    return await _start(org, having_value(field), BulkAction.FIELD, target)


def having_value(field: CustomField) -> ContactFilters:
    return ContactFilters(filter={"field": f"{CUSTOM}{field.name}", "op": "is_set"})


def field_of(org: Organization, change: BulkChange) -> CustomField:
    """The field that the change deletes, as far as its filter names it."""
    return CustomField.named(org, change.filters["filter"]["field"].removeprefix(CUSTOM))


async def _start(
    org: Organization,
    filters: ContactFilters,
    action: BulkAction,
    target: AuditTarget | None = None,
    segment_id: UUID | None = None,
) -> BulkChange:
    if await BulkChange.of(org).filter(finished_at=None).count() >= MAX_UNFINISHED:
        raise Conflict("other changes of contacts are still running. Try again when they have finished")
    total, change_id = await count_contacts(org, filters), uuid7()
    async with db.write_transaction():
        await BulkChange.of(org).filter(finished_at__lt=clock.now() - LISTED).delete()
        change = await BulkChange.create(
            id=change_id,
            org_id=org.id,
            action=action,
            filters=filters.to_json(),
            segment_id=segment_id,
            total=total,
            last_id=change_id,
        )
        about = target or AuditTarget(change_id, "contacts", change.filters)
        await record(org, RECORDED[action], about.id, about.name, **about.details, contacts=total)
        if total > ROWS_AT_ONCE:
            enqueue(Job.CHANGE_CONTACTS, change.id)
    if total <= ROWS_AT_ONCE:
        while await process_batch(change.id):
            pass
        await change.refresh()
    return change


async def count_existing(org: Organization, ids: Collection[UUID]) -> int:
    return await Contact.of(org).filter(id__in=list(ids)).count()


async def count_unsubscribed(org: Organization, chosen: Collection[UUID] | ContactFilters) -> int:
    """Counts the unsubscribed contacts among these ids, or among all that match."""
    if not isinstance(chosen, ContactFilters):
        return await Contact.of(org).filter(id__in=list(chosen), status=ContactStatus.UNSUBSCRIBED).count()
    if chosen.status not in (None, ContactStatus.UNSUBSCRIBED):
        return 0
    return await count_contacts(org, replace(chosen, status=ContactStatus.UNSUBSCRIBED))


find_change = BulkChange.one_of


async def stop_change(org: Organization, change: BulkChange) -> None:
    """Ends an unfinished change."""
    async with db.write_transaction():
        held = await BulkChange.of(org).select_for_update().get_or_none(id=change.id, finished_at=None)
        if held is None:
            return
        held.failure = f"Stopped after {held.reached_count:,} of {held.total:,}."
        held.finished_at = clock.now()
        await held.save(update_fields=["failure", "finished_at"])
        counts = {"reached": held.reached_count, "contacts": held.total}
        await record(org, AuditAction.CONTACTS_CHANGE_STOPPED, held.id, "contacts", change=held.action, **counts)


async def process_batch(change_id: UUID) -> bool:
    """False when there is nothing more to change."""
    change = await BulkChange.across_orgs().get_or_none(id=change_id, finished_at=None)
    if change is None:
        return False
    org = await Organization.get(id=change.org_id)
    try:
        async with db.searching(org.id):
            ids = await next_ids(org, STORED.validate_python(change.filters), change.last_id)
        ids = ids[: change.total - change.reached_count]
        is_last = not ids and change.action == BulkAction.FIELD
        if is_last and await custom_fields.has_values(org, field_of(org, change)):
            await _fail(change_id, VALUES_ADDED)
        else:
            await _settle(org, change, ids)
    except NotFound:
        await _fail(change_id, SEGMENT_GONE)
    return True


async def _settle(org: Organization, change: BulkChange, ids: list[UUID]) -> None:
    """Changes the contacts in one transaction unless another worker has. Raises NotFound."""
    async with db.write_transaction():
        unchanged = {"id": change.id, "last_id": change.last_id, "finished_at": None}
        held = await BulkChange.of(org).select_for_update().get_or_none(**unchanged)
        if held is None:
            return
        if ids:
            held.changed_count += await _apply(org, held, ids)
            held.reached_count += len(ids)
            held.last_id = ids[-1]
        else:
            held.finished_at = clock.now()
            if held.action == BulkAction.FIELD:
                await CustomField.of(org).filter(name_key=field_of(org, held).name_key).delete()
        await held.save(update_fields=["changed_count", "reached_count", "last_id", "finished_at"])


async def _apply(org: Organization, change: BulkChange, ids: list[UUID]) -> int:
    """Raises NotFound if the segment is gone."""
    if change.segment_id is not None:
        return await add_to_segment(org, await Segment.one_of(org, change.segment_id), ids)
    if change.action == BulkAction.UNSUBSCRIBE:
        return await unsubscribe_contacts(org, ids)
    if change.action == BulkAction.FIELD:
        return await custom_fields.delete_values(org, field_of(org, change), ids)
    return await delete_contacts(org, ids)


async def _fail(change_id: UUID, reason: str = OUR_FAULT) -> None:
    unfinished = BulkChange.across_orgs().filter(id=change_id, finished_at=None)
    await unfinished.update(failure=reason, finished_at=clock.now())


process_pending = Rounds(log, BulkChange.unfinished, process_batch, _fail).run
