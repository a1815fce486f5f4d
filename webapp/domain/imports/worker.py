"""Imports in the worker: a batch of rows per transaction under a lease, safe to interrupt."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from uuid import UUID, uuid5

from webapp import clock, db
from webapp.addresses import email_key
from webapp.backoff import report_failure
from webapp.domain.contacts.columns import TOPICS, fault_in_row, row_to_contact
from webapp.domain.contacts.consent_columns import STATUS
from webapp.domain.contacts.consent_reader import Words
from webapp.domain.contacts.contacts import reason_against
from webapp.domain.contacts.custom_fields import misfits_in, with_yes_no
from webapp.domain.contacts.fields import apply_fields, snapshot
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.search import recount_newest
from webapp.domain.contacts.upsert import ContactBatch, RowResult, RowStatus, upsert_batch
from webapp.domain.csv_writer import plain_cell
from webapp.domain.imports.csv_reader import CsvPart, CsvRow, Unreadable
from webapp.domain.imports.files import read_part
from webapp.domain.imports.imports import fields_of, mapping_of, reader_of
from webapp.domain.imports.refusals import ReadRow, save_refusals
from webapp.domain.imports.topic_columns import RowChoices, TopicReader, choose_topics, merged_values, without_topics
from webapp.domain.imports.undo import undo_batch
from webapp.domain.inputs import storable
from webapp.domain.rounds import OUR_FAULT, Rounds
from webapp.domain.topics.topics import all_topics
from webapp.errors import NotFound, ValidationError
from webapp.models import Contact, ContactImport, CustomField, ImportChange, ImportChunk, ImportRefusal, Organization
from webapp.models.contact import ContactStatus
from webapp.models.contact_import import ImportStatus

log = logging.getLogger(__name__)

ROWS_AT_ONCE = 500
LEASE_SECONDS = 30  # a batch takes a fraction of one
FILLED = ("contacts", "segment_contacts")  # tables
COUNTS = tuple(
    f"{name}_count" for name in ("created", "changed", "unchanged", "repeated", "refused", "misfit", "excluded")
)
POSITION = ("words", "next_byte", "next_line", "status", "failure", "lease_until", "finished_at")


async def process_batch(import_id: UUID) -> bool:
    row = await _find(import_id)
    if row is None or row.status not in (ImportStatus.CHECKING, ImportStatus.RUNNING, ImportStatus.UNDOING):
        return False
    is_unfinished = await (undo_batch(row, LEASE_SECONDS) if row.status == ImportStatus.UNDOING else _read_batch(row))
    if not is_unfinished and row.status != ImportStatus.CHECKING:
        try:
            await db.analyze_grown(FILLED, row.created_count)
            await recount_newest(await Organization.get(id=row.org_id))
        except Exception as error:  # noqa: BLE001 - logged; the import itself is done
            report_failure(log, "contacts could not be counted after an import", error)
    return is_unfinished


async def _read_batch(row: ContactImport) -> bool:
    try:
        part, is_end = await read_part(row, ROWS_AT_ONCE)
        rows = part.rows[1:] if row.next_byte == 0 else part.rows  # the header
        org = await Organization.get(id=row.org_id)
        fields, topics = await fields_of(org, row), TopicReader(await all_topics(org), mapping_of(row))
        read, words = await asyncio.to_thread(_read_contacts, row, rows, fields, topics)
        return await _settle(row, read, part, words, is_end=is_end)
    except Unreadable as error:
        await _fail(row, str(error))
        return False


def _read_contacts(
    row: ContactImport, rows: Sequence[CsvRow], fields: Mapping[str, CustomField], topics: TopicReader
) -> tuple[list[ReadRow], Words]:
    consent = reader_of(row)
    read_row = partial(row_to_contact, mapping=mapping_of(row), consent=consent)
    read = [
        _read(csv_row._replace(line=csv_row.line + row.next_line + 1), len(row.header), read_row, fields, topics)
        for csv_row in rows
        if csv_row.fault or any(cell.strip() for cell in csv_row.cells)
    ]
    return read, consent.words


def _read(
    row: CsvRow,
    columns: int,
    read_row: Callable[[list[str]], NewContact],
    fields: Mapping[str, CustomField],
    topics: TopicReader,
) -> ReadRow:
    if row.fault:
        return ReadRow(row.line, row.cells, None, row.fault)
    if len(row.cells) > columns and any(cell.strip() for cell in row.cells[columns:]):
        return ReadRow(row.line, row.cells, None, f"has {len(row.cells):,} cells, but the first row has {columns:,}")
    if "\0" in "".join(row.cells):
        return ReadRow(row.line, row.cells, None, "contains an invalid character")
    try:
        cells = [plain_cell(cell) for cell in row.cells]
        contact = read_row(cells)
        # Those who left are imported whatever else their row says.
        wanted = topics.read(cells, is_lenient=contact.given().get(STATUS) == ContactStatus.UNSUBSCRIBED)
        if custom := with_yes_no(contact.given().get("custom_fields") or {}, fields):
            contact = contact.model_copy(update={"custom_fields": custom})
        misfits = tuple(misfits_in(custom, fields))
        return ReadRow(row.line, row.cells, contact, misfits=misfits, topics=wanted)
    except ValidationError as error:
        return ReadRow(row.line, row.cells, None, "; ".join(map(fault_in_row, error.details)))


async def _find(import_id: UUID) -> ContactImport | None:
    return await ContactImport.across_orgs().get_or_none(id=import_id)


async def _settle(row: ContactImport, read: list[ReadRow], part: CsvPart, words: Words, *, is_end: bool) -> bool:
    """Saves a batch's results unless another worker has; False after the last batch."""
    async with db.write_transaction():
        held = await _lock(row)
        if held is None:
            return False
        if held.next_byte == 0:  # removes the rows of an earlier dry run
            await ImportChange.filter(contact_import_id=held.id).delete()
            await ImportRefusal.filter(contact_import_id=held.id).delete()
        act = _dry_run if held.status == ImportStatus.CHECKING else _apply
        org, rows = await Organization.get(id=held.org_id), [item.contact for item in read if item.contact is not None]
        results, ids, known = await act(org, held, rows) if rows else ([], {}, [])
        wanted = [item.topics for item in read if item.contact is not None]
        results, choices = await choose_topics(org, held, results, wanted, known)
        statuses = {change.contact_id: _status_of(change) for change in known}
        _count(held, results, {key: statuses[row_id] for key, row_id in ids.items() if row_id in statuses})
        await _save_changes(held, results, choices, ids, known)
        await save_refusals(held, read, results)
        if held.status == ImportStatus.CHECKING:
            held.words = words
        held.next_byte, held.next_line = held.next_byte + part.size, held.next_line + part.lines
        if is_end:
            held.lease_until = None
            if held.status == ImportStatus.CHECKING:
                held.status = ImportStatus.CHECKED
            else:
                held.status, held.finished_at = ImportStatus.DONE, clock.now()
                await ImportChunk.filter(contact_import_id=held.id).delete()
        await held.save(update_fields=[*COUNTS, *POSITION])
        if not is_end:
            await held.extend_lease(LEASE_SECONDS)
    return not is_end


