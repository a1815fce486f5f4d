"""Filters of dynamic segments: trees of conditions on contacts, in SQL for both databases.

`contacts.filter_values` has what is compared: texts in their search form by the name of their field, and beside a text
that is a number or begins with a date that number (#name) or date (@name).
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import db
from webapp.db.dialects import Values
from webapp.models.contact import STANDARD_FIELDS, Contact, search_form

CUSTOM = "custom_fields."
NUMBER, DATE = "#", "@"  # before the names of numbers and dates
NUMERIC = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9})?")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
UNQUOTABLE = str.maketrans('"\\', "'/")  # SQLite's paths into JSON have no escapes


@dataclass(frozen=True, slots=True)
class Condition:
    field: str
    op: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Group:
    op: Literal["and", "or", "not"]
    members: tuple["Filter", ...]


Filter = Condition | Group


def filter_values(contact: Contact) -> dict[str, Any]:
    """The values that filters compare; an empty one is left out, as a missing one is."""
    return filter_values_of({name: getattr(contact, name) for name in (*STANDARD_FIELDS, "custom_fields")})


def filter_values_of(row: Mapping[str, Any]) -> dict[str, Any]:
    custom = row["custom_fields"]
    named = {name: row[name] for name in STANDARD_FIELDS} | {f"{CUSTOM}{name}": custom[name] for name in sorted(custom)}
    texts = {value_name(name): text for name, value in named.items() if (text := text_of(value))}
    return texts | {f"{sign}{name}": typed for name, text in texts.items() for sign, typed in _typed(text)}


def value_name(field: str) -> str:
    return search_form(field).translate(UNQUOTABLE)


def text_of(value: Any) -> str:
    """The search form of a field's value, in which 42 and "42" are equal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return search_form(str(value))


def _typed(text: str) -> Iterator[tuple[str, Any]]:
    if NUMERIC.fullmatch(text):
        yield NUMBER, float(text)
    if ISO_DATE.match(text):
        with suppress(ValueError):
            yield DATE, date.fromisoformat(text[:10]).isoformat()


class FilterQuery:
    """Conditions in SQL on contacts `c` of one organization; each is true or false, never null."""

    def __init__(self, org_id: UUID, timezone: str, now: datetime, values: Values) -> None:
        self._org_id, self._zone, self._now, self._values = org_id, ZoneInfo(timezone), now, values
        self._sql = db.dialect()

    def matching(self, filter_: Filter) -> str:
        if isinstance(filter_, Condition):
            return self._condition(filter_)
        members = [self.matching(member) for member in filter_.members]
        if filter_.op == "not":
            return f"NOT {members[0]}"
        return f"({f' {filter_.op.upper()} '.join(members)})"

    def _condition(self, condition: Condition) -> str:
        field, op, value = condition.field, condition.op, condition.value
        if op in NEGATED:
            return f"NOT {self._condition(Condition(field, NEGATED[op], value))}"
        if field == "status":
            return f"(c.status = {self._values.name(value)})"
        if field == "segment":
            return self._member_of(UUID(value))
        if field == "campaign":
            return self._got(UUID(value))
        if field in INSTANTS:
            return self._instant(field, op, value)
        return self._value(value_name(field), op, value)

    def _member_of(self, segment_id: UUID) -> str:
        return f"""EXISTS (SELECT 1 FROM segment_contacts s WHERE s.segment_id = {self._values.name(segment_id)}
            AND s.contact_id = c.id AND s.org_id = {self._values.name(self._org_id)})"""

    def _got(self, campaign_id: UUID) -> str:
        """In the ledger of the campaign, and not with all of its mail failed."""
        campaign, org = self._values.name(campaign_id), self._values.name(self._org_id)
        rows = f"""mail_logs WHERE campaign_run_id IN (
            SELECT r.id FROM campaign_runs r WHERE r.campaign_id = {campaign} AND r.org_id = {org})"""
        failed = f"""SELECT m.contact_id FROM (SELECT contact_id FROM {rows} AND status = 'failed') m
            WHERE m.contact_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM {rows} AND contact_id = m.contact_id AND status <> 'failed')"""
        return f"""(EXISTS (SELECT 1 FROM campaign_contacts k WHERE k.campaign_id = {campaign}
            AND k.contact_id = c.id AND k.org_id = {org}) AND c.id NOT IN ({failed}))"""

    def _instant(self, column: str, op: str, value: Any) -> str:
        if op == "is_set":
            return f"(c.{column} IS NOT NULL)"
        if op == "in_last_days":
            return self._after(column, self._now - timedelta(days=value))
        if len(value) > len("2026-11-26"):
            instant = self._values.name(datetime.fromisoformat(value))
            return f"COALESCE(c.{column} {'<' if op == 'before' else '>'} {instant}, false)"
        day = date.fromisoformat(value)
        if op == "before":
            return f"COALESCE(c.{column} < {self._values.name(self._midnight(day))}, false)"
        next_day = self._midnight(day + timedelta(days=1))
        if op == "after":
            return self._after(column, next_day)
        return f"({self._after(column, self._midnight(day))} AND NOT {self._after(column, next_day)})"

    def _after(self, column: str, instant: datetime) -> str:
        return f"COALESCE(c.{column} >= {self._values.name(instant)}, false)"

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self._zone).astimezone(UTC)

    def _value(self, name: str, op: str, value: Any) -> str:
        if op == "is":
            return self._sql.has_member("c.filter_values", name, text_of(value), self._values)
        sign, operator = COMPARED.get(op, ("", ""))
        found = self._sql.member_named("c.filter_values", f"{sign}{name}", self._values)
        if op == "is_set":
            return f"({found} IS NOT NULL)"
        if sign == NUMBER:
            return f"COALESCE(CAST({found} AS FLOAT) {operator} {self._values.name(float(value))}, false)"
        if sign == DATE:
            return f"COALESCE({found} {operator} {self._values.name(value)}, false)"
        part = f"CAST({self._values.name(text_of(value))} AS TEXT)"
        return f"COALESCE({self._part(op, found, part)}, false)"

    def _part(self, op: str, text: str, part: str) -> str:
        if op == "contains":
            return self._sql.contains(text, part)
        if op == "starts_with":
            return f"substr({text}, 1, length({part})) = {part}"
        return f"length({text}) >= length({part}) AND substr({text}, length({text}) - length({part}) + 1) = {part}"


INSTANTS = ("created_at", "unsubscribed_at", "bounced_at")
NEGATED: Mapping[str, str] = {
    "is_not": "is",
    "not_contains": "contains",
    "is_not_set": "is_set",
    "not_in": "in",
    "not_got": "got",
}
# What an operator compares of a value, and how.
COMPARED: Mapping[str, tuple[str, str]] = {
    "greater_than": (NUMBER, ">"),
    "less_than": (NUMBER, "<"),
    "before": (DATE, "<"),
    "after": (DATE, ">"),
    "on": (DATE, "="),
}
