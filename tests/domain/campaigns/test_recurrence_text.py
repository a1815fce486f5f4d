"""Schedules as people read them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from webapp.domain.campaigns.recurrence import schedule_text
from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

DAY, WEEK, MONTH = RecurrenceUnit
MANUAL, ONCE, RECURRING, NEW = ScheduleType
MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)  # 09:00 in Berlin
LAST_OF_MONTH = datetime(2026, 10, 31, 22, 30, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)  # the year after in Berlin


def words_of(
    kind: ScheduleType,
    at: datetime | None = None,
    interval: int | None = None,
    unit: RecurrenceUnit | None = None,
    timezone: str = "UTC",
) -> str:
    campaign = Campaign(schedule_type=kind, scheduled_at=at, recurrence_interval=interval, recurrence_unit=unit)
    return schedule_text(campaign, timezone)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((MANUAL,), "manual"),
        ((ONCE, MONDAY), "once on Mon 23 Nov 2026 at 08:00 (UTC)"),
        ((ONCE, NEW_YEAR, None, None, "Europe/Berlin"), "once on Fri 1 Jan 2027 at 00:30 (Europe/Berlin)"),
        ((RECURRING, MONDAY, 2, WEEK, "Europe/Berlin"), "every 2 weeks on Monday at 09:00 (Europe/Berlin)"),
        ((RECURRING, MONDAY, 1, WEEK), "every week on Monday at 08:00 (UTC)"),
        ((RECURRING, MONDAY, 10_000, DAY), "every 10,000 days at 08:00 (UTC)"),
        ((RECURRING, MONDAY, 3, MONTH), "every 3 months on the 23rd at 08:00 (UTC)"),
        ((RECURRING, LAST_OF_MONTH, 1, MONTH), "every month on the 31st (or the last day) at 22:30 (UTC)"),
        ((RECURRING, NEW_YEAR, 1, MONTH, "Europe/Berlin"), "every month on the 1st at 00:30 (Europe/Berlin)"),
        ((RECURRING,), "recurring"),
        ((NEW,), "to new members, within 5 minutes"),
        ((NEW, MONDAY, 1, DAY), "to new members, every day at 08:00 (UTC)"),
    ],
)
def test_a_schedule_reads_as_people_say_it(fields: tuple[Any, ...], expected: str) -> None:
    assert words_of(*fields) == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (21, "21st"),
    ],
)
def test_days_are_counted(day: int, expected: str) -> None:
    words = words_of(RECURRING, datetime(2026, 1, day, 9, tzinfo=UTC), 1, MONTH)
    assert words == f"every month on the {expected} at 09:00 (UTC)"
