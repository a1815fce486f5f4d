"""Schedules in words."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.domain.campaigns.recurrence import NEW_CONTACTS_EVERY
from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

SHORTEST_MONTH = 28  # days; a later day than that is not in every month
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)


def schedule_text(campaign: Campaign, timezone: str) -> str:
    """`when you confirm`, `once on Fri 20 Nov 2026 at 09:00`, `every 2 weeks on Monday at 09:00`."""
    first = campaign.anchor_at or campaign.scheduled_at
    at = first.astimezone(ZoneInfo(timezone)) if first else None
    match campaign.schedule_type:
        case ScheduleType.SCHEDULED_ONCE:
            return f"once on {at:%a} {at.day} {at:%b %Y} at {at:%H:%M}" if at else "once"
        case ScheduleType.RECURRING:
            return _every(campaign, at) or "repeatedly"
        case ScheduleType.RECURRING_NEW_CONTACTS:
            minutes = NEW_CONTACTS_EVERY // timedelta(minutes=1)
            return f"to new members, {_every(campaign, at) or f'within {minutes} minutes'}"
    return "when you confirm"


def _every(campaign: Campaign, at: datetime | None) -> str:
    """`every month on the 31st at 09:00`; empty without an interval."""
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
    return f"{rhythm}{day} at {at:%H:%M}"
