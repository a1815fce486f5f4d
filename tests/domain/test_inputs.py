"""What callers hand in, field by field."""

from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
from pydantic import ConfigDict

from webapp.domain.inputs import Id, Input, Instant, Mailboxes, Name, partial, read_input
from webapp.errors import ValidationError


class Thing(Input):
    name: Name
    size: int = 3
    at: Instant | None = None
    id: Id | None = None
    to: Mailboxes | None = None


@partial(Thing)
class ThingChanges(Input):
    """What to change."""


def fault(data: Any, *, strict: bool = True) -> str:
    with pytest.raises(ValidationError) as refused:
        read_input(Thing, data, strict=strict)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T09:30:00Z", datetime(2026, 11, 20, 9, 30, tzinfo=UTC)),
        ("2026-11-20T09:30:00.123Z", datetime(2026, 11, 20, 9, 30, 0, 123_000, tzinfo=UTC)),
        ("2026-11-20T09:30:00+02:00", datetime(2026, 11, 20, 7, 30, tzinfo=UTC)),
        ("2026-11-20T09:30:00", datetime(2026, 11, 20, 9, 30, tzinfo=UTC)),
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_into_utc(text: str, instant: datetime) -> None:
    found = read_input(Thing, {"name": "a", "at": text}, strict=True).at
    assert (found, found and found.utcoffset()) == (instant, instant.utcoffset())


@pytest.mark.parametrize("value", ["", "now", "2026-13-01T00:00:00Z", 1, True, "0001-01-01T00:00:00+23:00", "9" * 100])
def test_what_is_no_instant_is_refused(value: Any) -> None:
    assert fault({"name": "a", "at": value}) == "at must be an ISO 8601 time like 2026-11-20T09:30:00Z"


@pytest.mark.parametrize(
    "value", ["x", 1, "{019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10}", "019a9f6e5c1a7cc39d6e0f6f5f3b2a10", None]
)
def test_an_id_has_one_spelling(value: Any) -> None:
    if value is not None:
        assert fault({"name": "a", "id": value}) == "id must be a UUID"
    assert read_input(Thing, {"name": "a", "id": "019A9F6E-5C1A-7CC3-9D6E-0F6F5F3B2A10"}, strict=True).id is not None


def test_json_takes_no_text_for_a_number_and_a_form_does() -> None:
    assert fault({"name": "a", "size": "3"}) == "size must be an integer"
    assert fault({"name": "a", "size": True}) == "size must be an integer"
    assert read_input(Thing, {"name": "a", "size": "4"}, strict=False).size == 4
    assert fault({"name": "a", "size": "four"}, strict=False) == "size must be an integer"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the body must be a JSON object"),
        ({}, "name is required"),
        ({"name": None}, "name must be a string"),
        ({"name": " "}, "name must not be empty"),
        ({"name": "x" * 201}, "name must have at most 200 characters"),
        ({"name": "a", "to": ["a@example.org", 1]}, "to.1 must be a string"),
    ],
)
def test_a_fault_is_told_in_words(data: Any, message: str) -> None:
    assert fault(data) == message


def test_a_change_knows_what_was_given() -> None:
    assert read_input(ThingChanges, {}, strict=True).given() == {}
    assert read_input(ThingChanges, {"at": None, "name": " b "}, strict=True).given() == {"name": "b", "at": None}
    with pytest.raises(ValidationError, match="name must not be empty"):
        read_input(ThingChanges, {"name": ""}, strict=True)


def test_a_field_that_the_caller_made_up_is_not_told_at_length() -> None:
    class Strict(Input):
        model_config: ClassVar[ConfigDict] = {"extra": "forbid"}

    with pytest.raises(ValidationError) as refused:
        read_input(Strict, {f"{number}{'x' * 1_000}": 1 for number in range(1_000)}, strict=True)
    assert len(refused.value.details) == 100
    assert all(len(one.field) == 200 for one in refused.value.details)
