"""What callers hand in, field by field."""

from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
from pydantic import ConfigDict

from webapp.domain.inputs import Input, Instant, read_input
from webapp.errors import ValidationError


class Thing(Input):
    at: Instant


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
    found = read_input(Thing, {"at": text}, strict=True).at
    assert (found, found.utcoffset()) == (instant, instant.utcoffset())


@pytest.mark.parametrize("value", ["", "now", "2026-13-01T00:00:00Z", 1, True, "0001-01-01T00:00:00+23:00", "9" * 100])
def test_what_is_no_instant_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError, match="at must be an ISO 8601 time like 2026-11-20T09:30:00Z"):
        read_input(Thing, {"at": value}, strict=True)


def test_a_field_that_the_caller_made_up_is_not_told_at_length() -> None:
    class Strict(Input):
        model_config: ClassVar[ConfigDict] = {"extra": "forbid"}

    with pytest.raises(ValidationError) as refused:
        read_input(Strict, {f"{number}{'x' * 1_000}": 1 for number in range(1_000)}, strict=True)
    assert len(refused.value.details) == 100
    assert all(len(one.field) == 200 for one in refused.value.details)
