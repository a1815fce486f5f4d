"""The form of a contact: its values, with pairs of names and values for custom fields, and what a person changed."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from webapp.contact_fields import FieldKind
from webapp.domain.contacts.fields import snapshot
from webapp.domain.csv_writer import as_text
from webapp.http.forms import Form
from webapp.languages.spelling import search_form
from webapp.models import CustomField
from webapp.models.contact import INPUT_FIELDS, CustomFieldKind
from webapp.models.queries.contacts.typed_text import whole_day_of

FIELDS = [field for field in INPUT_FIELDS if field.kind not in (FieldKind.CUSTOM, FieldKind.STATUS)]
FIELD_NAMES = [field.name for field in FIELDS]
DAYS = [field.name for field in FIELDS if field.kind is FieldKind.TIME]  # which the form has as days in UTC
DAY = len("2026-11-20")
CHECKBOXES = [field.name for field in FIELDS if field.kind is FieldKind.BOOLEAN]
SHOWN_BEFORE = "shown-"  # before a field's name, in the hidden field with its value when the form was opened
BLANK_PAIRS = 3  # for new custom fields, also without JavaScript
MAX_PAIRS = 500
PAIR = re.compile(r"(?:name|value)-([0-9]{1,3})")


def form_of(contact: Any) -> Form:
    form = Form({name: value for name, value in snapshot(contact, FIELD_NAMES).items() if value not in (None, False)})
    form.values |= {name: form.values[name][:DAY] for name in DAYS if name in form.values}
    for number, (name, value) in enumerate(contact.custom_fields.items()):
        form.values |= {f"name-{number}": name, f"value-{number}": as_text(value)}
    form.values |= {f"{SHOWN_BEFORE}{name}": value for name, value in form.values.items()}
    form.values |= {f"{SHOWN_BEFORE}{name}": "1" for name in CHECKBOXES if name in form.values}
    return form


class Pair(NamedTuple):
    """A custom field in the form."""

    number: int
    name: str = ""
    value: str = ""
    shown_name: str = ""  # when the form was opened
    shown: str = ""

    @property
    def is_changed(self) -> bool:
        return (self.name, self.value) != (self.shown_name, self.shown)


def pairs_of(form: Form, fields: list[CustomField]) -> list[tuple[Pair, CustomField | None]]:
    """The custom fields of a form: those that it has, the organization's others, and blank ones."""
    by_key = {field.name_key: field for field in fields}
    sent = [_with_day(pair, by_key.pop(search_form(pair.name), None)) for pair in sent_pairs(form)]
    next_number = max((pair.number for pair, _ in sent), default=-1) + 1
    others = [*((field.name, field) for field in by_key.values()), *[("", None)] * BLANK_PAIRS]
    unfilled = [
        (Pair(number, name, shown_name=name), field) for number, (name, field) in enumerate(others, next_number)
    ]
    return [*sent, *unfilled][:MAX_PAIRS]


def _with_day(pair: Pair, field: CustomField | None) -> tuple[Pair, CustomField | None]:
    """The pair with days as date inputs take them, also in `shown`, so that an untouched day is no change."""
    if field is not None and field.kind == CustomFieldKind.DATE:
        value, shown = (whole_day_of(text) or text for text in (pair.value, pair.shown))
        pair = pair._replace(value=value, shown=shown)
    return pair, field


def changed_values(form: Form, known: Mapping[str, Any] | None = None) -> Form:
    """The values to save: of a contact that is there only changed ones, because others may have changed the rest."""
    values = {name: form.values.get(name) for name in FIELD_NAMES if name not in CHECKBOXES}
    if known is not None and f"{SHOWN_BEFORE}email" in form.values:
        values = {name: value for name, value in values.items() if value != form.values.get(f"{SHOWN_BEFORE}{name}")}
        custom = _with_changes(form, known)
    else:
        custom = {pair.name: pair.value for pair in sent_pairs(form) if pair.value}
    if known is None or custom != known:
        values["custom_fields"] = custom
    checked = {name: name in form.values for name in CHECKBOXES}
    values |= {name: now for name, now in checked.items() if now != (f"{SHOWN_BEFORE}{name}" in form.values)}
    if form.values.get("status"):
        values["status"] = form.values["status"]
    return Form(values, id=form.id)


def _with_changes(form: Form, known: Mapping[str, Any]) -> dict[str, Any]:
    """The custom fields with the changes that the form makes; an empty value removes one."""
    custom = dict(known)
    for pair in sent_pairs(form):
        if pair.is_changed:
            custom.pop(pair.shown_name, None)
            custom |= {pair.name: pair.value} if pair.value else {}
    return custom


def sent_pairs(form: Form) -> list[Pair]:
    numbers = sorted({int(match[1]) for name in form.values if (match := PAIR.fullmatch(name))})
    parts = ("name", "value", f"{SHOWN_BEFORE}name", f"{SHOWN_BEFORE}value")
    return [
        Pair(number, *(str(form.values.get(f"{part}-{number}", "")).strip() for part in parts))
        for number in numbers
        if number < MAX_PAIRS
    ]
