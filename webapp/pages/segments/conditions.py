"""The conditions of filters in words, and as the rows of a form, numbered from 0: field, operator, value."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from quart import g

from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.campaigns.campaigns import list_campaigns
from webapp.domain.contacts.custom_fields import list_fields, unclear_words
from webapp.domain.csv_writer import as_text
from webapp.domain.pagination import Page
from webapp.domain.segments import segments
from webapp.domain.segments.filters import (
    ANNIVERSARIES,
    BOOLEANS,
    BY_KIND,
    DATES,
    DAYS,
    INSTANT,
    NUMBERS,
    OPERATORS,
    PRESENCE,
    UNARY,
    operators_of,
    read_filter,
)
from webapp.domain.topics.topics import all_topics
from webapp.errors import ApiError, ValidationError
from webapp.http.forms import Form
from webapp.models import CustomField
from webapp.models.contact import CustomFieldKind
from webapp.models.queries.contacts.segment_filter import CUSTOM, INSTANTS, TABLES, Filter, value_name
from webapp.models.queries.contacts.typed_text import DOTTED_DATE, day_of, is_unclear, number_of
from webapp.pages.shared.filters import counted, sentence

OFFERED = Page(size=500)
ROW = re.compile(r"field-(0|[1-9][0-9]?)")
PARTS = ("field", "op", "value", "days")  # of a row; operators take a value, a number of days, or nothing
FIELD_WORDS: Mapping[str, str] = {
    **{field.name: field.label for field in CONTACT_FIELDS},
    "email": "Email address",
    "created_at": "Date added",
    "segment": "Segment",
    "topic": "Topic",
    "campaign": "Campaign",
}
OPERATOR_WORDS: Mapping[str, str] = {
    "is": "is",
    "is_not": "is not",
    "contains": "contains",
    "not_contains": "does not contain",
    "starts_with": "starts with",
    "ends_with": "ends with",
    "is_set": "has a value",
    "is_not_set": "has no value",
    "greater_than": "is greater than",
    "less_than": "is less than",
    "before": "is before",
    "after": "is after",
    "on": "is on",
    "in_last_days": "is in the last (days)",
    "not_in_last_days": "is not in the last (days)",
    "this_month": "is this month",
    "last_month": "is last month",
    "anniversary_this_month": "is this month, any year",
    "anniversary_today": "is today, any year",
    "in": "is in",
    "not_in": "is not in",
    "opted_in": "is opted in to",
    "opted_out": "is opted out of",
    "got": "received",
    "not_got": "did not receive",
    "opened": "opened",
    "not_opened": "did not open",
    "clicked": "clicked",
    "not_clicked": "did not click",
}

YES_NO = [("true", "Yes"), ("false", "No")]
# The API takes all operators for custom fields of any type.
BY_CUSTOM_KIND: Mapping[str, tuple[str, ...]] = {
    CustomFieldKind.TEXT: BY_KIND[FieldKind.TEXT],
    CustomFieldKind.NUMBER: (*NUMBERS, "is", "is_not", *PRESENCE),
    CustomFieldKind.DATE: (*INSTANT, *ANNIVERSARIES),
    CustomFieldKind.BOOLEAN: ("is", "is_not", *PRESENCE),
}


async def condition_rows(form: Form) -> dict[str, Any]:
    """The rows for the template, with the fields and values to choose from."""
    custom = {f"{CUSTOM}{field.name}": field for field in await list_fields(g.caller.org)}
    rows = [_row(form, number, custom) for number in _numbers(form)]
    choices = {
        **await _choices(),
        **{name: YES_NO for name, field in custom.items() if field.kind == CustomFieldKind.BOOLEAN},
    }
    fields = [(name, FIELD_WORDS[name]) for name in OPERATORS if name != CUSTOM]
    return {
        "rows": rows,
        "fields": [*fields, *((name, field.label) for name, field in custom.items())],
        "choices": choices,
    }


def preselected(rows: Mapping[str, Any]) -> dict[str, str]:
    """What the lists of new rows show before anybody chooses."""
    values: dict[str, str] = {}
    for row in rows["rows"]:
        if row["is_new"] and (choices := rows["choices"].get(row["field"])):
            values |= {f"op-{row['number']}": row["operators"][0][0], f"value-{row['number']}": choices[0][0]}
    return values


def show_conditions(form: Form, tree: Mapping[str, Any]) -> bool:
    """Fills the rows from a filter. False for a nested filter."""
    op, members = next(((op, tree[op]) for op in ("and", "or") if op in tree), ("and", [tree]))
    form.values["match"] = op
    if not all("field" in member for member in members):
        return False
    for number, member in enumerate(members):
        form.values |= {f"{name}-{number}": _shown(value, member["op"]) for name, value in member.items()}
    return True


def _shown(value: Any, op: str) -> str:
    """The value as text that the form accepts again: 1.255 becomes 1.2550."""
    text = as_text(value)
    return f"{text}0" if op in NUMBERS and is_unclear(text) else text


def condition_query(form: Form) -> dict[str, str]:
    """The rows as URL parameters, without new rows."""
    numbers = [number for number in _numbers(form) if f"op-{number}" in form.values]
    names = [f"{name}-{number}" for number in numbers for name in PARTS]
    match = {"match": "or"} if len(numbers) > 1 and form.values.get("match") == "or" else {}
    return match | {name: form.values[name] for name in names if name in form.values}


def read_conditions(form: Form, *, ignores_new: bool = False) -> Filter | None:
    """None without conditions; `ignores_new` leaves new rows out. Raises ValidationError as the API does."""
    numbers = [number for number in _numbers(form) if not ignores_new or f"op-{number}" in form.values]
    if not numbers:
        return None
    try:
        return read_filter(_tree(form, numbers))
    except ValueError as error:
        raise ValidationError.at("filter", error) from None


def _numbers(form: Form) -> list[int]:
    return sorted(int(row[1]) for name in form.values if (row := ROW.fullmatch(name)))


def change_rows(form: Form, asked: str) -> None:
    """Adds or removes a row, and numbers them from 0."""
    rows = [{name: form.values.pop(f"{name}-{number}", None) for name in PARTS} for number in _numbers(form)]
    field = form.values.pop("add", None)
    if asked == "add" and field:
        rows.append({"field": field})
    elif asked == "add":
        form.errors["add"] = "Select a field."
    if asked.startswith("remove-") and asked.removeprefix("remove-").isdecimal():
        with suppress(IndexError, ValueError):  # ValueError for too many digits
            del rows[int(asked.removeprefix("remove-"))]
            form.focus = "add"  # because the pressed button is gone
    for number, row in enumerate(rows):
        form.values |= {f"{name}-{number}": value for name, value in row.items() if value is not None}


def _row(form: Form, number: int, custom: Mapping[str, CustomField]) -> dict[str, Any]:
    field, op, value = (form.values.get(f"{name}-{number}", "") for name in ("field", "op", "value"))
    if op in DAYS:
        value = ""
    custom_field = custom.get(field)
    offered = [*BY_CUSTOM_KIND.get(custom_field.kind if custom_field else "", operators_of(field) or ())]
    offered += [op] if op in OPERATOR_WORDS and op not in offered else []
    operators = [(name, OPERATOR_WORDS[name], _part_of(name)) for name in offered]
    is_date = field in INSTANTS or (custom_field is not None and custom_field.kind == CustomFieldKind.DATE)
    takes_date = is_date and value in ("", day_of(value))
    return {
        "number": number,
        "field": field,
        "label": custom_field.label if custom_field else field_words(field),
        "operators": operators,
        "op": op,
        "part": _part_of(op),
        "value": value,
        "days": _days(form, number),
        "takes_date": takes_date,
        "takes_days": any(part == "days" for _, _, part in operators),
        "is_text": custom_field is not None and custom_field.kind == CustomFieldKind.TEXT,
        "is_new": f"op-{number}" not in form.values,
    }


def _part_of(op: str) -> str:
    """The part of a row that an operator compares with."""
    return "days" if op in DAYS else "none" if op in UNARY else "value"


def _days(form: Form, number: int) -> str:
    """Also as a value, as in links of earlier versions."""
    is_value = form.values.get(f"op-{number}") in DAYS
    return form.values.get(f"days-{number}") or (form.values.get(f"value-{number}", "").strip() if is_value else "")


def tree_of(form: Form) -> dict[str, Any]:
    """Raises ValidationError for a form without conditions."""
    if not (numbers := _numbers(form)):
        raise ValidationError.of("add", "Add at least one condition.")
    return _tree(form, numbers)


def _tree(form: Form, numbers: Iterable[int]) -> dict[str, Any]:
    conditions = [_condition(form, number) for number in numbers]
    return {"or" if form.values.get("match") == "or" else "and": conditions}


def _condition(form: Form, number: int) -> dict[str, Any]:
    op = form.values.get(f"op-{number}", "")
    condition: dict[str, Any] = {"field": form.values[f"field-{number}"], "op": op}
    return condition if op in UNARY else condition | {"value": _typed(condition["field"], op, _text(form, number, op))}


def _text(form: Form, number: int, op: str) -> str:
    return _days(form, number) if op in DAYS else form.values.get(f"value-{number}", "").strip()


def _typed(field: str, op: str, text: str) -> Any:
    if field in BOOLEANS:
        return {"true": True, "false": False}.get(text, text)
    if op in (*NUMBERS, *DAYS) and not is_unclear(text) and (number := number_of(text)) is not None:
        return int(number) if number.is_integer() else number
    if op in DATES and DOTTED_DATE.fullmatch(text):
        return day_of(text) or text
    return text


def refuse_conditions(form: Form, refusal: ApiError) -> None:
    """Shows the faults of a filter at their rows."""
    details = refusal.details if isinstance(refusal, ValidationError) else []
    for fault in details:
        match fault.values.get("path"):
            case ("and" | "or", number, part):
                form.errors[f"value-{number}"] = f"{_fault_words(form, int(number), part, fault.values['reason'])}."


def _fault_words(form: Form, number: int, part: str, reason: str) -> str:
    field, op = (form.values.get(f"{name}-{number}", "") for name in ("field", "op"))
    text = _text(form, number, op)
    if field in TABLES and not text:
        return f"Choose a {field}"
    if part == "value" and op in (*NUMBERS, *DAYS) and is_unclear(text):
        return f"“{text}” {unclear_words(text)}"
    return sentence(reason)


async def _choices() -> Mapping[str, list[tuple[str, str]]]:
    """The values of fields with a fixed list of values."""
    listed = (await segments.list_segments(g.caller.org, OFFERED)).rows
    campaigns = (await list_campaigns(g.caller.org, OFFERED)).rows
    return {
        "status": [("subscribed", "Subscribed"), ("unsubscribed", "Unsubscribed")],
        **dict.fromkeys(BOOLEANS, YES_NO),
        "segment": [(str(segment.id), segment.name) for segment in listed if not segment.is_dynamic],
        "topic": [(str(topic.id), topic.name) for topic in await all_topics(g.caller.org)],
        "campaign": [(str(campaign.id), campaign.title) for campaign in campaigns],
    }


def field_words(field: str, names: Mapping[str, str] | None = None) -> str:
    return FIELD_WORDS.get(field) or (names or {}).get(value_name(field)) or field.removeprefix(CUSTOM)


def in_words(tree: Mapping[str, Any], names: Mapping[str, str], *, is_inner: bool = False) -> str:
    """The filter as a sentence without its full stop; `names`: of segments and campaigns by id, of fields by name."""
    if tree == segments.ALL_MATCH:
        return segments.ALL_CONTACTS
    if "not" in tree:
        return f"not ({in_words(tree['not'], names)})"
    if "field" not in tree:
        ((op, members),) = tree.items()
        text = f" {op} ".join(in_words(member, names, is_inner=True) for member in members)
        return f"({text})" if is_inner and len(members) > 1 else text
    field, op, value = tree["field"], tree["op"], tree.get("value")
    if field in TABLES:
        return f"{OPERATOR_WORDS[op]} {field} “{names.get(str(value), 'deleted')}”"
    if op in DAYS:
        return f"{field_words(field, names)} {OPERATOR_WORDS[op].removesuffix('(days)')}{counted(tree['value'], 'day')}"
    if isinstance(value, bool) or field.startswith(CUSTOM):
        value = {"true": "yes", "false": "no"}.get(as_text(value), value)
    return f"{field_words(field, names)} {OPERATOR_WORDS[op]}" + ("" if value is None else f" “{value}”")
