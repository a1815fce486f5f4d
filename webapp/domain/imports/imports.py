"""The steps of an import: upload, columns, dry run, import, and undo within a day. worker.py does the long ones."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from uuid import UUID

from pydantic import Field

from webapp import clock, db
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.contacts.columns import IMPORTED, column_of, label_of
from webapp.domain.contacts.consent_columns import CONSENT, CUSTOM, are_gone
from webapp.domain.contacts.consent_reader import MEANINGS, UNKNOWN, ConsentReader, Word
from webapp.domain.contacts.custom_fields import ImportedColumn, fields_of_columns, save_new_fields
from webapp.domain.contacts.inputs import check_custom_fields
from webapp.domain.contacts.known_exports import TOPIC_COLUMNS
from webapp.domain.imports.csv_reader import DELIMITERS, ENCODINGS
from webapp.domain.imports.files import read_head, read_sample, save_file
from webapp.domain.inputs import Id, Input, Name, storable
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.segments.segments import NewSegment, add_segment, static_segment_called, static_segment_named
from webapp.errors import Conflict, FieldError, ValidationError
from webapp.models import ContactImport, CustomField, Organization, User
from webapp.models.contact import CustomFieldKind
from webapp.models.contact_import import ImportStatus
from webapp.queue import Job, enqueue
from webapp.tasks import run_to_completion

MAX_OPEN = 10  # waiting for choices, each with a file of up to 50 MB
UNDO = timedelta(hours=24)
OPEN = (ImportStatus.UPLOADED, ImportStatus.CHECKING, ImportStatus.CHECKED)
MOST_ASKED = 100  # words per page of questions
CHANGED = "this import has changed in the meantime. Reload the page"


class ImportChoices(Input):
    mapping: dict[int, str] = Field(description="The contact field of each column, by its number from 0.")
    kinds: dict[int, CustomFieldKind] = Field(default={}, description="The types of new custom fields, by column.")
    overwrites: bool = True
    has_left: bool = Field(default=False, description="Whether everyone in the file is unsubscribed.")
    segment_id: Id | None = None
    new_segment: Name | None = None


async def store_upload(
    org: Organization, maker: User, name: str, pieces: AsyncIterator[bytes], segment_id: UUID | None = None
) -> ContactImport:
    """Saves a file as it arrives. Raises Conflict if too many are open, PayloadTooLarge, Unreadable, NotFound."""
    if segment_id is not None:
        await static_segment_named(org, segment_id)
    if await ContactImport.of(org).filter(status__in=OPEN).count() >= MAX_OPEN:
        raise Conflict(f"you have {MAX_OPEN} unfinished imports. Finish or discard one first")
    row = await ContactImport.create(
        org=org,
        file_name=storable(name)[-255:] or "contacts.csv",
        size_bytes=0,
        encoding="utf-8",
        delimiter=",",
        header=[],
        has_left=are_gone(name),
        segment_id=segment_id,
        status=ImportStatus.FAILED,
        failure="The upload was interrupted. Upload the file again.",
        made_by=maker.id,
        made_by_name=maker.name_and_email,
    )
    try:
        await save_file(row, pieces)
        await row.update_from_dict({"status": ImportStatus.UPLOADED, "failure": None}).save()
    except BaseException:
        await run_to_completion(row.delete())
        raise
    return row


find_import = ContactImport.one_of


async def list_imports(org: Organization, page: Page) -> Listed[ContactImport]:
    return await fetch_page(ContactImport.of(org).order_by("-id"), page)


async def newest_undoable(org: Organization, limit: int) -> list[ContactImport]:
    over = ContactImport.of(org).filter(status__in=(ImportStatus.DONE, ImportStatus.FAILED))
    return await over.filter(finished_at__gt=clock.now() - UNDO).order_by("-id").limit(limit)


async def reread_with(org: Organization, row: ContactImport, encoding: str, delimiter: str) -> None:
    """Reads the file with another encoding or delimiter. Raises Unreadable, ValidationError, Conflict."""
    if encoding not in ENCODINGS:
        raise ValidationError.of("encoding", "choose an encoding from the list")
    if delimiter not in DELIMITERS:
        raise ValidationError.of("delimiter", "choose a delimiter from the list")
    async with db.write_transaction():
        held = await _lock(org, row, ImportStatus.UPLOADED, ImportStatus.CHECKED)
        held.encoding, held.mapping, held.status = encoding, None, ImportStatus.UPLOADED
        await read_head(held, delimiter)
        await held.save()


async def choose_columns(org: Organization, row: ContactImport, data: ImportChoices) -> ContactImport:
    """Saves the choices and starts the dry run. Raises ValidationError, NotFound, Conflict."""
    _check_mapping(data, len(row.header))
    async with db.write_transaction():
        held = await _lock(org, row, ImportStatus.UPLOADED, ImportStatus.CHECKED)
        held.mapping = {str(number): field for number, field in data.mapping.items()}
        held.kinds = {str(number): kind for number, kind in data.kinds.items() if number in data.mapping}
        held.overwrites, held.has_left, held.answers = data.overwrites, data.has_left, None
        held.segment_id, held.new_segment = None, data.new_segment
        if data.segment_id:
            held.segment_id = (await static_segment_named(org, data.segment_id)).id
        await _begin(held, ImportStatus.CHECKING)
    return held


async def words_in(row: ContactImport) -> list[Word]:
    """The dry run's words about who may get campaigns; UNKNOWN ones need an answer.

    Read in a thread, because hundreds of columns take a second.
    """
    return await run_in_render_pool(row.org_id, lambda: reader_of(row).report())


async def unknown_words(row: ContactImport) -> list[Word]:
    return [word for word in await words_in(row) if word.meaning == UNKNOWN]


def reader_of(row: ContactImport) -> ConsentReader:
    """Reads who may get campaigns from the import's rows, continuing the earlier counts."""
    words = {column: dict(counted) for column, counted in (row.words or {}).items()}
    return ConsentReader(row.header, mapping_of(row), has_left=row.has_left, answers=row.answers or {}, words=words)


