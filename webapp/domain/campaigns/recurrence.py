"""Occurrences of schedules and their wording; all count from the anchor, so the 31st returns after shorter months."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

NEW_CONTACTS_EVERY = timedelta(minutes=5)  # between runs for new contacts without a recurrence
REPEATED = (ScheduleType.RECURRING, ScheduleType.RECURRING_NEW_CONTACTS)
DAYS = {RecurrenceUnit.DAY: 1, RecurrenceUnit.WEEK: 7}
SHORTEST_MONTH = 28  # days
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)
SHIFTED_DAYS = 2  # clock changes move occurrences by at most a day (Pacific/Apia once skipped one)


class Recurrence(NamedTuple):
    interval: int
    unit: RecurrenceUnit
    timezone: str


def recurrence_of(campaign: Campaign, timezone: str) -> Recurrence | None:
    if campaign.recurrence_interval is None or campaign.recurrence_unit is None:
        return None
    return Recurrence(campaign.recurrence_interval, RecurrenceUnit(campaign.recurrence_unit), timezone)


def first_run(campaign: Campaign, timezone: str, now: datetime) -> datetime | None:
    every = recurrence_of(campaign, timezone)
    match campaign.schedule_type:
        case ScheduleType.SCHEDULED_ONCE:
            return campaign.scheduled_at
        case ScheduleType.RECURRING if every is not None:
            return campaign.scheduled_at or occurrence(now, 1, every)
        case ScheduleType.RECURRING_NEW_CONTACTS:
            return occurrence(now, 1, every)
    return None


def next_run(campaign: Campaign, timezone: str, after: datetime) -> datetime | None:
    anchor = campaign.anchor_at
    if anchor is None or campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
        return anchor
    return next_occurrence(anchor, recurrence_of(campaign, timezone), after)


def first_repeated_run(campaign: Campaign, timezone: str, now: datetime) -> datetime | None:
    """The next run if a schedule that repeats starts now."""
    every, anchor = recurrence_of(campaign, timezone), first_run(campaign, timezone, now)
    is_repeated = every is not None and campaign.schedule_type in REPEATED
    return next_occurrence(anchor, every, now) if is_repeated and anchor is not None else None


def last_run(campaign: Campaign, timezone: str, until: datetime) -> datetime:
    anchor = campaign.anchor_at
    if anchor is None:
        raise ValueError("the campaign has no schedule")
    is_once = campaign.schedule_type == ScheduleType.SCHEDULED_ONCE
    return anchor if is_once else last_occurrence(anchor, recurrence_of(campaign, timezone), until)


def last_occurrence(anchor: datetime, every: Recurrence | None, until: datetime) -> datetime:
    """In UTC; `until` must not be before the anchor."""
    return occurrence(anchor, _number_after(anchor, every, until) - 1, every)


def next_occurrence(anchor: datetime, every: Recurrence | None, after: datetime) -> datetime:
    """In UTC, later than `after`."""
    return occurrence(anchor, _number_after(anchor, every, after), every)


def _number_after(anchor: datetime, every: Recurrence | None, at: datetime) -> int:
    number = _earlier_number(anchor, every, at)
    while occurrence(anchor, number, every) <= at:
        number += 1
    return number


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
    return "now"


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
