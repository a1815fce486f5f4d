"""Occurrences of schedules and their wording; all count from the anchor, so the 31st returns after shorter months."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

NEW_CONTACTS_EVERY = timedelta(minutes=5)  # between runs for new contacts without a recurrence
DAYS = {RecurrenceUnit.DAY: 1, RecurrenceUnit.WEEK: 7}
SHORTEST_MONTH = 28  # days
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)
SHIFTED_DAYS = 2  # clock changes move occurrences by at most a day (Pacific/Apia once skipped one)


class Recurrence(NamedTuple):
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
            return occurrence(now, 1, every)
    return None


def next_run(kind: ScheduleType, anchor: datetime, every: Recurrence | None, after: datetime) -> datetime:
    return anchor if kind == ScheduleType.SCHEDULED_ONCE else next_occurrence(anchor, every, after)


def last_run(kind: ScheduleType, anchor: datetime, every: Recurrence | None, until: datetime) -> datetime:
    return anchor if kind == ScheduleType.SCHEDULED_ONCE else last_occurrence(anchor, every, until)


def last_occurrence(anchor: datetime, every: Recurrence | None, until: datetime) -> datetime:
    """In UTC; `until` must not be before the anchor."""
    number = _earlier_number(anchor, every, until)
    while occurrence(anchor, number + 1, every) <= until:
        number += 1
    return occurrence(anchor, number, every)


def next_occurrence(anchor: datetime, every: Recurrence | None, after: datetime) -> datetime:
    """In UTC, later than `after`."""
    number = _earlier_number(anchor, every, after)
    while (following := occurrence(anchor, number, every)) <= after:
        number += 1
    return following


def _earlier_number(anchor: datetime, every: Recurrence | None, after: datetime) -> int:
    if after < anchor:
        return 0
    if every is None:
        return (after - anchor) // NEW_CONTACTS_EVERY
    if every.unit == RecurrenceUnit.MONTH:
        months = (after.year - anchor.year) * 12 + after.month - anchor.month
        return max((months - 1) // every.interval, 0)
    days = (after - anchor).days - SHIFTED_DAYS
    return max(days // (every.interval * DAYS[every.unit]), 0)


def occurrence(anchor: datetime, number: int, every: Recurrence | None) -> datetime:
    """In UTC; times skipped by a clock change move forward, and repeated ones are the first."""
    if number == 0 or every is None:
        return anchor.astimezone(UTC) + number * NEW_CONTACTS_EVERY
    zone = ZoneInfo(every.timezone)
    wall = anchor.astimezone(zone).replace(tzinfo=None, fold=0)
    if every.unit == RecurrenceUnit.MONTH:
        years, month = divmod(wall.month - 1 + number * every.interval, 12)
        year, month = wall.year + years, month + 1
        later = wall.replace(year=year, month=month, day=min(wall.day, monthrange(year, month)[1]))
    else:
        later = wall + timedelta(days=number * every.interval * DAYS[every.unit])
    return later.replace(tzinfo=zone).astimezone(UTC)


def schedule_text(campaign: Campaign, timezone: str) -> str:
    first = campaign.anchor_at or campaign.scheduled_at
    at = first.astimezone(ZoneInfo(timezone)) if first else None
    match campaign.schedule_type:
        case ScheduleType.SCHEDULED_ONCE:
            return f"once on {at:%a} {at.day} {at:%b %Y} at {at:%H:%M} ({at.tzinfo})" if at else "once"
        case ScheduleType.RECURRING:
            return _every(campaign, at) or "recurring"
        case ScheduleType.RECURRING_NEW_CONTACTS:
            minutes = NEW_CONTACTS_EVERY // timedelta(minutes=1)
            return f"to new members, {_every(campaign, at) or f'within {minutes} minutes'}"
    return "manual"


def _every(campaign: Campaign, at: datetime | None) -> str:
    interval, unit = campaign.recurrence_interval, campaign.recurrence_unit
    if interval is None or unit is None:
        return ""
    rhythm = f"every {unit}" if interval == 1 else f"every {interval:,} {unit}s"
    if at is None:
        return rhythm
    day = ""
    if unit == RecurrenceUnit.WEEK:
        day = f" on {at:%A}"
    elif unit == RecurrenceUnit.MONTH:
        ordinal = f"{at.day}{'th' if at.day in TEENS else ORDINALS.get(at.day % 10, 'th')}"
        day = f" on the {ordinal}{' (or the last day)' if at.day > SHORTEST_MONTH else ''}"
    return f"{rhythm}{day} at {at:%H:%M} ({at.tzinfo})"
