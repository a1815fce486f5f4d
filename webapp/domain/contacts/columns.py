"""Determines the meaning of columns in a table of contacts, and reads its rows."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.contacts.address_cells import SEVERAL, CellAddress, addresses_in
from webapp.domain.contacts.consent_columns import CONSENT, CUSTOM, STATUS, consent_field, is_like_status
from webapp.domain.contacts.consent_reader import ConsentReader
from webapp.domain.contacts.fields import CHOICE_NAMES
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH, NewContact
from webapp.domain.contacts.known_exports import ADDED, OUR_CONSENT, TOPIC_COLUMNS, is_our_export, known_export
from webapp.domain.contacts.status_words import YES, YES_OR_NO, plain_word
from webapp.domain.inputs import read_input, storable
from webapp.errors import FieldError, ValidationError
from webapp.languages import is_language_tag
from webapp.languages.spelling import search_form
from webapp.models.contact import INPUT_FIELDS, NAMES, STANDARD_FIELDS, ContactStatus
from webapp.sending.mime.headers import BREAKS

TOPICS, LEFT_TOPICS = TOPIC_COLUMNS
IMPORTED = tuple(field.name for field in INPUT_FIELDS if field.kind is not FieldKind.CUSTOM)
RECORDED = tuple(field.name for field in CONTACT_FIELDS if field.is_recorded)
LANGUAGES = tuple(field.name for field in INPUT_FIELDS if field.kind is FieldKind.LANGUAGE)
BOOLEANS = tuple(field.name for field in INPUT_FIELDS if field.kind is FieldKind.BOOLEAN)
NAME_LENGTH = min(field.max_length for field in INPUT_FIELDS if field.is_name)
FILLED_SHARE = 0.5  # of cells with addresses that make a column theirs without a heading

UNHEADED = (FieldKind.CUSTOM, FieldKind.STATUS)  # recognized by other means
FIELDS: Mapping[str, str] = {
    word: field.name
    for field in INPUT_FIELDS
    if field.kind not in UNHEADED
    for word in (plain_word(field.name), plain_word(field.label), *field.headings.split())
}
UNTAGGABLE = re.compile(r"[^\w-]+|[^\x00-\uffff]+")  # characters that a merge tag's name cannot have


def guess_columns(
    header: Sequence[str], sample: Sequence[Sequence[str]] = (), *, slugs: bool = False
) -> dict[int, str]:
    """Maps column numbers to a standard field, a kind of consent or `custom:<name>`; `sample` has the first rows.

    Columns of our own exports that imports cannot set are left out, and useless ones of known tools.
    """
    fields: dict[int, str] = {}
    used: set[str] = set()
    ignored = {*ADDED, *RECORDED} - OUR_CONSENT.keys() if is_our_export(header) else ()
    export = known_export(header)
    useless = export.useless if export else ()
    has_topics = is_our_export(header) and set(TOPIC_COLUMNS) <= set(header)
    addresses = address_column(header, sample)
    consent = _consent_columns(header, sample)
    for number, heading in enumerate(map(storable, header)):
        if heading in ignored or plain_word(heading) in useless:
            continue
        if number in consent and number != addresses:
            fields[number] = consent[number]
            continue
        if has_topics and heading in TOPIC_COLUMNS:
            fields[number] = heading
            continue
        field = "email" if number == addresses else FIELDS.get(plain_word(heading))
        if field in LANGUAGES and not all(map(is_language_tag, column_of(sample, number))):
            field = None  # names of languages, or something else
        if field is None or field in used or (field == "email" and number != addresses):
            field = _custom_field(heading, used, slugs=slugs)
        if field is not None:
            fields[number] = field
            used.add(field)
    return fields


def address_column(header: Sequence[str], sample: Sequence[Sequence[str]] = ()) -> int | None:
    """The number of the column with addresses, by its heading or else by its cells."""
    named = [number for number, heading in enumerate(header) if FIELDS.get(plain_word(heading)) == "email"]
    cells = {number: column_of(sample, number) for number in range(len(header))}
    counts = {number: sum("@" in cell for cell in filled) for number, filled in cells.items()}
    for number in named:
        if counts[number] or not cells[number]:
            return number
    limit = max(counts, key=lambda number: counts[number], default=None)
    if limit is not None and counts[limit] > FILLED_SHARE * len(cells[limit]):
        return limit
    return named[0] if named else None


def _consent_columns(header: Sequence[str], sample: Sequence[Sequence[str]]) -> dict[int, str]:
    if is_our_export(header):
        return {number: OUR_CONSENT[heading] for number, heading in enumerate(header) if heading in OUR_CONSENT}
    export, columns = known_export(header), dict[int, str]()
    known = export.columns if export else {}
    for number, heading in enumerate(map(storable, header)):
        word = plain_word(heading)
        if FIELDS.get(word) in CHOICE_NAMES or heading.lstrip().startswith(CUSTOM):
            continue
        if kind := known.get(word) or consent_field(heading, column_of(sample, number)):
            columns[number] = kind
    return columns


def column_of(rows: Sequence[Sequence[str]], number: int) -> list[str]:
    cells = (row[number] for row in rows if number < len(row))
    return [cell.strip() for cell in cells if cell.strip()]


def _custom_field(heading: str, used: Collection[str], *, slugs: bool) -> str | None:
    marked = heading.lstrip().removeprefix(CUSTOM)[:FIELD_NAME_LENGTH]
    if heading.lstrip().startswith(CUSTOM) and marked.strip() and not BREAKS.search(marked):
        return _unused_field(used, marked)
    name = UNTAGGABLE.sub("_", heading.lower() if slugs else heading).strip("_-")
    name = ("_" + name if name[:1].isdigit() else name)[:FIELD_NAME_LENGTH]
    return _unused_field({*used, *(CUSTOM + field for field in STANDARD_FIELDS)}, name) if name else None


def label_of(heading: str, name: str) -> str:
    """The label of a new custom field: the column's heading, or a name that was not made of it."""
    offered = (_custom_field(heading, (), slugs=True) or "", f"{CUSTOM}{heading}")
    return heading if search_form(f"{CUSTOM}{name}") in map(search_form, offered) else name


