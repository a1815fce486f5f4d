"""The form that assigns meanings to the columns of an import."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from webapp.contact_fields import FieldKind
from webapp.domain.contacts.columns import LEFT_TOPICS, TOPICS, column_of, guess_columns
from webapp.domain.contacts.consent_columns import CUSTOM
from webapp.domain.contacts.custom_fields import kind_of_cells
from webapp.domain.imports.imports import mapping_of
from webapp.http.forms import Form
from webapp.languages.spelling import search_form
from webapp.models import ContactImport, CustomField
from webapp.models.contact import INPUT_FIELDS, CustomFieldKind
from webapp.pages.contacts.fields import KINDS

ROWS_SHOWN = 4
MOST_OPTIONS = 5_000  # of custom fields, in all columns together
MEANINGS = [
    ("", "Don't import"),
    *((field.name, field.label) for field in INPUT_FIELDS if field.kind not in (FieldKind.CUSTOM, FieldKind.STATUS)),
    ("status", "Subscription status"),
    ("unsubscribed", "Unsubscribed"),
]
TOPIC_MEANINGS = [(TOPICS, "Topics"), (LEFT_TOPICS, "Topics left")]


class ColumnLine(NamedTuple):
    number: int
    heading: str
    cells: list[str]  # of the rows shown
    meaning: str
    name: str  # of the custom field
    kind: str  # of a new custom field, as chosen or else as its cells suggest


def offered_fields(row: ContactImport, fields: Sequence[CustomField]) -> list[tuple[str, str]]:
    """The custom fields to choose from for each column, with names and types; others are chosen by name."""
    most = MOST_OPTIONS // max(1, len(row.header))
    return [(f"{CUSTOM}{field.name}", _in_words(field)) for field in fields[:most]]


def _in_words(field: CustomField) -> str:
    name = "" if field.label == field.name else f"{field.name}, "
    return f"{field.label} ({name}{KINDS[CustomFieldKind(field.kind)].lower()})"


def form_and_lines(
    row: ContactImport, form: Form | None, sample: list[list[str]], fields: Sequence[CustomField]
) -> tuple[Form, list[ColumnLine]]:
    """The form, prefilled unless sent, and its lines; takes a second for hundreds of columns."""
    form = form or _form_of(row, sample, fields)
    rows = _rows_to_show(sample, len(row.header))
    names = guess_columns([f"{CUSTOM}{heading}" if heading else "" for heading in row.header])
    lines = [
        ColumnLine(
            number,
            heading,
            [cells[number].strip() if number < len(cells) else "" for cells in rows],
            form.values.get(f"column-{number}", ""),
            form.values.get(f"name-{number}") or names.get(number, "").removeprefix(CUSTOM),
            form.values.get(f"kind-{number}") or kind_of_cells(column_of(sample, number)),
        )
        for number, heading in enumerate(row.header)
    ]
    return form, lines


def _rows_to_show(sample: list[list[str]], columns: int) -> list[list[str]]:
    """Rows that together have a value in as many columns as possible, in the order of the file."""
    filled = [{number for number, cell in enumerate(cells[:columns]) if cell.strip()} for cells in sample]
    chosen: list[int] = []
    for _ in range(min(ROWS_SHOWN, len(sample))):
        covered = {number for index in chosen for number in filled[index]}
        others = [index for index in range(len(sample)) if index not in chosen]
        chosen.append(max(others, key=lambda index: len(filled[index] - covered)))
    return [sample[index] for index in sorted(chosen)]


def _form_of(row: ContactImport, sample: list[list[str]], fields: Sequence[CustomField]) -> Form:
    mapping = mapping_of(row)
    if not mapping:
        mapping = guess_columns(row.header, sample, slugs=True)
        labelled = {search_form(field.label): f"{CUSTOM}{field.name}" for field in fields}
        for number, field in list(mapping.items()):
            named = labelled.get(search_form(row.header[number]))
            if field.startswith(CUSTOM) and named and named not in mapping.values():
                mapping[number] = named
    offered = {search_form(name): name for name, _ in offered_fields(row, fields)}
    form = Form(
        {
            "known": "change" if row.overwrites else "leave",
            "consent": "left" if row.has_left else "columns",
            "segment_id": str(row.segment_id or ""),
            "new_segment": row.new_segment or "",
        }
    )
    for number, field in mapping.items():
        is_new = field.startswith(CUSTOM) and search_form(field) not in offered
        form.values[f"column-{number}"] = "custom" if is_new else offered.get(search_form(field), field)
        if is_new:
            form.values[f"name-{number}"] = field.removeprefix(CUSTOM)
    form.values |= {f"kind-{number}": kind for number, kind in (row.kinds or {}).items()}
    return form


def choices_of(form: Form, columns: int) -> dict[str, Any]:
    mapping, kinds = {}, {}
    for number in range(columns):
        meaning = form.values.get(f"column-{number}", "")
        if meaning == "custom":
            mapping[number] = CUSTOM + form.values.get(f"name-{number}", "").strip()
            if kind := form.values.get(f"kind-{number}"):
                kinds[number] = kind
        elif meaning:
            mapping[number] = meaning
    choices: dict[str, Any] = {
        "mapping": mapping,
        "kinds": kinds,
        "overwrites": form.values.get("known") != "leave",
        "has_left": form.values.get("consent") == "left",
    }
    return choices | {name: form.values[name] for name in ("segment_id", "new_segment") if form.values.get(name)}
