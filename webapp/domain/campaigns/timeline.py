"""The emails sent, opened and clicked over time, in a few dozen equal spans on the wall clock of a timezone."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

MOST_SPANS = 48
MINUTE, QUARTER = 60, 900  # seconds; timezones differ by multiples of a quarter
LENGTHS = [
    *(timedelta(minutes=number) for number in (1, 2, 5, 10, 15, 30)),
    *(timedelta(hours=number) for number in (1, 2, 3, 6, 12)),
    *(timedelta(days=number) for number in (1, 2, 7, 14, 28, 91, 364)),
]
MONDAY = datetime.fromisoformat("1970-01-05")  # on the wall


class Span(NamedTuple):
    """`start` is on the wall clock, without a timezone."""

    start: datetime
    length: timedelta
    sent: int = 0
    opened: int = 0
    clicked: int = 0


def spans_of(counts: Iterable[tuple[int, str, int]], slot_seconds: int, timezone: str) -> list[Span]:
    """The spans from the first to the last email, from counts per slot since 1970 and kind, a field of `Span`.

    When clocks go back, both hours of the same name are counted together.
    """
    zone, by_time = ZoneInfo(timezone), dict[datetime, Counter[str]]()
    for slot, kind, emails in counts:
        at = datetime.fromtimestamp(slot * slot_seconds, UTC).astimezone(zone).replace(tzinfo=None)
        by_time.setdefault(at, Counter())[kind] += emails
    if not by_time:
        return []
    first, last = min(by_time), max(by_time)
    fitting = (length for length in LENGTHS if length.total_seconds() >= slot_seconds)
    length = next((span for span in fitting if _count(first, last, span) <= MOST_SPANS), LENGTHS[-1])
    by_start: dict[datetime, Counter[str]] = {}
    for at, kinds in by_time.items():
        by_start.setdefault(_start(at, length), Counter()).update(kinds)
    starts = (_start(first, length) + number * length for number in range(_count(first, last, length)))
    return [Span(start, length, **by_start.get(start, Counter())) for start in starts]


def _start(at: datetime, length: timedelta) -> datetime:
    return MONDAY + (at - MONDAY) // length * length


def _count(first: datetime, last: datetime, length: timedelta) -> int:
    return (_start(last, length) - _start(first, length)) // length + 1
