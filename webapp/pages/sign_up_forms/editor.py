"""The editor of a sign-up form: what people are asked for, row by row, and the rest of its settings."""

import re
from typing import Any

from quart import g

from webapp.domain.contacts.custom_fields import list_fields
from webapp.domain.forms.fields import kinds_of
from webapp.domain.forms.forms import accounts_of
from webapp.domain.forms.inputs import MOST_FIELDS, STANDARD
from webapp.domain.roles import Role
from webapp.domain.segments import segments
from webapp.domain.topics.topics import all_topics
from webapp.http.forms import AnInput, Form, checked_ids
from webapp.languages import LANGUAGES
from webapp.models import SignUpForm
from webapp.models.contact import name_key
from webapp.models.sign_up_form import FieldType

PART = re.compile(r"fields\.(\d{1,2})\.(key|label|kind|required|options)")
ACTION = re.compile(r"(add|up|down|remove)(?:-(\d{1,2}))?")
TEXTS = ("consent_text", "account_id", "subject", "body", "redirect_after_submit", "redirect_after_confirm", "language")
SWITCHES = ("is_open", "double_opt_in")
LISTS = ("segment_ids", "topic_ids")
NEW_FIELD = "new"  # of the choice of a field to add
PAGE, MAIL = "page", "mail"  # what the preview shows
VIEWS = {PAGE: "Page", MAIL: "Confirmation email"}
KINDS = {FieldType.TEXT: "Text", FieldType.CHOICE: "Choice", FieldType.CHECKBOX: "Checkbox", FieldType.DATE: "Date"}
LABELS = {
    "name": "The name",
    "consent_text": "The text",
    "subject": "The subject",
    "body": "The email",
    "redirect_after_submit": "The page",
    "redirect_after_confirm": "The page",
}
SHOWN = ("name", *TEXTS, *SWITCHES, *LISTS, "allowed_origins", "confirm_by", "fields")

Row = dict[str, Any]


async def sent_form() -> Form:
    """The form as sent, with its rows and lists."""
    form = await Form.sent()
    form.values |= {name: [str(row_id) for row_id in await checked_ids(name)] for name in LISTS}
    form.values["allowed_origins"] = form.values.get("allowed_origins", "").split()
    _set_rows(form, _rows_of(form.values))
    return form


def new_form(*, is_open: bool) -> Form:
    form = Form({"double_opt_in": "1", **{name: [] for name in (*LISTS, "allowed_origins")}})
    form.values |= {"is_open": "1"} if is_open else {}
    _set_rows(form, [])
    return form


def saved_form(form: SignUpForm) -> Form:
    names = ("name", "confirm_by", *TEXTS, *SWITCHES, *LISTS, "allowed_origins")
    shown = Form({name: value for name in names if (value := getattr(form, name)) is not None})
    _set_rows(shown, [field | {"options": "\n".join(field["options"])} for field in form.form_fields])
    return shown


def change_rows(form: Form, action: str) -> str | None:
    """Adds, moves or removes a field, as a button asks; returns the name of the input to go to."""
    rows, asked = form.values["rows"], ACTION.fullmatch(action)
    if asked is None:
        return None
    focus = None
    number = int(asked[2] or 0)
    if asked[1] == "add" and len(rows) < MOST_FIELDS:
        key = form.values.get("add", NEW_FIELD)
        rows.append({"key": "" if key == NEW_FIELD else key})
        focus = f"fields.{len(rows) - 1}.{'key' if key == NEW_FIELD else 'label'}"
    elif number < len(rows) and asked[1] != "add":
        row = rows.pop(number)
        if asked[1] != "remove":
            rows.insert(max(0, number - 1) if asked[1] == "up" else number + 1, row)
    _set_rows(form, rows)
    return focus


def read_form(form: Form, model: type[AnInput]) -> AnInput:
    """The form as `model`; without the confirmation's switch if the person's role can't change it."""
    values: dict[str, Any] = {name: form.values.get(name) for name in TEXTS}
    values |= {name: form.values[name] for name in (*LISTS, "allowed_origins")}
    values |= {name: name in form.values for name in SWITCHES}
    if not g.caller.role.allows(Role.ADMIN):
        del values["double_opt_in"]
    values |= {name: form.values[name] for name in ("name", "confirm_by") if name in form.values}
    values["fields"] = [_field_of(row) for row in form.values["rows"]]
    return Form(values, id=form.id).read(model, "name")


def _field_of(row: Row) -> dict[str, Any]:
    options = [line.strip() for line in row.get("options", "").splitlines() if line.strip()]
    is_choice = row.get("kind") == FieldType.CHOICE
    return {
        "key": row.get("key", ""),
        "label": row.get("label") or None,
        "kind": row.get("kind") or None,
        "required": bool(row.get("required")),
        "options": options if is_choice else [],
    }


def _rows_of(values: dict[str, Any]) -> list[Row]:
    rows: dict[int, Row] = {}
    for name, value in values.items():
        if part := PART.fullmatch(name):
            rows.setdefault(int(part[1]), {})[part[2]] = value
    return [rows[number] for number in sorted(rows)][:MOST_FIELDS]


def _set_rows(form: Form, rows: list[Row]) -> None:
    """Sets the rows, also under the names that their inputs have."""
    kept = {name: value for name, value in form.values.items() if not PART.fullmatch(name)}
    flat = {
        f"fields.{number}.{part}": row.get(part) or ""
        for number, row in enumerate(rows)
        for part in ("key", "label", "kind", "required", "options")
    }
    form.values = kept | {"rows": rows} | flat


def shown(form: Form) -> tuple[str, ...]:
    """The names of the fields on the page."""
    return (*SHOWN, *filter(PART.fullmatch, form.values))


async def choices(form: Form, saved: SignUpForm | None) -> dict[str, Any]:
    """What the editor offers."""
    org, rows = g.caller.org, form.values["rows"]
    custom = {field.name_key: field for field in await list_fields(org)}
    asked = {name_key(row.get("key") or "") for row in rows}
    others = [(field.name, field.label) for key, field in custom.items() if key not in asked]
    language = form.values.get("language")
    other_language = {language: language} if language else {}
    return {
        "labels": {
            **{field["key"]: field["key"] for field in (saved.form_fields if saved else ())},
            **{field.name: field.label for field in custom.values()},
            **STANDARD,
        },
        "row_kinds": [kinds_of(key := row.get("key") or "", custom.get(name_key(key))) for row in rows],
        "kinds": KINDS,
        "views": VIEWS,
        "addable": [
            *((key, label) for key, label in STANDARD.items() if key not in asked and key != "email"),
            *others,
            (NEW_FIELD, "Another custom field"),
        ],
        "is_full": len(rows) >= MOST_FIELDS,
        "segments": await segments.static_segments(org, form.values["segment_ids"]),
        "topics": await all_topics(org),
        "accounts": [(account.id, account.name) for account in await accounts_of(org)],
        "languages": {**other_language, **LANGUAGES}.items(),
    }
