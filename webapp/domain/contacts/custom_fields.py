"""The custom fields of an organization's contacts, with labels, types and an order for pages."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from pydantic import Field, StringConstraints

from webapp import db
from webapp.db.dialects import Values
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.columns import guess_columns
from webapp.domain.contacts.consent_columns import CUSTOM as IMPORTED
from webapp.domain.contacts.field_uses import FieldUses
from webapp.domain.contacts.fields import apply_fields
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH
from webapp.domain.contacts.search import MOST_NAMES, custom_field_names
from webapp.domain.contacts.status_words import YES, YES_OR_NO, plain_word
from webapp.domain.csv_writer import as_text
from webapp.domain.event_log import record_changes
from webapp.domain.inputs import Input, NonBlank, OneLine
from webapp.errors import Conflict, ValidationError
from webapp.models import Contact, CustomField, Organization
from webapp.models.contact import CustomFieldKind, name_key
from webapp.models.queries.contacts.segment_filter import CUSTOM, text_of, value_name
from webapp.models.queries.contacts.typed_text import (
    DATE,
    NUMBER,
    is_unclear,
    readings_of,
    typed_values,
    whole_day_of,
)

SIGNS = {CustomFieldKind.NUMBER: NUMBER, CustomFieldKind.DATE: DATE}
EXAMPLES = {
    CustomFieldKind.NUMBER: "a number like 4.50 or 4,50",
    CustomFieldKind.DATE: "a date like 2026-11-20 or 20.11.2026",
    CustomFieldKind.BOOLEAN: "yes or no",
}
UNFIT, UNCLEAR, DECIMAL = "isn't", "can mean", "is read with a decimal point"  # in sentences about misfits
YES_NO = ("true", "false")  # the values of a field for yes or no
COUNT = re.compile(r"-?(?:0|[1-9][0-9]{0,5})")
SMALL_COUNT = 3  # digits
LEAST_SMALL = 0.5  # of the counts in a column
LEAST_FITTING = 0.8  # of the first cells of a column, so that a few typing errors are named
Label = Annotated[str, StringConstraints(min_length=1, max_length=FIELD_NAME_LENGTH), OneLine, NonBlank]


class FieldInput(Input):
    label: Label
    kind: CustomFieldKind = CustomFieldKind.TEXT
    position: int | None = Field(default=None, ge=0, le=MOST_NAMES)  # after all others by default


async def list_fields(org: Organization) -> list[CustomField]:
    """The saved fields in their order, then those of the newest contacts, which are not saved."""
    saved = sorted(
        await CustomField.of(org).limit(MOST_NAMES), key=lambda field: (field.position, field.label.casefold())
    )
    keys = {field.name_key for field in saved}
    others = [CustomField.named(org, name, position=MOST_NAMES) for name in await custom_field_names(org)]
    return [*saved, *(field for field in others if field.name_key not in keys)][:MOST_NAMES]


async def fields_by_name(org: Organization) -> dict[str, CustomField]:
    """The saved fields, by their names in filters."""
    return {f"{CUSTOM}{field.name_key}": field for field in await CustomField.of(org)}


async def labels_of(org: Organization) -> dict[str, str]:
    """The labels of saved fields, by their names in filters."""
    return {name: field.label for name, field in (await fields_by_name(org)).items()}


def shown_value(value: Any, field: CustomField | None) -> str:
    """A value as pages show it: dates and yes/no in one form, however they were written."""
    text, kind = as_text(value), field.kind if field else None
    if isinstance(value, bool) or (kind == CustomFieldKind.BOOLEAN and text_of(value) in YES_NO):
        return "Yes" if text_of(value) == YES_NO[0] else "No"
    day = whole_day_of(text) if kind == CustomFieldKind.DATE else None
    return date.fromisoformat(day).strftime("%-d %b %Y") if day else text


def misfits_in(values: Mapping[str, Any], fields: Mapping[str, CustomField]) -> Iterator[str]:
    """A sentence for each value that can't be read as the type of its field, or as one of two numbers; by name."""
    for name, field in fields.items():
        value = str(values.get(name, ""))
        if words := misfit_words(value, field) or _doubt_words(value, field):
            yield words


def unclear_words(text: str) -> str:
    return f"{UNCLEAR} {readings_of(text)}; write one of these"


