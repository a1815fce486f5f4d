"""The form that assigns meanings to the columns of an import."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from webapp.contact_fields import FieldKind
from webapp.domain.contacts.columns import column_of, guess_columns
from webapp.domain.contacts.consent_columns import CUSTOM
from webapp.domain.imports.imports import mapping_of
from webapp.http.forms import Form
from webapp.models import ContactImport
from webapp.models.contact import INPUT_FIELDS, search_form

CELLS_SHOWN = 4
MEANINGS = [
    ("", "Don't import"),
    *((field.name, field.label) for field in INPUT_FIELDS if field.kind not in (FieldKind.CUSTOM, FieldKind.STATUS)),
    ("status", "Subscription status"),
    ("unsubscribed", "Unsubscribed"),
    ("custom", "Custom field"),
]


class ColumnLine(NamedTuple):
    number: int
    heading: str
    cells: list[str]  # the first ones
    meaning: str
    name: str  # of the custom field


def form_and_lines(
    row: ContactImport, form: Form | None, sample: list[list[str]], labelled: Mapping[str, str]
) -> tuple[Form, list[ColumnLine]]:
    """The form, prefilled unless sent, and its lines; takes a second for hundreds of columns.

    `labelled` has the names of custom fields by the search form of their labels.
    """
    form = form or _form_of(row, sample, labelled)
    names = guess_columns([f"{CUSTOM}{heading}" if heading else "" for heading in row.header])
    lines = [
        ColumnLine(
            number,
            heading,
            column_of(sample, number)[:CELLS_SHOWN],
            form.values.get(f"column-{number}", ""),
            form.values.get(f"name-{number}") or names.get(number, "").removeprefix(CUSTOM),
        )
        for number, heading in enumerate(row.header)
    ]
    return form, lines


def _form_of(row: ContactImport, sample: list[list[str]], labelled: Mapping[str, str]) -> Form:
    mapping = mapping_of(row)
    if not mapping:
        mapping = guess_columns(row.header, sample, slugs=True)
        for number, field in list(mapping.items()):
            named = CUSTOM + labelled.get(search_form(row.header[number]), "")
            if field.startswith(CUSTOM) and named != CUSTOM and named not in mapping.values():
                mapping[number] = named
    form = Form(
        {
            "known": "change" if row.overwrites else "leave",
            "consent": "left" if row.has_left else "columns",
            "segment_id": str(row.segment_id or ""),
            "new_segment": row.new_segment or "",
        }
    )
    for number, field in mapping.items():
        is_custom = field.startswith(CUSTOM)
        form.values[f"column-{number}"] = "custom" if is_custom else field
        if is_custom:
            form.values[f"name-{number}"] = field.removeprefix(CUSTOM)
    return form


def choices_of(form: Form, columns: int) -> dict[str, Any]:
    mapping = {}
    for number in range(columns):
        meaning = form.values.get(f"column-{number}", "")
        if meaning == "custom":
            mapping[number] = CUSTOM + form.values.get(f"name-{number}", "").strip()
        elif meaning:
            mapping[number] = meaning
    choices: dict[str, Any] = {
        "mapping": mapping,
        "overwrites": form.values.get("known") != "leave",
        "has_left": form.values.get("consent") == "left",
    }
    return choices | {name: form.values[name] for name in ("segment_id", "new_segment") if form.values.get(name)}