def mapping_of(row: ContactImport) -> dict[int, str]:
    return {int(number): field for number, field in (row.mapping or {}).items()}


async def answer_words(org: Organization, row: ContactImport, meaning_of: Callable[[Word], str]) -> None:
    """Saves the meanings of unknown words and starts another dry run, after which the next words are asked about.

    Raises ValidationError unless the first MOST_ASKED are answered, and Conflict.
    """
    checked = await _checked(org, row)
    unknown = await unknown_words(checked)
    answered = {word: meaning for word in unknown if (meaning := meaning_of(word)) in MEANINGS}
    if open_words := [word for word in unknown[:MOST_ASKED] if word not in answered]:
        raise ValidationError(details=[FieldError(field_of(word), "Choose what this means") for word in open_words])
    answers = {column: dict(earlier) for column, earlier in (checked.answers or {}).items()}
    for word, meaning in answered.items():
        answers.setdefault(word.column.id, {})[word.key] = meaning
    async with db.write_transaction():
        held = await _lock_checked(org, checked)
        held.answers = answers
        await _begin(held, ImportStatus.CHECKING)


def field_of(word: Word) -> str:
    return f"word-{word.column.number}-{word.key}"


def _check_mapping(data: ImportChoices, columns: int) -> None:
    """Raises ValidationError unless each column has its own field or a kind of consent, and one is the address."""
    faults, used = [], set[str]()
    for number, field in data.mapping.items():
        fault = _fault_of(field) or ("Another column already uses this field" if field in used - set(CONSENT) else None)
        if fault or not 0 <= number < columns:
            faults.append(FieldError(f"column-{number}", fault or "This column isn't in the file"))
        used.add(field)
    if "email" not in used:
        faults.append(FieldError("mapping", "Choose which column contains the email addresses"))
    if data.segment_id and data.new_segment:
        faults.append(FieldError("new_segment", "Choose an existing segment or name a new one, not both"))
    if faults:
        raise ValidationError(details=faults)


def _fault_of(field: str) -> str | None:
    if not field.startswith(CUSTOM):
        return None if field in (*IMPORTED, *CONSENT, *TOPIC_COLUMNS) else "Choose a field from the list"
    try:
        check_custom_fields({field.removeprefix(CUSTOM): ""})
    except ValueError:
        return "Enter a field name of 1 to 100 characters without line breaks or control characters"
    return None


