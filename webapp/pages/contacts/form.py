"""The form of a contact, with its custom fields as pairs of name and value."""

import re
from collections.abc import Mapping
from typing import Any

from webapp.domain.contacts.columns import as_text
from webapp.http.forms import Form

FIELDS = ("email", "first_name", "last_name", "phone")
LABELS = {"email": "The address", "custom_fields": "The custom fields"}
SHOWN = (*FIELDS, "custom_fields", "status")
BLANK_PAIRS = 3  # to add more at once, without JavaScript too
MAX_PAIRS = 500
PAIR = re.compile(r"(?:name|value)-([0-9]{1,3})")


def form_of(contact: Any) -> Form:
    form = Form({name: value for name in FIELDS if (value := getattr(contact, name)) is not None})
    for number, (name, value) in enumerate(contact.custom_fields.items()):
        form.values |= {f"name-{number}": name, f"value-{number}": as_text(value)}
    return form


def pairs_of(form: Form) -> list[tuple[int, str, str]]:
    """The filled pairs, followed by blank ones."""
    numbers = sorted(_numbers(form))
    blank = range(len(numbers), len(numbers) + BLANK_PAIRS)
    filled = [(form.values.get(f"name-{one}", ""), form.values.get(f"value-{one}", "")) for one in numbers]
    return [*((index, *pair) for index, pair in enumerate(filled)), *((index, "", "") for index in blank)]


def given_contact(form: Form, known: Mapping[str, Any] | None = None) -> Form:
    """The form as the domain's input: empty fields are None, and an unchanged value keeps its type."""
    given = {name: form.values.get(name) for name in FIELDS} | {"custom_fields": _custom_fields(form, known or {})}
    if form.values.get("status"):
        given["status"] = form.values["status"]
    return Form(given, id=form.id)


def _custom_fields(form: Form, known: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number in sorted(_numbers(form)):
        name, value = form.values.get(f"name-{number}", "").strip(), form.values.get(f"value-{number}", "").strip()
        if not value and not (name in known and as_text(known[name]) == ""):
            continue  # emptying a value removes its field
        found[name] = known[name] if name in known and as_text(known[name]).strip() == value else value
    return found


def _numbers(form: Form) -> set[int]:
    """The numbers of the pairs, also of those with a value only, which the domain refuses."""
    found = {int(pair[1]) for name in form.values if (pair := PAIR.fullmatch(name))}
    return {number for number in found if number < MAX_PAIRS}
