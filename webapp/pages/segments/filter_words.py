"""Filters in words, for a segment's page and the audit log."""

from collections.abc import Mapping
from typing import Any

from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.segments.segments import ALL_CONTACTS, ALL_MATCH
from webapp.models.queries.segment_filter import CUSTOM

FIELD_WORDS: Mapping[str, str] = {
    **{field.name: field.label for field in CONTACT_FIELDS},
    "email": "Email address",
    "created_at": "Date added",
    "segment": "Segment",
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
    "in": "is in",
    "not_in": "is not in",
    "got": "received",
    "not_got": "did not receive",
}


def field_words(field: str) -> str:
    return FIELD_WORDS.get(field) or field.removeprefix(CUSTOM)


def in_words(tree: Mapping[str, Any], names: Mapping[str, str], *, is_inner: bool = False) -> str:
    """The filter as a sentence without its full stop; `names` are those of segments and campaigns by id."""
    if tree == ALL_MATCH:
        return ALL_CONTACTS
    if "not" in tree:
        return f"not ({in_words(tree['not'], names)})"
    if "field" not in tree:
        ((op, members),) = tree.items()
        text = f" {op} ".join(in_words(member, names, is_inner=True) for member in members)
        return f"({text})" if is_inner and len(members) > 1 else text
    field, op, value = tree["field"], tree["op"], tree.get("value")
    if field in ("segment", "campaign"):
        return f"{OPERATOR_WORDS[op]} {field} “{names.get(str(value), 'deleted')}”"
    if op == "in_last_days":
        return f"{field_words(field)} is in the last {value:,} days"
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return f"{field_words(field)} {OPERATOR_WORDS[op]}" + ("" if value is None else f" “{value}”")