async def _lock(row: ContactImport) -> ContactImport | None:
    """Locks the import until the transaction ends; None if it has advanced since it was read."""
    unchanged = {"id": row.id, "status": row.status, "next_byte": row.next_byte}
    return await ContactImport.across_orgs().select_for_update().get_or_none(**unchanged)


# With the ids of the contacts' changes by address, and those changes that earlier batches saved.
Outcomes = tuple[list[RowResult], Mapping[str, UUID], list[ImportChange]]


async def _dry_run(org: Organization, held: ContactImport, rows: list[NewContact]) -> Outcomes:
    """The changes have the resulting contacts for the next batches, under ids derived from addresses."""
    ids = {key: uuid5(held.id, key) for key in {email_key(row.email) for row in rows}}
    known = await ImportChange.of_contacts(held.id, ids.values())
    earlier: dict[str, Contact] = {}
    for change in known:
        contact = Contact(org_id=org.id)
        apply_fields(contact, without_topics(change.after))
        earlier[contact.email_key] = contact
    results = await ContactBatch(org, overwrites=held.overwrites).dry_run(rows, earlier, held.created_count)
    return results, ids, known


async def _apply(org: Organization, held: ContactImport, rows: list[NewContact]) -> Outcomes:
    """Changes the contacts. Raises Unreadable if the segment is gone, Conflict."""
    try:
        results = await upsert_batch(org, rows, held.segment_id, overwrites=held.overwrites)
    except NotFound:
        raise Unreadable("the segment for its contacts was deleted") from None
    ids = {result.contact.email_key: result.contact.id for result in results if result.contact is not None}
    return results, ids, await ImportChange.of_contacts(held.id, ids.values())


