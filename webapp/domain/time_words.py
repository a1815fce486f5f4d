"""Reads times that are written in words, like `tomorrow 9am`, in the organization's timezone."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import PlainValidator, WithJsonSchema

from webapp import clock
from webapp.domain.inputs import MAX_INSTANT, instant
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.errors import ValidationError
from webapp.models import Organization

EXAMPLES = "2026-12-24T08:00:00Z, in 2 hours or tomorrow 9am"
WHEN = "ISO 8601, or words in the organization's timezone, like `in 2 hours` or `tomorrow 9am`."
DAYS = re.compile(r"in (?:an?|\w+) (?:day|week|month)s?", re.ASCII)  # at the present time of day
SPAN = re.compile(r"in .*|.* from now")
TIME_OF_DAY = re.compile(r"\d(?::\d\d| ?[ap]m)\b|\bnoon\b|\bmidnight\b", re.ASCII)
# Hours pass alike in every timezone, while a day may have 23 or 25.
HOURS = re.compile(r"(?<![a-z])(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![a-z])")
UNCLEAR = re.compile(r"\bnext\b")  # next Friday may be this week's, or that of the week after
NUMBERS = re.compile(r"\d[./-]\d", re.ASCII)  # a date whose day may come before its month, or behind it
UNIVERSAL = ("UTC", "GMT", "Z")

Check = Callable[[datetime], datetime]


class TimeWords(str):
    """A time in words, which needs a timezone to be read."""

    __slots__ = ()


def _instant_or_words(value: Any) -> datetime | TimeWords:
    try:
        return instant(value)
    except ValueError:
        if isinstance(value, str) and len(value) <= MAX_INSTANT and re.search("[A-Za-z]", value):
            return TimeWords(" ".join(value.lower().split()))
        raise ValueError(f"must be a time like {EXAMPLES}") from None


InstantOrWords = Annotated[
    datetime | TimeWords,
    PlainValidator(_instant_or_words),
    WithJsonSchema({"type": "string", "examples": ["2026-12-01T09:00:00Z", "tomorrow 9am"]}),
]


async def resolve_time(org: Organization, field: str, words: TimeWords, check: Check) -> datetime:
    """Like `read_words`, in a thread."""
    return await run_in_render_pool(org.id, read_words, field, words, org.timezone, clock.now(), check)


def read_words(field: str, words: TimeWords, timezone: str, now: datetime, check: Check) -> datetime:
    """A later time, which `check` may refuse with a ValueError. Raises ValidationError.

    Takes milliseconds, and the first time a fifth of a second.
    """
    if UNCLEAR.search(words):
        raise _unclear(field, words, "next can mean two dates: name the date, or the weekday alone")
    is_span, has_time = SPAN.fullmatch(words), TIME_OF_DAY.search(words)
    zone = "UTC" if is_span and HOURS.search(words) and not has_time else timezone
    now = now.replace(microsecond=0)
    at, period = _parse(words, zone, now, "DMY")
    utc = None
    if at is not None:
        with suppress(OverflowError):  # of the last days before the year 10000
            utc = (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC)
    if at is None or utc is None:
        raise ValidationError.at(field, f"is not understood: use a time like {EXAMPLES}")
    if NUMBERS.search(words) and at != _parse(words, zone, now, "MDY")[0]:
        raise _unclear(field, words, "name the month, or write the date like 2026-12-24")
    if at.tzinfo is not None and not str(at.tzname()).startswith(UNIVERSAL):
        raise _unclear(field, words, "use an offset like +02:00 for another timezone")
    if utc <= now:
        raise ValidationError.at(field, f"must be in the future: {words} is {clock.timestamp(utc)}")
    if not DAYS.fullmatch(words) and not (period == "time" and (is_span or has_time)):
        raise _unclear(field, words, "write it like in 2 hours or tomorrow 9am")
    try:
        return check(utc)
    except ValueError as fault:
        raise ValidationError.at(field, f"{fault}: {words} is {clock.timestamp(utc)}") from None


def _unclear(field: str, words: TimeWords, advice: str) -> ValidationError:
    return ValidationError.at(field, f"is unclear ({words}): {advice}")


def _parse(words: TimeWords, zone: str, now: datetime, order: str) -> tuple[datetime | None, str]:
    """The time, in a timezone if the words name one, and `time` if they name one of a day."""
    from dateparser.date import DateDataParser  # here, because it takes 7 MB and few processes read words

    settings = {
        "DATE_ORDER": order,
        "PARSERS": ["relative-time", "absolute-time"],
        "PREFER_DATES_FROM": "future",
        "RELATIVE_BASE": now.astimezone(ZoneInfo(zone)).replace(tzinfo=None),
        "RETURN_TIME_AS_PERIOD": True,
    }
    parsed = DateDataParser(languages=["en"], settings=settings).get_date_data(words)
    return parsed.date_obj, parsed.period
