"""Schedules as people read them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from webapp.domain.campaigns.recurrence import schedule_text
from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

DAY, WEEK, MONTH = RecurrenceUnit
_, ONCE, RECURRING, NEW = ScheduleType
MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)  # 09:00 in Berlin
LAST_OF_MONTH = datetime(2026, 10, 31, 22, 30, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)  # the year after in Berlin


@pytest.mark.parametrize(
    ("timezone", "fields", "expected"),
    [
        ("Europe/Berlin", (ONCE, NEW_YEAR), "once on Fri 1 Jan 2027 at 00:30 (Europe/Berlin)"),
        ("Europe/Berlin", (RECURRING, MONDAY, 2, WEEK), "every 2 weeks on Monday at 09:00 (Europe/Berlin)"),
        ("UTC", (RECURRING, MONDAY, 10_000, DAY), "every 10,000 days at 08:00 (UTC)"),
        ("UTC", (RECURRING, MONDAY, 3, MONTH), "every 3 months on the 23rd at 08:00 (UTC)"),
        ("UTC", (RECURRING, LAST_OF_MONTH, 1, MONTH), "every month on the 31st (or the last day) at 22:30 (UTC)"),
        ("UTC", (RECURRING, MONDAY.replace(day=11), 1, MONTH), "every month on the 11th at 08:00 (UTC)"),
        ("UTC", (NEW,), "to new members, within 5 minutes"),
        ("UTC", (NEW, MONDAY, 1, DAY), "to new members, every day at 08:00 (UTC)"),
    ],
)
def test_a_schedule_reads_as_people_say_it(timezone: str, fields: tuple[Any, ...], expected: str) -> None:
    names = ("schedule_type", "scheduled_at", "recurrence_interval", "recurrence_unit")
    campaign = Campaign(**dict(zip(names, fields, strict=False)))
    assert schedule_text(campaign, timezone) == expected
