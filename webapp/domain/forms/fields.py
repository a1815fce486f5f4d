"""The fields that a form asks for, as they are stored."""

from collections.abc import Sequence
from typing import Any

from webapp.domain.audit.audit import AuditAction
from webapp.domain.contacts.custom_fields import FieldInput, save_field
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH
from webapp.domain.forms.inputs import STANDARD, FormField
from webapp.errors import ValidationError
from webapp.models import CustomField, Organization, SignUpForm
from webapp.models.contact import CustomFieldKind, name_key
from webapp.models.sign_up_form import FieldType

# The kinds of a form's field that can fill a custom field; the first is the default.
FILLING: dict[str, tuple[str, ...]] = {
    CustomFieldKind.TEXT: (FieldType.TEXT, FieldType.CHOICE),
    CustomFieldKind.NUMBER: (FieldType.TEXT, FieldType.CHOICE),
    CustomFieldKind.DATE: (FieldType.DATE,),
    CustomFieldKind.BOOLEAN: (FieldType.CHECKBOX,),
}
NEW: tuple[str, ...] = tuple(FieldType)  # for a custom field that the organization has not declared
DECLARED = {
    FieldType.TEXT: CustomFieldKind.TEXT,
    FieldType.CHOICE: CustomFieldKind.TEXT,
    FieldType.CHECKBOX: CustomFieldKind.BOOLEAN,
    FieldType.DATE: CustomFieldKind.DATE,
}


def asked_fields(form: SignUpForm) -> list[dict[str, Any]]:
    """The form's fields, after the address without a label unless the form names it."""
    is_named = any(field["key"] == "email" for field in form.form_fields)
    email: dict[str, Any] = {"key": "email", "label": None, "kind": FieldType.TEXT, "required": True, "options": []}
    return form.form_fields if is_named else [email, *form.form_fields]


async def stored_fields(org: Organization, fields: Sequence[FormField]) -> list[dict[str, Any]]:
    """The fields with their labels and kinds. Raises ValidationError."""
    declared = {field.name_key: field for field in await CustomField.of(org)} if fields else {}
    stored: dict[str, dict[str, Any]] = {}
    for number, field in enumerate(fields):
        key = name_key(field.key)
        if key in stored:
            raise ValidationError.at(f"fields.{number}.key", "is asked for twice")
        custom = None if field.key in STANDARD else declared.get(key)
        stored[key] = {
            "key": custom.name if custom else field.key,
            "label": field.label or (custom.label if custom else STANDARD.get(field.key, field.key)),
            "kind": _kind_of(field, custom, f"fields.{number}"),
            "required": field.required or field.key == "email",
            "options": field.options,
        }
    return list(stored.values())


async def declare_fields(org: Organization, form: SignUpForm) -> None:
    """Declares the form's custom fields that the organization has not; locks the organization.

    Raises Conflict if they are too many.
    """
    declared = {custom.name_key for custom in await CustomField.of(org)} if form.form_fields else set[str]()
    for field in form.form_fields:
        custom = CustomField.named(org, field["key"])
        if field["key"] not in STANDARD and custom.name_key not in declared:
            label = field["label"][:FIELD_NAME_LENGTH]
            data = FieldInput(label=label, kind=DECLARED[field["kind"]])
            await save_field(org, custom, data, AuditAction.FIELD_ADDED)


def kinds_of(key: str, custom: CustomField | None) -> tuple[str, ...]:
    """The kinds of a form's field that can fill this field, the default first."""
    if key in STANDARD:
        return (FieldType.TEXT,)
    return FILLING[custom.kind] if custom else NEW


def _kind_of(field: FormField, custom: CustomField | None, name: str) -> str:
    """Raises ValidationError unless the field's kind fits what it fills, and its options fit the kind."""
    kinds = kinds_of(field.key, custom)
    kind = field.kind or kinds[0]
    if kind not in kinds:
        filled = f"the custom field {custom.label} has the type {custom.kind}" if custom else f"it fills {field.key}"
        raise ValidationError.at(f"{name}.kind", f"must be {' or '.join(kinds)}, because {filled}")
    if kind == FieldType.CHOICE and not field.options:
        raise ValidationError.at(f"{name}.options", "must have an option for people to choose")
    if kind != FieldType.CHOICE and field.options:
        raise ValidationError.at(f"{name}.options", "is only for a field whose kind is choice")
    return kind