def _status_of(change: ImportChange) -> RowStatus:
    if change.before is None:
        return RowStatus.CREATED
    return RowStatus.CHANGED if change.before else RowStatus.UNCHANGED


async def _save_changes(
    held: ContactImport,
    results: list[RowResult],
    choices: Sequence[RowChoices],
    ids: Mapping[str, UUID],
    known: list[ImportChange],
) -> None:
    merged, new = {change.contact_id: change for change in known}, []
    for result, chosen in zip(results, choices, strict=True):
        if result.contact is None:
            continue
        before = None if result.status is RowStatus.CREATED else dict(result.before or {})
        after = snapshot(result.contact)
        if before is not None and held.status == ImportStatus.RUNNING:
            # Includes repeated choices, so that undoing an earlier import does not revert them.
            after = {name: after[name] for name in (*before, *result.repeated)}
        after |= {TOPICS: chosen.after} if chosen.after else {}
        if before is not None and chosen.before:
            before[TOPICS] = chosen.before
        about = {"contact_import_id": held.id, "contact_id": ids[result.contact.email_key]}
        change = ImportChange(**about, before=before, after=after, is_joined=result.has_joined)
        first = merged.setdefault(change.contact_id, change)
        if first is not change:
            first.before = None if first.before is None else merged_values(change.before or {}, first.before)
            first.after = merged_values(first.after, change.after)
            first.is_joined = first.is_joined or change.is_joined
        else:
            new.append(change)
    for change in known:
        await change.save(update_fields=["before", "after", "is_joined"])
    await ImportChange.bulk_create(new)


def _count(held: ContactImport, results: list[RowResult], earlier: Mapping[str, RowStatus]) -> None:
    """Counts each contact once, by the outcome of all its rows, and repeated rows."""
    seen = dict(earlier)
    for result in results:
        if result.contact is None:
            continue
        key = result.contact.email_key
        if key not in seen:
            seen[key] = result.status
            _add(held, result.status)
            held.excluded_count += reason_against(result.contact) is not None
            continue
        held.repeated_count += 1
        has_left = key in earlier and "status" in (result.before or {})
        # A bounced contact was counted at its first row.
        held.excluded_count += has_left and result.contact.bounced_at is None
        if seen[key] is RowStatus.UNCHANGED and result.status is RowStatus.CHANGED:
            seen[key] = result.status
            _add(held, RowStatus.CHANGED)
            _add(held, RowStatus.UNCHANGED, -1)


def _add(held: ContactImport, status: RowStatus, count: int = 1) -> None:
    setattr(held, f"{status}_count", getattr(held, f"{status}_count") + count)


async def _fail(row: ContactImport, reason: str) -> None:
    async with db.write_transaction():
        held = await _lock(row)
        if held is None:
            return
        held.failure, held.lease_until = storable(reason)[:1].upper() + storable(reason)[1:500], None
        if held.status == ImportStatus.CHECKING:
            held.status = ImportStatus.UPLOADED
        else:
            held.status, held.finished_at = ImportStatus.FAILED, clock.now()
            await ImportChunk.filter(contact_import_id=held.id).delete()
        await held.save(update_fields=POSITION)


async def _fail_by_us(import_id: UUID) -> None:
    if row := await _find(import_id):
        await _fail(row, OUR_FAULT)


process_pending = Rounds(
    log,
    ContactImport.waiting,
    process_batch,
    _fail_by_us,
    lambda import_id: ContactImport.lease(import_id, LEASE_SECONDS),
    ContactImport.release,
).run
