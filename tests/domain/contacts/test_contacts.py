"""The values of a contact that merge tags see."""

from typing import Any

import pytest

from webapp.domain.contacts.contacts import merge_values
from webapp.models import Contact


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
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
