"""The times of campaigns, computed from the schedule's anchor, the organization's timezone and an instant.

The n-th occurrence is counted from the anchor on the wall clock, never from the one before it: the 31st becomes the
last day of a shorter month and is the 31st again afterwards.
"""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.models.campaign import RecurrenceUnit, ScheduleType

NEW_CONTACTS_EVERY = timedelta(minutes=5)  # between two runs for new contacts without a recurrence
DAYS = {RecurrenceUnit.DAY: 1, RecurrenceUnit.WEEK: 7}
SHIFTED_DAYS = 2  # a clock change moves an occurrence by a day at most (Pacific/Apia once left one out)


class Recurrence(NamedTuple):
    """On the wall clock of `timezone`, an IANA name."""

    interval: int
    unit: RecurrenceUnit
    timezone: str


def first_run(
    kind: ScheduleType, scheduled_at: datetime | None, every: Recurrence | None, now: datetime
) -> datetime | None:
    match kind:
        case ScheduleType.SCHEDULED_ONCE:
            return scheduled_at
        case ScheduleType.RECURRING if every is not None:
            return scheduled_at or occurrence(now, 1, every)
        case ScheduleType.RECURRING_NEW_CONTACTS:
            return now + NEW_CONTACTS_EVERY if every is None else occurrence(now, 1, every)
    return None


def next_run(kind: ScheduleType, anchor: datetime, every: Recurrence | None, after: datetime) -> datetime:
    """A single run keeps its time, even in the past."""
    if kind == ScheduleType.SCHEDULED_ONCE:
        return anchor
    if every is None:
        return anchor if anchor > after else anchor + NEW_CONTACTS_EVERY * ((after - anchor) // NEW_CONTACTS_EVERY + 1)
    return next_occurrence(anchor, every, after)


def last_run(kind: ScheduleType, anchor: datetime, every: Recurrence | None, until: datetime) -> datetime:
    """`until` is not before the anchor."""
    if kind == ScheduleType.SCHEDULED_ONCE:
        return anchor
    if every is None:
        return anchor + NEW_CONTACTS_EVERY * ((until - anchor) // NEW_CONTACTS_EVERY)
    return last_occurrence(anchor, every, until)


def last_occurrence(anchor: datetime, every: Recurrence, until: datetime) -> datetime:
    """In UTC; `until` is not before the anchor."""
    number = _earlier_number(anchor, every, until)
    while occurrence(anchor, number + 1, every) <= until:
        number += 1
    return occurrence(anchor, number, every)


def next_occurrence(anchor: datetime, every: Recurrence, after: datetime) -> datetime:
    """In UTC, later than `after`."""
    number = _earlier_number(anchor, every, after)
    while (found := occurrence(anchor, number, every)) <= after:
        number += 1
    return found


def _earlier_number(anchor: datetime, every: Recurrence, after: datetime) -> int:
    """An occurrence shortly before, and never after, the next one."""
    if after < anchor:
        return 0
    if every.unit == RecurrenceUnit.MONTH:
        months = (after.year - anchor.year) * 12 + after.month - anchor.month
        return max((months - 1) // every.interval, 0)
    days = (after - anchor).days - SHIFTED_DAYS
    return max(days // (every.interval * DAYS[every.unit]), 0)


def occurrence(anchor: datetime, number: int, every: Recurrence) -> datetime:
    """In UTC.

    A time that a clock change skips moves forward by as much as the clock; one that comes twice is the first.
    """
    if number == 0:
        return anchor.astimezone(UTC)
    zone = ZoneInfo(every.timezone)
    wall = anchor.astimezone(zone).replace(tzinfo=None, fold=0)
    if every.unit == RecurrenceUnit.MONTH:
        later = _add_months(wall, number * every.interval)
    else:
        later = wall + timedelta(days=number * every.interval * DAYS[every.unit])
    return later.replace(tzinfo=zone).astimezone(UTC)


def _add_months(wall: datetime, months: int) -> datetime:
    years, month = divmod(wall.month - 1 + months, 12)
    year = wall.year + years
    day = min(wall.day, monthrange(year, month + 1)[1])
    return wall.replace(year=year, month=month + 1, day=day)
