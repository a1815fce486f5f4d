"""The worker's part of imports: a batch of rows in each transaction, and any number of workers may die at any point.

The import's row says how far it is. A worker takes it for a while, and holds it in the transaction that goes on.
"""

import asyncio
import logging
from datetime import timedelta
from math import inf
from typing import Any
from uuid import UUID, uuid5

from webapp import clock, db
from webapp.db.errors import is_outage
from webapp.domain.campaigns.audience import reason_against
from webapp.domain.contacts.contacts import key_of, take_fields
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import Fate, Taken, rehearse_batch, take_in_batch
from webapp.domain.imports.csv_reader import Part, Unreadable
from webapp.domain.imports.files import read_part, storable
from webapp.domain.imports.rows import Read, fields_of, read_contacts
from webapp.domain.imports.undo import undo_some
from webapp.errors import Conflict, NotFound
from webapp.models import Contact, ContactImport, ImportChange, ImportChunk, ImportRefusal, Organization
from webapp.models.contact_import import ImportStatus

log = logging.getLogger(__name__)

ROWS_AT_ONCE = 500
LEASE_SECONDS = 30  # a batch takes a fraction of one
BREATH = 0.5  # of the time that a batch took, between two, where no other can write meanwhile
MOST_REFUSED = 100_000
OUR_FAULT = "something went wrong here, not in your file: the operator finds it in the log of the worker"
MOVED = (Fate.CREATED, Fate.CHANGED)
COUNTS = ("created_count", "changed_count", "unchanged_count", "refused_count", "excluded_count")
POSITION = ("next_byte", "next_line", "status", "failure", "lease_until", "finished_at")


async def work_waiting(seconds: float = inf) -> None:
    """Go on with all imports that wait for a worker, a batch of each in turn, for so long at most.

    It returns at once where this process is at it already: that one finds what is new.
    """
    if _worker.is_busy:
        return
    _worker.is_busy = True
    try:
        await _work_in_turn(clock.elapsed() + seconds)
    finally:
        _worker.is_busy = False


class _Worker:
    is_busy = False


_worker = _Worker()


async def _work_in_turn(until: float) -> None:
    taken, given_up = set[UUID](), set[UUID]()
    try:
        while clock.elapsed() < until:
            for import_id in set(await ContactImport.waiting()) - taken - given_up:
                if await ContactImport.lease(import_id, LEASE_SECONDS):
                    taken.add(import_id)
            if not taken:
                break
            for import_id in sorted(taken):
                began = clock.elapsed()
                try:
                    is_over = not await work_on(import_id)
                except Exception as error:
                    log.exception("an import could not go on", extra={"import": str(import_id)})
                    given_up.add(import_id)
                    is_over = True
                    if not (is_outage(error) or isinstance(error, Conflict)):
                        await _give_up(import_id)
                if is_over:
                    taken.discard(import_id)
                breath = BREATH if db.dialect().has_one_writer else 0.0
                await asyncio.sleep((clock.elapsed() - began) * breath)
    finally:
        for import_id in taken:
            await ContactImport.release(import_id)


async def _give_up(import_id: UUID) -> None:
    """End an import that meets a fault of ours: it would meet it again and again."""
    row = await _find(import_id)
    if row is not None:
        await _fail(row, OUR_FAULT)


async def work_on(import_id: UUID) -> bool:
    """Do the next batch of an import; whether there may be another."""
    row = await _find(import_id)
    if row is not None and row.status == ImportStatus.UNDOING:
        return await undo_some(row, LEASE_SECONDS)
    if row is None or row.status not in (ImportStatus.CHECKING, ImportStatus.RUNNING):
        return False
    try:
        part, is_end = await read_part(row, ROWS_AT_ONCE)
        rows = part.rows[1:] if row.next_byte == 0 else part.rows  # the first is the header
        mapping = {int(number): field for number, field in (row.mapping or {}).items()}
        read = await asyncio.to_thread(
            read_contacts, rows, row.next_line, len(row.header), mapping, has_left=row.has_left
        )
        return await _settle(row, read, part, is_end=is_end)
    except Unreadable as error:
        await _fail(row, str(error))
        return False


async def _find(import_id: UUID) -> ContactImport | None:
    return await ContactImport.across_orgs().get_or_none(id=import_id)


async def _settle(row: ContactImport, read: list[Read], part: Part, *, is_end: bool) -> bool:
    """Decide and save the batch, unless another worker has; whether there may be another."""
    async with db.write_transaction():
        held = await _hold(row)
        if held is None:
            return False
        if held.next_byte == 0:  # what an earlier dry run left
            await ImportChange.filter(contact_import_id=held.id).delete()
            await ImportRefusal.filter(contact_import_id=held.id).delete()
        act = _rehearse if held.status == ImportStatus.CHECKING else _carry_out
        org, rows = await Organization.get(id=held.org_id), [one.contact for one in read if one.contact is not None]
        taken = await act(org, held, rows) if rows else []
        await _count(held, read, taken)
        held.next_byte, held.next_line = held.next_byte + part.size, held.next_line + part.lines
        held.lease_until = clock.now() + timedelta(seconds=LEASE_SECONDS)
        if is_end:
            await _end(held)
        await held.save(update_fields=[*COUNTS, *POSITION])
    return not is_end


