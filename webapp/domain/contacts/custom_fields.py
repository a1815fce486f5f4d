"""The custom fields of an organization's contacts, with labels, types and an order for pages."""

from collections.abc import Collection, Iterator, Mapping
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
from webapp.models.queries.segment_filter import CUSTOM, DATE, NUMBER, text_of, typed_values, value_name

SIGNS = {CustomFieldKind.NUMBER: NUMBER, CustomFieldKind.DATE: DATE}
EXAMPLES = {CustomFieldKind.NUMBER: "a number like 4.50", CustomFieldKind.DATE: "a date like 2026-11-20 or 20.11.2026"}
Label = Annotated[str, StringConstraints(min_length=1, max_length=FIELD_NAME_LENGTH), OneLine, NonBlank]


class FieldInput(Input):
    label: Label
    kind: CustomFieldKind = CustomFieldKind.TEXT
    position: int = Field(default=0, ge=0, le=MOST_NAMES)


async def list_fields(org: Organization) -> list[CustomField]:
    """The saved fields in their order, then those of the newest contacts, which are not saved."""
    saved = sorted(
        await CustomField.of(org).limit(MOST_NAMES), key=lambda field: (field.position, field.label.casefold())
    )
    keys = {field.name_key for field in saved}
    others = [CustomField.named(org, name) for name in await custom_field_names(org)]
    return [*saved, *(field for field in others if field.name_key not in keys)][:MOST_NAMES]


async def labels_of(org: Organization) -> dict[str, str]:
    """The labels of saved fields, by their names in filters."""
    return {f"{CUSTOM}{field.name_key}": field.label for field in await CustomField.of(org)}


async def typed_fields(org: Organization, names: Collection[str]) -> dict[str, CustomField]:
    """The fields of numbers and dates among these names, by name."""
    typed = {field.name_key: field for field in await CustomField.of(org).filter(kind__in=list(SIGNS))}
    return {name: typed[key] for name in names if (key := search_form(name)[:200]) in typed}


def misfits_in(values: Mapping[str, Any], typed: Mapping[str, CustomField]) -> Iterator[str]:
    """A sentence for each value that cannot be read as the type of its field."""
    for name, field in typed.items():
        kind = CustomFieldKind(field.kind)
        text = text_of(values.get(name))
        if text and SIGNS[kind] not in dict(typed_values(text)):
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
        details: dict[str, Any] = {
            name: [old, new] for name, new in values.items() if (old := getattr(saved, name)) != new
        }
        if action is AuditAction.FIELD_ADDED:
            details = {"kind": data.kind}
        await saved.update_from_dict(values).save()
        if details:
            await record(org, action, saved.id, saved.label, key=saved.name, **details)
        return saved


async def save_headings(org: Organization, headings: Mapping[str, str]) -> None:
    """Saves the headings of imported columns as labels of fields that have none, as far as there is room."""
    saved = {field.name_key for field in await CustomField.of(org)}
    new = {
        search_form(name): (name, heading) for name, heading in headings.items() if search_form(name)[:200] not in saved
    }
    fields = [
        CustomField.named(org, name, label=heading[:FIELD_NAME_LENGTH], position=min(len(saved) + index, MOST_NAMES))
        for index, (name, heading) in enumerate(list(new.values())[: max(0, MOST_NAMES - len(saved))], 1)
    ]
    await CustomField.bulk_create(fields, ignore_conflicts=True)


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
