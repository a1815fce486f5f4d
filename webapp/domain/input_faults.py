"""The faults that pydantic finds in inputs, in words."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from webapp.errors import FieldError

# What pydantic's faults of lengths are about, and which bound is passed.
MOST = {"string_too_long": ("character", "most"), "too_long": ("item", "most"), "too_short": ("item", "least")}
# Our words for pydantic's kinds of faults.
REASONS: Mapping[str, str] = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "string_too_short": "must not be empty",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "union_tag_not_found": "must be an object with a type",
}


def in_words(fault: ErrorDetails, field: str, near: str | None) -> FieldError:
    """The fault of a field; `near` is a known name close to an unknown one."""
    values: dict[str, Any] = fault.get("ctx", {})
    reason = values.pop("error", None) or _reason(fault)
    if near:
        reason += f": did you mean {near}?"
    if fault["type"] in MOST:
        kind, bound = MOST[fault["type"]]
        amount = values["min_length" if bound == "least" else "max_length"]
        values = {"bound": bound, "amount": f"{amount} {kind}{'' if amount == 1 else 's'}"}
        if kind == "item":
            values["amount"] += f", not {fault['ctx']['actual_length']}"
        return FieldError.at(field, reason, "length", **values)
    return FieldError.at(field, reason, fault["type"], **values)


def _reason(fault: ErrorDetails) -> str:
    if fault["type"] == "union_tag_invalid":
        return f"has an unknown type; it must be {fault['ctx']['expected_tags']}"
    if fault["type"] in REASONS:
        return REASONS[fault["type"]]
    text = re.sub(r"^(Input|String|List|Dictionary|Value) should ", "must ", fault["msg"])
    return text.replace(" after validation", "")