async def _hold(row: ContactImport) -> ContactImport | None:
    """The import, where it stands as it did; nobody else changes it until the transaction ends."""
    unchanged = {"id": row.id, "status": row.status, "next_byte": row.next_byte}
    return await ContactImport.across_orgs().select_for_update().get_or_none(**unchanged)


async def _rehearse(org: Organization, held: ContactImport, rows: list[NewContact]) -> list[Taken]:
    """What the rows would do. What they would leave is kept as changes, by ids that stand for the addresses."""
    ids = {key: uuid5(held.id, key) for key in {key_of(row.email) for row in rows}}
    left = {change.contact_id: change.after for change in await ImportChange.of_contacts(held.id, ids.values())}
    rehearsed = {key: _contact_of(org, left[row_id]) for key, row_id in ids.items() if row_id in left}
    taken = await rehearse_batch(org, rows, rehearsed, held.created_count, overwrites=held.overwrites)
    moved = {ids[one.contact.email_key]: one.contact for one in taken if one.contact and one.fate in MOVED}
    await _keep_changes(held, [_change(held, row_id, None, fields_of(contact)) for row_id, contact in moved.items()])
    return taken


def _contact_of(org: Organization, fields: dict[str, Any]) -> Contact:
    contact = Contact(org_id=org.id)
    take_fields(contact, fields)
    return contact


async def _carry_out(org: Organization, held: ContactImport, rows: list[NewContact]) -> list[Taken]:
    """Do what the rows say. Raises Unreadable where the segment is gone, Conflict."""
    try:
        taken = await take_in_batch(org, rows, held.segment_id, overwrites=held.overwrites)
    except NotFound:
        raise Unreadable("the segment that its contacts were to join has been deleted") from None
    changes: dict[UUID, ImportChange] = {}
    for one in taken:
        if one.contact is not None and (one.fate in MOVED or one.has_joined):
            before = None if one.fate is Fate.CREATED else dict(one.before or {})
            after = fields_of(one.contact)
            after = after if before is None else {name: after[name] for name in before}
            new = _change(held, one.contact.id, before, after, is_joined=one.has_joined)
            _put_together(changes, new)
    await _keep_changes(held, list(changes.values()))
    return taken


def _change(
    held: ContactImport,
    contact_id: UUID,
    before: dict[str, Any] | None,
    after: dict[str, Any],
    *,
    is_joined: bool = False,
) -> ImportChange:
    return ImportChange(
        contact_import_id=held.id, contact_id=contact_id, before=before, after=after, is_joined=is_joined
    )


def _put_together(changes: dict[UUID, ImportChange], later: ImportChange) -> None:
    """Add a change; of two of one contact the first knows how it was, the second how it is."""
    first = changes.setdefault(later.contact_id, later)
    if first is not later:
        first.before = None if first.before is None else {**(later.before or {}), **first.before}
        first.after = {**first.after, **later.after}
        first.is_joined = first.is_joined or later.is_joined


async def _keep_changes(held: ContactImport, changes: list[ImportChange]) -> None:
    """Note how contacts were before this import, and how it left them; an earlier batch may have had some of them."""
    known = await ImportChange.of_contacts(held.id, [one.contact_id for one in changes])
    found = {change.contact_id: change for change in known}
    for change in changes:
        if change.contact_id in found:
            _put_together(found, change)
    for change in found.values():
        await change.save(update_fields=["before", "after", "is_joined"])
    await ImportChange.bulk_create([change for change in changes if change.contact_id not in found])


async def _count(held: ContactImport, read: list[Read], taken: list[Taken]) -> None:
    """Add to the counts, and keep what was refused. Raises Unreadable where that is too much."""
    fates, refused = iter(taken), []
    for row in read:
        fate = next(fates) if row.contact is not None else Taken(Fate.REFUSED, reason=row.fault)
        setattr(held, f"{fate.fate}_count", getattr(held, f"{fate.fate}_count") + 1)
        held.excluded_count += fate.contact is not None and reason_against(fate.contact) is not None
        if fate.fate is Fate.REFUSED:
            refused.append(row._replace(fault=fate.reason or ""))
    if held.refused_count > MOST_REFUSED:
        raise Unreadable(f"more than {MOST_REFUSED:,} of its rows are refused, like: {refused[0].fault}")
    await ImportRefusal.bulk_create(
        ImportRefusal(
            contact_import_id=held.id,
            line=row.line,
            reason=storable(row.fault)[:500],
            cells=[storable(cell) for cell in row.cells],
        )
        for row in refused
    )


async def _end(held: ContactImport) -> None:
    """The file is read to its end; once it is imported nobody needs it."""
    held.lease_until = None
    if held.status == ImportStatus.CHECKING:
        held.status = ImportStatus.CHECKED
        return
    held.status, held.finished_at = ImportStatus.DONE, clock.now()
    await ImportChunk.filter(contact_import_id=held.id).delete()


async def _fail(row: ContactImport, reason: str) -> None:
    """Say why it cannot go on: a dry run goes back to its columns; what else was done stays, and can be undone."""
    async with db.write_transaction():
        held = await _hold(row)
        if held is None:
            return
        held.failure, held.lease_until = storable(reason)[:1].upper() + storable(reason)[1:500], None
        if held.status == ImportStatus.CHECKING:
            held.status = ImportStatus.UPLOADED
        else:
            held.status, held.finished_at = ImportStatus.FAILED, clock.now()
            await ImportChunk.filter(contact_import_id=held.id).delete()
        await held.save(update_fields=POSITION)
