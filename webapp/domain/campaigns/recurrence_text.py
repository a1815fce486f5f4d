"""Schedules in words."""

from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.domain.campaigns.recurrence import NEW_CONTACTS_EVERY
from webapp.models.campaign import RecurrenceUnit, ScheduleType

SHORTEST_MONTH = 28  # days; a later day than that is not in every month
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)


class ScheduleFields(NamedTuple):
    """`at` is the single or first time, if known."""

    kind: ScheduleType
    at: datetime | None = None
    interval: int | None = None
    unit: RecurrenceUnit | None = None
    timezone: str = "UTC"


def schedule_as_text(fields: ScheduleFields) -> str:
    """`when you confirm`, `once on Fri 20 Nov 2026 at 09:00`, `every 2 weeks on Monday at 09:00`."""
    at = fields.at.astimezone(ZoneInfo(fields.timezone)) if fields.at else None
    match fields.kind:
        case ScheduleType.SCHEDULED_ONCE:
            return f"once on {at:%a} {at.day} {at:%b %Y} at {at:%H:%M}" if at else "once"
        case ScheduleType.RECURRING:
            return _every(fields, at) or "repeatedly"
        case ScheduleType.RECURRING_NEW_CONTACTS:
            minutes = NEW_CONTACTS_EVERY // timedelta(minutes=1)
            return f"to new members, {_every(fields, at) or f'within {minutes} minutes'}"
    return "when you confirm"


def _every(fields: ScheduleFields, at: datetime | None) -> str:
    """`every month on the 31st at 09:00`; empty without an interval."""
    if fields.interval is None or fields.unit is None:
        return ""
    rhythm = f"every {fields.unit}" if fields.interval == 1 else f"every {fields.interval:,} {fields.unit}s"
    return f"{rhythm}{_day(fields.unit, at)} at {at:%H:%M}" if at else rhythm


def _day(unit: RecurrenceUnit, at: datetime) -> str:
    match unit:
        case RecurrenceUnit.WEEK:
            return f" on {at:%A}"
        case RecurrenceUnit.MONTH:
            return f" on the {_ordinal(at.day)}{' (or the last day)' if at.day > SHORTEST_MONTH else ''}"
    return ""


def _ordinal(day: int) -> str:
    return f"{day}{'th' if day in TEENS else ORDINALS.get(day % 10, 'th')}"