def _unused_field(used: Collection[str], name: str) -> str:
    field, number = CUSTOM + name, 1
    while field in used:
        number += 1
        field = f"{CUSTOM}{name[: FIELD_NAME_LENGTH - len(str(number)) - 1]}_{number}"
    return field


def column_title(name: str) -> str:
    """The heading by which `guess_columns` recognizes this custom field."""
    is_bare = guess_columns([name]) == {0: CUSTOM + name} and not is_like_status(name)
    return name if is_bare else CUSTOM + name


def fault_in_row(fault: FieldError) -> str:
    if fault.field == "email" and fault.code == "email_address":
        return f"invalid email address: {fault.values['why']}"
    return fault.message


def row_to_contact(cells: Sequence[str], mapping: Mapping[int, str], consent: ConsentReader) -> NewContact:
    """Raises ValidationError naming every bad field; people who left only need an address."""
    data = _values_in(cells, mapping)
    try:
        status = consent.read(cells)
    except ValueError as fault:
        raise ValidationError.at(STATUS, fault) from None
    if status is not None:
        data[STATUS] = status.value
    try:
        return read_input(NewContact, data, strict=False)
    except ValidationError:
        if status is not ContactStatus.UNSUBSCRIBED:
            raise
    clear = {name: value for name, value in data.items() if name in ("email", STATUS) or isinstance(value, bool)}
    return read_input(NewContact, clear, strict=False)


def _values_in(cells: Sequence[str], mapping: Mapping[int, str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    custom: dict[str, str] = {}
    name = ""
    for number, field in mapping.items():
        text = storable(cells[number]).strip() if number < len(cells) else ""
        if not text or field in (*CONSENT, *TOPIC_COLUMNS):
            continue
        if field.startswith(CUSTOM):
            custom[field[len(CUSTOM) :]] = text
        elif field == "email":
            name, data[field] = _address_in(text)
        else:
            data[field] = _boolean(text) if field in BOOLEANS else text
    if name and data.keys().isdisjoint(NAMES):
        data |= names_in(name)
    if custom:
        data["custom_fields"] = custom
    return data


def _boolean(text: str) -> bool | str:
    word = plain_word(text)
    return word in YES if word in YES_OR_NO else text


def _address_in(cell: str) -> CellAddress:
    """The address in a cell; several addresses are returned unchanged, except Google's lists."""
    addresses = addresses_in(cell)
    return addresses[0] if len(addresses) == 1 or SEVERAL in cell else CellAddress("", cell)


def names_in(name: str) -> dict[str, str]:
    """Splits a name like “Ada Lovelace” or “Lovelace, Ada” into fields."""
    last, comma, first = name.partition(",")
    parts = [first.strip(), last.strip()] if comma else name.rsplit(None, len(NAMES) - 1)
    is_name = "@" not in name and not BREAKS.search(name) and len(name) <= NAME_LENGTH
    return dict(zip(NAMES, filter(None, parts), strict=False)) if is_name else {}
