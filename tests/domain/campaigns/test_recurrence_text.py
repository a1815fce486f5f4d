"""Schedules as people read them."""

from datetime import UTC, datetime

import pytest

from tests.support.table import table
from webapp.domain.campaigns.recurrence_text import ScheduleFields, schedule_as_text
from webapp.models.campaign import RecurrenceUnit, ScheduleType

DAY, WEEK, MONTH = RecurrenceUnit
MANUAL, ONCE, RECURRING, NEW = ScheduleType
MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)  # 09:00 in Berlin
LAST_OF_MONTH = datetime(2026, 10, 31, 22, 30, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)  # the year after in Berlin


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (ScheduleFields(MANUAL), "when you confirm"),
        (ScheduleFields(MANUAL, MONDAY, 2, WEEK), "when you confirm"),
        (ScheduleFields(ONCE, MONDAY), "once on Mon 23 Nov 2026 at 08:00"),
        (ScheduleFields(ONCE, NEW_YEAR, timezone="Europe/Berlin"), "once on Fri 1 Jan 2027 at 00:30"),
        (ScheduleFields(ONCE), "once"),
        (ScheduleFields(RECURRING, MONDAY, 2, WEEK, "Europe/Berlin"), "every 2 weeks on Monday at 09:00"),
        (ScheduleFields(RECURRING, MONDAY, 1, WEEK), "every week on Monday at 08:00"),
        (ScheduleFields(RECURRING, MONDAY, 1, DAY), "every day at 08:00"),
        (ScheduleFields(RECURRING, MONDAY, 10_000, DAY), "every 10,000 days at 08:00"),
        (ScheduleFields(RECURRING, MONDAY, 3, MONTH), "every 3 months on the 23rd at 08:00"),
        (ScheduleFields(RECURRING, LAST_OF_MONTH, 1, MONTH), "every month on the 31st (or the last day) at 22:30"),
        (ScheduleFields(RECURRING, NEW_YEAR, 1, MONTH, "Europe/Berlin"), "every month on the 1st at 00:30"),
        (ScheduleFields(RECURRING, None, 2, WEEK), "every 2 weeks"),
        (ScheduleFields(RECURRING), "repeatedly"),
        (ScheduleFields(NEW), "to new members, within 5 minutes"),
        (ScheduleFields(NEW, MONDAY), "to new members, within 5 minutes"),
        (ScheduleFields(NEW, MONDAY, 1, DAY), "to new members, every day at 08:00"),
    ],
)
def test_a_schedule_reads_as_people_say_it(fields: ScheduleFields, expected: str) -> None:
    assert schedule_as_text(fields) == expected


@table(
    ("day", "expected"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (22, "22nd")],
)  # fmt: skip
def test_days_are_counted(day: int, expected: str) -> None:
    words = schedule_as_text(ScheduleFields(RECURRING, datetime(2026, 1, day, 9, tzinfo=UTC), 1, MONTH))
    assert words == f"every month on the {expected} at 09:00"
