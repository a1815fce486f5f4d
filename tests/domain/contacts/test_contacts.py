"""What others ask of contacts and segments: merge values, references in bodies, the status."""

from typing import Any

import pytest

from webapp.domain.contacts.contacts import (
    merge_values,
)
from webapp.domain.contacts.inputs import check_custom_fields
from webapp.models import Contact


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"email": "ada@example.org"}),
        ({"first_name": "Ada", "last_name": "King", "phone": "1"},
         {"email": "ada@example.org", "first_name": "Ada", "last_name": "King", "phone": "1"}),
        ({"custom_fields": {"company": "Engines", "seats": 0, "vip": False, "note": "", "until": None}},
         {"email": "ada@example.org", "company": "Engines", "seats": 0, "vip": False, "note": ""}),
        ({"first_name": "Ada", "custom_fields": {"first_name": "X", "last_name": "Y", "email": "x@y.example", "phone": 1}},
         {"email": "ada@example.org", "first_name": "Ada"}),
    ],
)  # fmt: skip
def test_merge_tags_see_what_has_a_value_and_the_standard_fields_first(
    fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert merge_values(Contact(email="ada@example.org", **{"custom_fields": {}, **fields})) == expected


@pytest.mark.parametrize("value", [{"a": {"b": 1}}, {"a": [1]}, {"a": b"x"}, {"a": object()}])
def test_custom_fields_are_flat(value: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be flat: a must be"):
        check_custom_fields(value)