def misfit_words(value: str, field: CustomField, *, is_typed: bool = False) -> str | None:
    """Why a value can't be read as its field's type; if a person typed it, also that 1.234 may be two numbers."""
    kind, text = CustomFieldKind(field.kind), text_of(value)
    if not text or kind is CustomFieldKind.TEXT:
        return None
    if kind is CustomFieldKind.NUMBER and is_unclear(text) and (is_typed or "," in text):
        return f"“{value}” in {field.label} {unclear_words(text)}"
    if text in YES_NO if kind is CustomFieldKind.BOOLEAN else SIGNS[kind] in dict(typed_values(text)):
        return None
    return f"“{value}” in {field.label} {UNFIT} {EXAMPLES[kind]}"


def _doubt_words(value: str, field: CustomField) -> str | None:
    text = text_of(value)
    if field.kind != CustomFieldKind.NUMBER or not is_unclear(text):
        return None
    return f"“{value}” in {field.label} {DECIMAL}; write {text.replace('.', '')} if it means thousands"


def with_yes_no(values: Mapping[str, Any], fields: Mapping[str, CustomField]) -> dict[str, Any]:
    """Replaces the words of many languages for yes and no in the fields of that type."""
    words = {name: plain_word(str(values[name])) for name in values if _is_yes_no(fields.get(name))}
    known = {name: YES_NO[word not in YES] for name, word in words.items() if word in YES_OR_NO}
    return {**values, **known}


def _is_yes_no(field: CustomField | None) -> bool:
    return field is not None and field.kind == CustomFieldKind.BOOLEAN


async def find_field(org: Organization, name: str) -> CustomField | None:
    return next((field for field in await list_fields(org) if field.name == name), None)


async def add_field(org: Organization, data: FieldInput) -> CustomField:
    """Saves a field named after its label. Raises ValidationError for a name that is in use, Conflict."""
    column = guess_columns([data.label], slugs=True).get(0, "")
    if not column.startswith(IMPORTED):
        raise ValidationError.of(
            "label", "Choose another label: one with letters, which is not the name of a field that every contact has."
        )
    name = column.removeprefix(IMPORTED)
    field = CustomField.named(org, name)
    if field.name_key in {other.name_key for other in await list_fields(org)}:
        raise ValidationError.of("label", f"There is a field {name} already.")
    return await save_field(org, field, data, AuditAction.FIELD_ADDED)


async def save_field(
    org: Organization, field: CustomField, data: FieldInput, action: AuditAction = AuditAction.FIELD_CHANGED
) -> CustomField:
    """Raises Conflict if there are too many."""
    async with db.write_transaction():
        await org.lock_settings()
        saved = await CustomField.of(org).get_or_none(name_key=field.name_key)
        if saved is None and await CustomField.of(org).count() >= MOST_NAMES:
            raise Conflict(f"an organization can have {MOST_NAMES} fields at most")
        saved = saved or CustomField.named(org, field.name)
        values = {name: getattr(data, name) for name in FieldInput.model_fields}
        if data.position is None:
            values["position"] = _last_position(await CustomField.of(org).exclude(name_key=field.name_key))
        details: dict[str, Any] = {
            name: [old, new] for name, new in values.items() if (old := getattr(saved, name)) != new
        }
        if action is AuditAction.FIELD_ADDED:
            details = {"kind": data.kind}
        await saved.update_from_dict(values).save()
        if details:
            await record(org, action, saved.id, saved.label, key=saved.name, **details)
        return saved


class ImportedColumn(NamedTuple):
    label: str
    cells: Sequence[str]  # the first ones
    kind: str | None  # what the user chose for a new field


async def fields_of_columns(org: Organization, columns: Mapping[str, ImportedColumn]) -> dict[str, CustomField]:
    """The fields of imported columns by name; where they are not saved yet, as the import will create them."""
    saved = {field.name_key: field for field in await CustomField.of(org)}
    fields: dict[str, CustomField] = {}
    for name, column in columns.items():
        key, position = name_key(name), _last_position(saved.values())
        label, kind = column.label[:FIELD_NAME_LENGTH], column.kind or kind_of_cells(column.cells)
        fields[name] = saved.setdefault(key, CustomField.named(org, name, label=label, kind=kind, position=position))
    return fields