async def begin_run(org: Organization, row: ContactImport) -> ContactImport:
    """Starts the import after its dry run. Raises Conflict in any other state."""
    checked = await _checked(org, row)
    if await unknown_words(checked):
        raise Conflict("answer the questions about this file first")
    fields = await fields_of(org, checked)
    async with db.write_transaction():
        held = await _lock_checked(org, checked)
        if held.new_segment:
            segment = await static_segment_called(org, held.new_segment)
            if segment is None:
                segment = await add_segment(org, NewSegment(name=held.new_segment))
            else:
                held.new_segment = None  # an undo keeps it
            held.segment_id = segment.id
        held.new_fields = await save_new_fields(org, fields.values())
        await record_on(held, AuditAction.CONTACTS_IMPORTED, created=held.created_count, changed=held.changed_count)
        await _begin(held, ImportStatus.RUNNING)
    return held


async def fields_of(org: Organization, row: ContactImport) -> dict[str, CustomField]:
    """The custom fields of the columns by name, new ones as the import will create them."""
    columns, sample = {}, await read_sample(row)
    for number, field in mapping_of(row).items():
        if field.startswith(CUSTOM) and (heading := row.header[number].strip()):
            name = field.removeprefix(CUSTOM)
            kind = (row.kinds or {}).get(str(number))
            columns[name] = ImportedColumn(label_of(heading, name), column_of(sample, number), kind)
    return await fields_of_columns(org, columns)


async def begin_undo(org: Organization, row: ContactImport) -> None:
    """Starts to undo the import, except for contacts changed since. Raises Conflict when it is too late."""
    async with db.write_transaction():
        held = await _lock(org, row, ImportStatus.DONE, ImportStatus.FAILED)
        if reason := reason_not_undoable(held):
            raise Conflict(reason)
        held.created_count = held.changed_count = held.unchanged_count = 0
        held.status, held.lease_until = ImportStatus.UNDOING, None
        await held.save()
        await record_on(held, AuditAction.IMPORT_UNDONE)
        enqueue(Job.IMPORT, held.id)


def undo_until(row: ContactImport) -> datetime | None:
    is_over = row.status in (ImportStatus.DONE, ImportStatus.FAILED)
    return row.finished_at + UNDO if is_over and row.finished_at else None


def reason_not_undoable(row: ContactImport) -> str | None:
    if row.status in (ImportStatus.UNDOING, ImportStatus.UNDONE):
        return "this import was already undone"
    if row.status == ImportStatus.RUNNING:
        return "this import is still running"
    until = undo_until(row)
    if until is None:
        return "this import changed no contacts, so there is nothing to undo"
    return "imports can only be undone within 24 hours" if until <= clock.now() else None


def can_be_discarded(row: ContactImport) -> bool:
    return row.status in (*OPEN, ImportStatus.FAILED) and row.finished_at is None


async def discard_import(org: Organization, row: ContactImport) -> None:
    """Deletes an import that has not changed contacts, with its file. Raises Conflict for any other."""
    async with db.write_transaction():
        held = await _lock(org, row, *OPEN, ImportStatus.FAILED)
        if not can_be_discarded(held):
            raise Conflict("this import has changed contacts. Undo it instead")
        await held.delete()


async def _lock(org: Organization, row: ContactImport, *expected: ImportStatus) -> ContactImport:
    held = await ContactImport.of(org).select_for_update().get_or_none(id=row.id)
    if held is None or held.status not in expected:
        raise Conflict(CHANGED)
    return held


async def _checked(org: Organization, row: ContactImport) -> ContactImport:
    """The current import. Raises Conflict unless its dry run is done."""
    checked = await ContactImport.of(org).get_or_none(id=row.id, status=ImportStatus.CHECKED)
    if checked is None:
        raise Conflict(CHANGED)
    return checked


async def _lock_checked(org: Organization, checked: ContactImport) -> ContactImport:
    """Raises Conflict if another dry run has been done since its words were read."""
    held = await _lock(org, checked, ImportStatus.CHECKED)
    if (held.words, held.answers, held.mapping) != (checked.words, checked.answers, checked.mapping):
        raise Conflict(CHANGED)
    return held


async def _begin(held: ContactImport, status: ImportStatus) -> None:
    if status == ImportStatus.CHECKING:
        held.words = None
    held.next_byte = held.next_line = 0
    held.created_count = held.changed_count = held.unchanged_count = 0
    held.repeated_count = held.refused_count = held.misfit_count = held.excluded_count = 0
    begun = {"status": status, "failure": None, "lease_until": None, "finished_at": None}
    await held.update_from_dict(begun).save()
    enqueue(Job.IMPORT, held.id)
