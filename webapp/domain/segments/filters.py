"""Reads and checks filters of dynamic segments."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import count
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, StrictBool, StrictFloat, StrictInt, TypeAdapter, WithJsonSchema
from pydantic import ValidationError as PydanticError

from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH
from webapp.domain.inputs import Id, Instant
from webapp.errors import InvalidValue, NotFound, ValidationError
from webapp.models import Campaign, Organization, Segment, Topic
from webapp.models.contact import ContactStatus
from webapp.models.queries.contacts.segment_filter import (
    CUSTOM,
    INSTANTS,
    MAX_YEAR,
    MIN_YEAR,
    YEARLY,
    Filter,
    references_of,
    text_of,
)
from webapp.models.segment import SegmentKind

MAX_DEPTH = 6
MAX_CONDITIONS = 50
MAX_TEXT = 1_000  # characters
MAX_DAYS = 36_500
MAX_NUMBER = 10**15

TEXT = ("is", "is_not", "contains", "not_contains", "starts_with", "ends_with")
PRESENCE = ("is_set", "is_not_set")
MONTHS = ("this_month", "last_month")
ANNIVERSARIES = tuple(YEARLY)
UNARY = (*PRESENCE, *MONTHS, *ANNIVERSARIES)
DAYS = ("in_last_days", "not_in_last_days")
NUMBERS = ("greater_than", "less_than")
DATES = ("before", "after", "on")
RELATIVE = (*DAYS, *MONTHS)
INSTANT = (*DATES, *RELATIVE, *PRESENCE)
BY_KIND: Mapping[FieldKind, tuple[str, ...]] = {
    FieldKind.EMAIL: (*TEXT, *PRESENCE),
    FieldKind.TEXT: (*TEXT, *PRESENCE),
    FieldKind.CUSTOM: (*TEXT, *PRESENCE, *NUMBERS, *DATES, *RELATIVE, *ANNIVERSARIES),
    FieldKind.STATUS: ("is", "is_not"),
    FieldKind.BOOLEAN: ("is", "is_not"),
    FieldKind.TIME: INSTANT,
    FieldKind.LANGUAGE: (*TEXT, *PRESENCE),
}
OPERATORS: Mapping[str, tuple[str, ...]] = {
    **{CUSTOM if field.kind is FieldKind.CUSTOM else field.name: BY_KIND[field.kind] for field in CONTACT_FIELDS},
    "created_at": INSTANT,
    "segment": ("in", "not_in"),
    "topic": ("opted_in", "opted_out"),
    "campaign": ("got", "not_got", "opened", "not_opened", "clicked", "not_clicked"),
}
BOOLEANS = tuple(field.name for field in CONTACT_FIELDS if field.kind is FieldKind.BOOLEAN)
Number = Annotated[StrictInt | StrictFloat, Field(gt=-MAX_NUMBER, lt=MAX_NUMBER)]
# By field or operator, the type of the value and the words for other values; the rest takes texts or is a date.
VALUES: Mapping[str, tuple[TypeAdapter[Any], str]] = {
    "status": (TypeAdapter(Annotated[ContactStatus, AfterValidator(str)]), "must be subscribed or unsubscribed"),
    **dict.fromkeys(BOOLEANS, (TypeAdapter(StrictBool), "must be true or false")),
    **dict.fromkeys(UNARY, (TypeAdapter(None), "must not be given: the operator compares nothing")),
    **dict.fromkeys(NUMBERS, (TypeAdapter(Number), "must be a number like 4.50, of 15 digits at most")),
    **dict.fromkeys(
        DAYS,
        (TypeAdapter(Annotated[StrictInt, Field(ge=1, le=MAX_DAYS)]), f"must be an integer from 1 to {MAX_DAYS:,}"),
    ),
    **dict.fromkeys(
        ("segment", "campaign", "topic"), (TypeAdapter(Annotated[Id, AfterValidator(str)]), "must be a UUID")
    ),
}
INSTANT_VALUE = TypeAdapter[Any](Instant), "must be a date like 2026-11-20, or a time like 2026-11-20T09:30:00Z"


def read_filter(value: Any) -> Filter:
    """Raises ValueError with a sentence."""
    return _read(value, (), 1, count(1))


def _read(value: Any, path: tuple[str, ...], depth: int, numbers: Iterator[int]) -> Filter:
    if depth > MAX_DEPTH:
        raise ValueError(f"is nested deeper than {MAX_DEPTH} levels")
    if not isinstance(value, dict):
        raise _fault(path, "must be an object")
    keys = set(value)
    if len(keys) == 1 and (op := next(iter(keys))) in ("and", "or", "not"):
        members = [value[op]] if op == "not" else value[op]
        if not isinstance(members, list) or not members:
            raise _fault((*path, op), "must be an array of one condition at least")
        steps = [(op,)] if op == "not" else [(op, str(number)) for number in range(len(members))]
        read = [_read(member, (*path, *step), depth + 1, numbers) for member, step in zip(members, steps, strict=True)]
        return {op: read[0] if op == "not" else read}
    if not {"field", "op"} <= keys <= {"field", "op", "value"}:
        raise _fault(path, "must have one of and, or, not, or field with op and value")
    if next(numbers) > MAX_CONDITIONS:
        raise ValueError(f"has more than {MAX_CONDITIONS} conditions")
    return _condition(value, path)


def _condition(condition: Mapping[str, Any], path: tuple[str, ...]) -> Filter:
    field, op, value = condition["field"], condition["op"], condition.get("value")
    operators = operators_of(field)
    if operators is None:
        fields = ", ".join(name for name in OPERATORS if name != CUSTOM)
        raise _fault((*path, "field"), f"must be one of {fields}, or {CUSTOM} with a name")
    if op not in operators:
        raise _fault((*path, "op"), f"must be one of {', '.join(operators)}")
    try:
        value = _value(field, op, value)
    except ValueError as error:
        raise _fault((*path, "value"), str(error)) from None
    return {"field": field, "op": op} | ({} if value is None else {"value": value})


def _fault(path: tuple[str, ...], text: str) -> InvalidValue:
    where = f"at {'.'.join(path)} " if path else ""
    return InvalidValue(f"{where}{text}", "filter", path=path, reason=text)


def operators_of(field: Any) -> tuple[str, ...] | None:
    if not isinstance(field, str):
        return None
    if field.startswith(CUSTOM):
        is_name = 0 < len(field.removeprefix(CUSTOM).strip()) <= FIELD_NAME_LENGTH
        return OPERATORS[CUSTOM] if is_name else None
    return OPERATORS.get(field)


def _value(field: str, op: str, value: Any) -> Any:
    """Raises ValueError with a sentence."""
    if op in DATES:
        day = _date(value, takes_time=field in INSTANTS and op != "on")
        # Custom fields may use 9999-12-31 for never.
        if field in INSTANTS and not MIN_YEAR <= int(day[:4]) <= MAX_YEAR:
            raise ValueError(f"must have a year from {MIN_YEAR} to {MAX_YEAR}")
        return day
    if (known := VALUES.get(field) or VALUES.get(op)) is not None:
        return _valid(*known, value)
    if not isinstance(value, str | int | float) or len(str(value)) > MAX_TEXT or not text_of(value):
        raise ValueError(f"must be a text of 1 to {MAX_TEXT:,} characters")
    return value


def _date(value: Any, *, takes_time: bool) -> str:
    try:
        return date.fromisoformat(value if isinstance(value, str) and "-" in value else "").isoformat()
    except ValueError:
        if not takes_time:
            raise ValueError("must be a date like 2026-11-20") from None
    return str(_valid(*INSTANT_VALUE, value).isoformat())


def _valid(kind: TypeAdapter[Any], fault: str, value: Any) -> Any:
    try:
        return kind.validate_python(value)
    except PydanticError:
        raise ValueError(fault) from None


async def check_references(org: Organization, filter_: Filter) -> None:
    """Raises NotFound for an unknown segment, campaign or topic, ValidationError for a dynamic segment."""
    named = list(references_of(filter_))
    segments = {UUID(value) for field, value in named if field == "segment"}
    segments_named = await Segment.of(org).filter(id__in=list(segments))
    if len(segments_named) < len(segments):
        raise NotFound("filter names no segment of this organization")
    if any(segment.kind == SegmentKind.DYNAMIC for segment in segments_named):
        raise ValidationError.at("filter", "names a dynamic segment: repeat the conditions of its filter")
    campaigns = {UUID(value) for field, value in named if field == "campaign"}
    if await Campaign.of(org).filter(id__in=list(campaigns)).count() < len(campaigns):
        raise NotFound("filter names no campaign of this organization")
    topics = {UUID(value) for field, value in named if field == "topic"}
    if await Topic.of(org).filter(id__in=list(topics)).count() < len(topics):
        raise NotFound("filter names no topic of this organization")


FILTER = (
    "Of a dynamic segment: `{ field, op, value }`, or `{ and: [...] }`, `{ or: [...] }`, `{ not: ... }` of such, "
    f"{MAX_DEPTH} levels and {MAX_CONDITIONS} conditions at most. Fields are "
    f"{', '.join(f'`{name}`' for name in OPERATORS if name != CUSTOM)} and `{CUSTOM}` with a name, without case. "
    f"Dates, also in custom fields, take {', '.join(f'`{op}`' for op in DAYS)} with a number of days, and "
    f"{', '.join(f'`{op}`' for op in MONTHS)} without a value, in the organization's time zone; contacts without "
    "a date match `not_in_last_days`. Dates in custom fields also take "
    f"{' and '.join(f'`{op}`' for op in ANNIVERSARIES)} for the same month or day of any year; 29 February has its "
    "day on 28 February in years without it. Dates in custom fields look like `2026-11-20` or `20.11.2026`."
)
CONDITIONS = {"type": "array", "minItems": 1, "items": {"type": "object"}}
NewFilter = Annotated[
    dict[str, Any],
    AfterValidator(read_filter),
    WithJsonSchema(
        {
            "type": "object",
            "oneOf": [
                {"required": ["and"], "properties": {"and": CONDITIONS}, "additionalProperties": False},
                {"required": ["or"], "properties": {"or": CONDITIONS}, "additionalProperties": False},
                {"required": ["not"], "properties": {"not": {"type": "object"}}, "additionalProperties": False},
                {
                    "required": ["field", "op"],
                    "properties": {
                        "field": {"type": "string"},
                        "op": {"enum": sorted({op for operators in OPERATORS.values() for op in operators})},
                        "value": {"type": ["string", "number", "boolean"]},
                    },
                    "additionalProperties": False,
                },
            ],
        }
    ),
]