def _last_position(others: Iterable[CustomField]) -> int:
    return min(max((field.position for field in others), default=0) + 1, MOST_NAMES)


def kind_of_cells(cells: Sequence[str]) -> CustomFieldKind:
    """A date or a number if nearly all are; whole numbers may be postal codes, unless they look like counts."""
    texts = [text_of(cell) for cell in cells]
    signs = [dict(typed_values(text)) for text in texts]
    for sign, kind in ((DATE, CustomFieldKind.DATE), (NUMBER, CustomFieldKind.NUMBER)):
        fitting = [text for text, typed in zip(texts, signs, strict=True) if sign in typed]
        is_plain = sign == NUMBER and all(text.lstrip("+-").isdecimal() or is_unclear(text) for text in fitting)
        if texts and len(fitting) >= LEAST_FITTING * len(texts) and (not is_plain or _are_counts(fitting)):
            return kind
    return CustomFieldKind.TEXT


def _are_counts(texts: Sequence[str]) -> bool:
    small = sum(len(text.lstrip("-")) <= SMALL_COUNT for text in texts)
    return all(map(COUNT.fullmatch, texts)) and small >= LEAST_SMALL * len(texts)


async def save_new_fields(org: Organization, fields: Collection[CustomField]) -> list[str]:
    """Saves those that are not saved yet, as far as there is room, and returns their name keys."""
    saved = {field.name_key for field in await CustomField.of(org)}
    new = {field.name_key: field for field in fields if field.name_key not in saved}
    room = max(0, MOST_NAMES - len(saved))
    await CustomField.bulk_create(list(new.values())[:room], ignore_conflicts=True)
    return list(new)[:room]


async def delete_unused_fields(org: Organization, name_keys: Collection[str]) -> None:
    """Deletes those in which no contact has a value, and which no dynamic segment, template, campaign or form uses."""
    uses = await FieldUses.read(org)
    for field in await CustomField.of(org).filter(name_key__in=list(name_keys)):
        if await uses.of(field) or await has_values(org, field):
            continue
        async with db.write_transaction():
            if await CustomField.of(org).filter(id=field.id).delete():
                await record(org, AuditAction.FIELD_DELETED, field.id, field.label, key=field.name)


async def has_values(org: Organization, field: CustomField) -> bool:
    return await _value_without(org, field) is not None


async def delete_values(org: Organization, field: CustomField, ids: Collection[UUID]) -> int:
    """Deletes the field's values of the contacts in one transaction; returns how many contacts changed."""
    async with db.write_transaction():
        changed = []
        for contact in await Contact.lock_many(org, ids):
            values = contact.custom_fields
            kept = {name: value for name, value in values.items() if name_key(name) != field.name_key}
            if len(kept) < len(values):
                apply_fields(contact, {"custom_fields": kept})
                changed.append((contact, contact.status))
        await Contact.save_fields(contact for contact, _ in changed)
        await record_changes(changed)
    return len(changed)


async def misfit_of(org: Organization, field: CustomField) -> str | None:
    """The search form of a value that conditions on the field's type leave out, if a contact has one."""
    if _is_yes_no(field):
        return await _value_without(org, field, fitting=YES_NO)
    sign = SIGNS.get(CustomFieldKind(field.kind))
    return await _value_without(org, field, sign) if sign else None


async def _value_without(
    org: Organization, field: CustomField, sign: str = "", fitting: Collection[str] = ()
) -> str | None:
    """A value of the field, of those that could not be read as the type of a sign, and of none of the `fitting`."""
    values, sql, name = Values(), db.dialect(), value_name(f"{CUSTOM}{field.name}")
    text = sql.member_named("c.filter_values", name, values)
    query = f"SELECT {text} AS value FROM contacts c WHERE c.org_id = {values.name(org.id)} AND {text} IS NOT NULL"  # noqa: S608 - our own words
    if sign:
        query += f" AND {sql.member_named('c.filter_values', f'{sign}{name}', values)} IS NULL"
    query += "".join(f" AND {text} <> {values.name(value)}" for value in fitting)
    async with db.searching(org.id):
        rows = await db.fetch(f"{query} LIMIT 1", *values)
    return str(rows[0]["value"]) if rows else None
