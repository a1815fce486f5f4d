"""The custom fields of an organization's contacts, with labels, types and an order for pages."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from webapp import db
from webapp.db.dialects import Values
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.columns import guess_columns
from webapp.domain.contacts.consent_columns import CUSTOM as IMPORTED
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH
from webapp.domain.contacts.search import MOST_NAMES, custom_field_names
from webapp.domain.inputs import Input, NonBlank, OneLine
from webapp.errors import Conflict, ValidationError
from webapp.models import CustomField, Organization
from webapp.models.contact import CustomFieldKind, search_form
from webapp.models.queries.segment_filter import CUSTOM, DATE, NUMBER, day_of, text_of, typed_values, value_name

SIGNS = {CustomFieldKind.NUMBER: NUMBER, CustomFieldKind.DATE: DATE}
EXAMPLES = {CustomFieldKind.NUMBER: "a number like 4.50", CustomFieldKind.DATE: "a date like 2026-11-20 or 20.11.2026"}
LEAST_DATES = 0.8  # of the first cells of a column, so that a few typing errors are named
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


async def labels_of(org: Organization) -> dict[str, str]:
    """The labels of saved fields, by their names in filters."""
    return {f"{CUSTOM}{field.name_key}": field.label for field in await CustomField.of(org)}


def misfits_in(values: Mapping[str, Any], fields: Mapping[str, CustomField]) -> Iterator[str]:
    """A sentence for each value that cannot be read as the type of its field; `fields` are by name."""
    for name, field in fields.items():
        kind, text = CustomFieldKind(field.kind), text_of(values.get(name))
        if text and kind in SIGNS and SIGNS[kind] not in dict(typed_values(text)):
            yield f"“{values[name]}” in {field.label} isn't {EXAMPLES[kind]}"


async def find_field(org: Organization, name: str) -> CustomField | None:
    return next((field for field in await list_fields(org) if field.name == name), None)


async def add_field(org: Organization, data: FieldInput) -> CustomField:
    """Saves a field named after its label. Raises ValidationError for a name that is in use, Conflict."""
    column = guess_columns([data.label], slugs=True).get(0, "")
    if not column.startswith(IMPORTED):
        raise ValidationError.of("label", "Choose another label, with letters and not that of a field of all contacts.")
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


async def fields_of_columns(
    org: Organization, columns: Mapping[str, tuple[str, Sequence[str]]]
) -> dict[str, CustomField]:
    """The fields of imported columns by name, from their headings and first cells where they are not saved yet."""
    saved = {field.name_key: field for field in await CustomField.of(org)}
    fields: dict[str, CustomField] = {}
    for name, (heading, cells) in columns.items():
        key, position = search_form(name)[:200], _last_position(saved.values())
        label, kind = heading[:FIELD_NAME_LENGTH], kind_of_cells(cells)
        fields[name] = saved.setdefault(key, CustomField.named(org, name, label=label, kind=kind, position=position))
    return fields


def _last_position(others: Iterable[CustomField]) -> int:
    return min(max((field.position for field in others), default=0) + 1, MOST_NAMES)


def kind_of_cells(cells: Sequence[str]) -> CustomFieldKind:
    """A date if nearly all are dates; never a number, because postal codes and phone numbers are text."""
    days = sum(day_of(cell) is not None for cell in cells)
    return CustomFieldKind.DATE if cells and days >= LEAST_DATES * len(cells) else CustomFieldKind.TEXT


async def save_new_fields(org: Organization, fields: Collection[CustomField]) -> None:
    """Saves those that are not saved yet, as far as there is room."""
    saved = {field.name_key for field in await CustomField.of(org)}
    new = {field.name_key: field for field in fields if field.name_key not in saved}
    room = max(0, MOST_NAMES - len(saved))
    await CustomField.bulk_create(list(new.values())[:room], ignore_conflicts=True)


async def delete_field(org: Organization, field: CustomField) -> None:
    """Raises Conflict while a contact has a value."""
    if await _value_without(org, field) is not None:
        raise Conflict("contacts have values in this field")
    async with db.write_transaction():
        if await CustomField.of(org).filter(name_key=field.name_key).delete():
            await record(org, AuditAction.FIELD_DELETED, field.id, field.label, key=field.name)


async def misfit_of(org: Organization, field: CustomField) -> str | None:
    """The search form of a value that conditions on the field's type leave out, if a contact has one."""
    sign = SIGNS.get(CustomFieldKind(field.kind))
    return await _value_without(org, field, sign) if sign else None


async def _value_without(org: Organization, field: CustomField, sign: str = "") -> str | None:
    """A value of the field, of those that could not be read as the type of a sign."""
    values, sql, name = Values(), db.dialect(), value_name(f"{CUSTOM}{field.name}")
    text = sql.member_named("c.filter_values", name, values)
    query = f"SELECT {text} AS value FROM contacts c WHERE c.org_id = {values.name(org.id)} AND {text} IS NOT NULL"  # noqa: S608 - our own words
    if sign:
        query += f" AND {sql.member_named('c.filter_values', f'{sign}{name}', values)} IS NULL"
    async with db.searching(org.id):
        rows = await db.fetch(f"{query} LIMIT 1", *values)
    return str(rows[0]["value"]) if rows else None
