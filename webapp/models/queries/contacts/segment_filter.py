"""Filters of dynamic segments (trees of conditions on contacts) in SQL.

`contacts.filter_values` has the search form of each field, and if that is a number or begins with a date
(typed_text.py), also the number (#name) or date (@name).
"""

from calendar import isleap, monthrange
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import db
from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.db.dialects import Values
from webapp.languages.spelling import plain_form, search_form
from webapp.models.contact import FILTERED_TEXTS, NAMES, PLAIN_NAMES, Contact
from webapp.models.queries.contacts import campaign_filter
from webapp.models.queries.contacts.campaign_filter import CampaignQuery
from webapp.models.queries.contacts.topic_filter import TopicQuery
from webapp.models.queries.contacts.typed_text import DATE, ISO_DATE, NUMBER, typed_values
from webapp.models.segment import IS_THERE
from webapp.models.topic import IS_THERE as TOPIC_IS_THERE

CUSTOM = "custom_fields."
MIN_YEAR, MAX_YEAR = 1900, 9998
UNQUOTABLE = str.maketrans('"\\', "'/")  # SQLite's JSON paths have no escapes


# A condition (field, op, perhaps value), or one of and, or (a list of filters), and not (one filter).
Filter = dict[str, Any]


def filter_values(contact: Contact) -> dict[str, Any]:
    """The values that filters compare, without empty ones, and names without accents for the search by their start."""
    custom = contact.custom_fields
    named = {name: getattr(contact, name) for name in FILTERED_TEXTS}
    named |= {f"{CUSTOM}{name}": custom[name] for name in sorted(custom)}
    texts = {value_name(name): text for name, value in named.items() if (text := text_of(value))}
    typed = {f"{sign}{name}": number for name, text in texts.items() for sign, number in typed_values(text)}
    names = [texts.get(name, "") for name in NAMES]
    plain = [plain_form(name) for name in names]
    return texts | typed | (dict(zip(PLAIN_NAMES, plain, strict=True)) if plain != names else {})


def value_name(field: str) -> str:
    return search_form(field).translate(UNQUOTABLE)


