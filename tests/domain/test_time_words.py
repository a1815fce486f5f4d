"""Times in words, read on a Sunday at 13:20 in Berlin."""

from datetime import UTC, datetime
from time import perf_counter

import pytest

from webapp.domain.time_words import TimeWords, read_words
from webapp.errors import ValidationError

NOW = datetime(2026, 11, 29, 12, 20, 30, 500_000, UTC)
NOT_UNDERSTOOD = "is not understood: use a time like 2026-12-24T08:00:00Z, in 2 hours or tomorrow 9am"
UNCLEAR = "write it like in 2 hours or tomorrow 9am"


def read(words: str, now: datetime = NOW) -> str:
    at = read_words("at", TimeWords(words), "Europe/Berlin", now, lambda at: at)
    return at.isoformat(timespec="minutes").removesuffix("+00:00")


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("in 1 hour", "2026-11-29T13:20"),
        ("in an hour", "2026-11-29T13:20"),
        ("in 1.5 hours", "2026-11-29T13:50"),
        ("in 2 hours and 30 minutes", "2026-11-29T14:50"),
        ("in 1h30m", "2026-11-29T13:50"),
        ("5 minutes from now", "2026-11-29T12:25"),
        ("in 2 days", "2026-12-01T12:20"),
        ("in one week", "2026-12-06T12:20"),
        ("in 2 days at 9am", "2026-12-01T08:00"),
        ("today at 5pm", "2026-11-29T16:00"),
        ("9am", "2026-11-30T08:00"),
        ("tomorrow 9am", "2026-11-30T08:00"),
        ("tomorrow at 09:30", "2026-11-30T08:30"),
        ("tomorrow at noon", "2026-11-30T11:00"),
        ("tomorrow 9am utc", "2026-11-30T09:00"),
        ("tomorrow 9am +05:30", "2026-11-30T03:30"),
        ("the day after tomorrow 9am", "2026-12-01T08:00"),
        ("friday at noon", "2026-12-04T11:00"),
        ("24 dec 8:00", "2026-12-24T07:00"),
        ("dec 24 at 8:00", "2026-12-24T07:00"),
        ("24.12.2026 8am", "2026-12-24T07:00"),
        ("3 march at 9am", "2027-03-03T08:00"),
        ("3 july at 9am", "2027-07-03T07:00"),
    ],
)
def test_words_are_read_in_the_timezone(words: str, at: str) -> None:
    assert read(words) == at


@pytest.mark.parametrize(
    ("words", "at"),
    [("in 24 hours", "2026-10-25T10:00"), ("in 1 day", "2026-10-25T11:00"), ("tomorrow 9am", "2026-10-25T08:00")],
)
def test_hours_pass_when_the_clock_changes_and_a_day_ends_at_the_same_time(words: str, at: str) -> None:
    assert read(words, datetime(2026, 10, 24, 10, 0, tzinfo=UTC)) == at


@pytest.mark.parametrize(
    ("words", "message"),
    [
        *((words, NOT_UNDERSTOOD) for words in ("soon", "31 february", "31 february 9am", "tomorrow 9am sharp")),
        *((words, NOT_UNDERSTOOD) for words in ("demain 9h", "in 999999999999 days", "monday tuesday 9am", "in a bit")),
        ("31 december 9999 11:59pm -12:00", NOT_UNDERSTOOD),
        ("now", "must be in the future: now is 2026-11-29T12:20:30.000Z"),
        ("in 0 minutes", "must be in the future: in 0 minutes is 2026-11-29T12:20:30.000Z"),
        ("in -1 hour", "must be in the future: in -1 hour is 2026-11-29T11:20:30.000Z"),
        ("yesterday", "must be in the future: yesterday is 2026-11-28T12:20:30.000Z"),
        ("today at 8am", "must be in the future: today at 8am is 2026-11-29T07:00:00.000Z"),
        *((words, f"is unclear ({words}): {UNCLEAR}") for words in ("tomorrow", "monday", "tomorrow 25:00", "in may")),
        *((words, f"is unclear ({words}): {UNCLEAR}") for words in ("tomorrow at 9", "2 hours", "in 2 days 25:00")),
        ("4/3/2027 9am", "is unclear (4/3/2027 9am): name the month, or write the date like 2026-12-24"),
        (
            "next friday 9am",
            "is unclear (next friday 9am): next can mean two dates: name the date, or the weekday alone",
        ),
        ("tomorrow 9am ist", "is unclear (tomorrow 9am ist): use an offset like +02:00 for another timezone"),
    ],
)
def test_other_words_are_refused_with_a_reason(words: str, message: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(words)
    assert refused.value.message == f"at {message}"


@pytest.mark.parametrize("words", ["1:" * 20, "in " * 13, "monday " * 5, "1.1." * 10 + "a", "9am utc of 9am", "a" * 40])
def test_hostile_words_take_milliseconds(words: str) -> None:
    began = perf_counter()
    with pytest.raises(ValidationError):
        read(words)
    assert perf_counter() - began < 1