def text_of(value: Any) -> str:
    """The search form of a value; 42 and "42" are equal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return search_form(str(value))


def members_of(group: Filter) -> tuple[str, list[Filter]]:
    """The operator of a group and its filters."""
    ((op, members),) = group.items()
    return op, [members] if op == "not" else members


def fields_in(filter_: Filter) -> Iterator[str]:
    """The names of the fields that conditions compare."""
    if "field" in filter_:
        yield filter_["field"]
    else:
        for member in members_of(filter_)[1]:
            yield from fields_in(member)


def references_of(filter_: Filter) -> Iterator[tuple[str, str]]:
    """The segments, campaigns and topics that a filter names, as pairs of kind and ID."""
    if "field" not in filter_:
        for member in members_of(filter_)[1]:
            yield from references_of(member)
    elif filter_["field"] in TABLES:
        yield filter_["field"], filter_["value"]


def resolve_days(filter_: Filter, timezone: str, now: datetime) -> Filter:
    """Replaces days of a timezone, and those relative to `now`, by instants: `since` one, or `before` one.

    Relative days of custom fields become days.
    """
    if "field" not in filter_:
        op, members = members_of(filter_)
        resolved = [resolve_days(member, timezone, now) for member in members]
        return {op: resolved[0] if op == "not" else resolved}
    field, op, value = filter_["field"], filter_["op"], filter_.get("value")
    if op in YEARLY or NEGATED.get(op, op) in RELATIVE:
        return resolve_days(_without_relative(filter_, timezone, now), timezone, now)
    if field not in INSTANTS or not isinstance(value, str):
        return filter_
    # Moves days and instants into the years in which all timezones' days are within the calendar.
    day = min(max(date.fromisoformat(value[:10]), date(MIN_YEAR, 1, 1)), date(MAX_YEAR, 12, 31))
    value = f"{day.isoformat()}{value[10:]}"
    if not ISO_DATE.fullmatch(value):
        return {"field": field, "op": op, "value": value}
    begin, end = (
        datetime.combine(first, time.min, ZoneInfo(timezone)).astimezone(UTC).isoformat()
        for first in (day, day + timedelta(days=1))
    )
    since = {"field": field, "op": "since", "value": begin if op == "on" else end}
    before = {"field": field, "op": "before", "value": end if op == "on" else begin}
    if op == "on":
        return {"and": [since, before]}
    return before if op == "before" else since


def _without_relative(filter_: Filter, timezone: str, now: datetime) -> Filter:
    field, op, value = filter_["field"], filter_["op"], filter_.get("value")
    if op in NEGATED:
        return {"not": {**filter_, "op": NEGATED[op]}}
    if op == "in_last_days" and field in INSTANTS:
        return {"field": field, "op": "since", "value": (now - timedelta(days=filter_["value"])).isoformat()}
    today = now.astimezone(ZoneInfo(timezone)).date()
    if op in YEARLY:
        return {"or": [{"field": field, "op": "yearly", "value": part} for part in YEARLY[op](today)]}
    first, last = RELATIVE[op](today, value)
    days = (("after", first - timedelta(days=1)), ("before", last + timedelta(days=1)))
    return {"and": [{"field": field, "op": side, "value": day.isoformat()} for side, day in days]}


def _month_of(day: date) -> tuple[date, date]:
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def _month_and_day_of(day: date) -> tuple[str, ...]:
    """Also 29 February on the day before in years without it."""
    is_for_two = (day.month, day.day) == (2, 28) and not isleap(day.year)
    return (f"{day:-%m-%d}", "-02-29") if is_for_two else (f"{day:-%m-%d}",)


class FilterQuery:
    """A filter with resolved days in SQL, on contacts `c` of one organization; never null."""

    def __init__(self, org_id: UUID, values: Values, *, lists_hits: bool = False) -> None:
        """`lists_hits` as in CampaignQuery."""
        self._org_id, self._values, self._sql, self._lists_hits = org_id, values, db.dialect(), lists_hits

    def matching(self, filter_: Filter) -> str:
        """Nobody matches after a row that is named was deleted; "not in" would otherwise mean everybody."""
        named = sorted(set(references_of(filter_)))
        return " AND ".join([self._tree(filter_), *(self._is_there(*reference) for reference in named)])

    def _is_there(self, kind: str, row_id: str) -> str:
        row, org = self._values.name(UUID(row_id)), self._values.name(self._org_id)
        return f"EXISTS (SELECT 1 FROM {TABLES[kind]} AND id = {row} AND org_id = {org})"

    def _tree(self, filter_: Filter) -> str:
        if "field" in filter_:
            return self._condition(filter_["field"], filter_["op"], filter_.get("value"))
        op, members = members_of(filter_)
        conditions = [self._tree(member) for member in members]
        return f"NOT {conditions[0]}" if op == "not" else f"({f' {op.upper()} '.join(conditions)})"

    def _condition(self, field: str, op: str, value: Any) -> str:
        if op in NEGATED:
            return f"NOT {self._condition(field, NEGATED[op], value)}"
        if field in COMPARED_WHOLE:
            return f"(c.{field} = {self._values.name(value)})"
        if field in TABLES:
            return self._reference(field, op, value)
        if field in INSTANTS:
            return self._instant(field, op, value)
        return self._value(value_name(field), op, value)

    def _reference(self, field: str, op: str, value: Any) -> str:
        if field == "campaign":
            campaign = CampaignQuery(self._org_id, UUID(value), self._values, lists_hits=self._lists_hits)
            return campaign.matching(op)
        row, org = self._values.name(UUID(value)), self._values.name(self._org_id)
        if field == "topic":
            return TopicQuery(row, org).is_opted_in
        return f"""EXISTS (SELECT 1 FROM segment_contacts s WHERE s.segment_id = {row}
            AND s.contact_id = c.id AND s.org_id = {org})"""

    def count(self, filter_: Filter) -> str | None:
        """The number of contacts that match, if the filter is one condition that other tables answer sooner."""
        if "field" not in filter_:
            op, members = members_of(filter_)
            return self.count(members[0]) if op != "not" and len(members) == 1 else None
        if filter_["field"] == "topic":
            topic, org = self._values.name(UUID(filter_["value"])), self._values.name(self._org_id)
            return TopicQuery(topic, org).count(filter_["op"])
        if filter_["field"] != "campaign":
            return None
        return CampaignQuery(self._org_id, UUID(filter_["value"]), self._values).count(filter_["op"])

    def recipients(self, campaign_id: UUID) -> str:
        """A query of the `contact_id` of all whom the campaign, if it is there, reached or may still reach."""
        campaign = CampaignQuery(self._org_id, campaign_id, self._values)
        return f"{campaign.received('reached')} AND {campaign.is_there}"

    def _instant(self, column: str, op: str, value: Any) -> str:
        if op == "is_set":
            return f"(c.{column} IS NOT NULL)"
        operator = {"before": "<", "after": ">", "since": ">="}[op]
        return f"COALESCE(c.{column} {operator} {self._values.name(datetime.fromisoformat(value))}, false)"

    def _value(self, name: str, op: str, value: Any) -> str:
        if op == "is":
            return self._sql.has_member("c.filter_values", name, text_of(value), self._values)
        sign, operator = COMPARED.get(op, ("", ""))
        member = self._sql.member_named("c.filter_values", f"{sign}{name}", self._values)
        if op == "is_set":
            return f"({member} IS NOT NULL)"
        if op == "yearly":
            return f"COALESCE(substr({member}, 5, {len(value)}) = {self._values.name(value)}, false)"
        if sign == NUMBER:
            return f"COALESCE(CAST({member} AS FLOAT) {operator} {self._values.name(float(value))}, false)"
        if sign == DATE:
            return f"COALESCE({member} {operator} {self._values.name(value)}, false)"
        part = f"CAST({self._values.name(text_of(value))} AS TEXT)"
        return f"COALESCE({self._part(op, member, part)}, false)"

    def _part(self, op: str, text: str, part: str) -> str:
        if op == "contains":
            return self._sql.contains(text, part)
        if op == "starts_with":
            return f"substr({text}, 1, length({part})) = {part}"
        return f"length({text}) >= length({part}) AND substr({text}, length({text}) - length({part}) + 1) = {part}"


TABLES: Mapping[str, str] = {
    "segment": f"segments WHERE {IS_THERE}",
    "campaign": "campaigns WHERE true",
    "topic": f"topics WHERE {TOPIC_IS_THERE}",
}
INSTANTS = (*(field.name for field in CONTACT_FIELDS if field.kind is FieldKind.TIME), "created_at")
COMPARED_WHOLE = tuple(field.name for field in CONTACT_FIELDS if field.kind in (FieldKind.STATUS, FieldKind.BOOLEAN))
NEGATED: Mapping[str, str] = {
    "is_not": "is",
    "not_contains": "contains",
    "is_not_set": "is_set",
    "not_in": "in",
    "opted_out": "opted_in",
    "not_in_last_days": "in_last_days",
    **campaign_filter.NEGATED,
}
# The first and last of the days that relative operators mean, as of today.
RELATIVE: Mapping[str, Callable[[date, Any], tuple[date, date]]] = {
    "in_last_days": lambda today, days: (today - timedelta(days=days), today),
    "this_month": lambda today, _: _month_of(today),
    "last_month": lambda today, _: _month_of(today.replace(day=1) - timedelta(days=1)),
}
# The parts after the year, one of which a date has that a yearly operator means, as of today.
YEARLY: Mapping[str, Callable[[date], tuple[str, ...]]] = {
    "anniversary_this_month": lambda today: (f"{today:-%m-}",),
    "anniversary_today": _month_and_day_of,
}
# The operators' parts of a value, and SQL comparisons.
COMPARED: Mapping[str, tuple[str, str]] = {
    "greater_than": (NUMBER, ">"),
    "less_than": (NUMBER, "<"),
    "before": (DATE, "<"),
    "after": (DATE, ">"),
    "on": (DATE, "="),
    "yearly": (DATE, "="),
}
