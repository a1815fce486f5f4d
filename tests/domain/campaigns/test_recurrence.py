"""When campaigns run: a table of the days on which clocks and calendars are odd, and what holds on all others."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.figures import Figures
from webapp.domain.campaigns.recurrence import (
    NEW_CONTACTS_EVERY,
    Recurrence,
    first_run,
    next_occurrence,
    next_run,
    occurrence,
)
from webapp.models import Campaign
from webapp.models.campaign import RecurrenceUnit, ScheduleType

DAY, WEEK, MONTH = RecurrenceUnit
MANUAL, ONCE, RECURRING, NEW_CONTACTS = ScheduleType
ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
    "Pacific/Kiritimati", "Etc/GMT+12",
]  # fmt: skip


def local(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("anchor", "every", "expected"),
    [
        ("2026-01-31 09:00", (1, MONTH, "UTC"), ["2026-02-28 09:00", "2026-03-31 09:00", "2026-04-30 09:00"]),
        ("2024-02-29 09:00", (12, MONTH, "UTC"), ["2025-02-28 09:00", "2026-02-28 09:00", "2027-02-28 09:00"]),
        ("2026-11-20 09:00", (2, WEEK, "UTC"), ["2026-12-04 09:00", "2026-12-18 09:00"]),
        # The wall clock stays over both changes of the year.
        ("2026-03-28 09:00", (1, DAY, "Europe/Berlin"), ["2026-03-29 09:00", "2026-03-30 09:00"]),
        # 02:30 does not exist on 29 March: it moves forward, and is back the day after.
        ("2026-03-28 02:30", (1, DAY, "Europe/Berlin"), ["2026-03-29 03:30", "2026-03-30 02:30"]),
        ("2026-09-28 02:15", (6, DAY, "Australia/Lord_Howe"), ["2026-10-04 02:45", "2026-10-10 02:15"]),
    ],
)
def test_occurrences_keep_the_wall_clock_and_never_drift(
    anchor: str, every: tuple[int, RecurrenceUnit, str], expected: list[str]
) -> None:
    zone = every[2]
    found = [occurrence(local(anchor, zone), number, Recurrence(*every)) for number in range(1, len(expected) + 1)]
    assert [f"{one.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" for one in found] == expected


def test_a_time_that_comes_twice_fires_once() -> None:
    every = Recurrence(1, DAY, "Europe/Berlin")
    anchor = local("2026-10-24 02:30", "Europe/Berlin")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert occurrence(anchor, 1, every) == first
    assert next_occurrence(anchor, every, first) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


recurrences = st.builds(Recurrence, st.integers(1, 40), st.sampled_from(RecurrenceUnit), st.sampled_from(ZONES))
instants = st.integers(0, 55 * 365 * 86400).map(
    lambda seconds: datetime(2005, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)


@given(instants, recurrences, instants)
def test_the_next_occurrence_is_the_first_one_later(anchor: datetime, every: Recurrence, after: datetime) -> None:
    found = next_occurrence(anchor, every, after)
    assert found > after
    assert found >= anchor
    number = next(n for n in range(30_000) if occurrence(anchor, n, every) == found)
    assert number == 0 or occurrence(anchor, number - 1, every) <= after


YEARS = 20
ODD_TIMES = ["02:30", "00:00"]


@pytest.mark.parametrize("time", ODD_TIMES)
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Australia/Lord_Howe", "Etc/GMT+12", "America/New_York"])
def test_f34_a_daily_schedule_of_20_years_fires_once_on_each_day(zone: str, time: str, figures: Figures) -> None:
    every, at = Recurrence(1, DAY, zone), local(f"2024-02-29 {time}", zone).astimezone(UTC)
    anchor, days = at, [at.astimezone(ZoneInfo(zone)).date()]
    while days[-1].year < 2024 + YEARS:
        at = next_occurrence(anchor, every, at)
        days.append(at.astimezone(ZoneInfo(zone)).date())
    wanted = [days[0] + timedelta(days=number) for number in range(len(days))]
    figures("days without it, or with two", sum(day != its for day, its in zip(days, wanted, strict=True)), exactly=0)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Australia/Lord_Howe", "Etc/GMT+12", "America/New_York"])
@pytest.mark.parametrize("first", ["2024-01-31 02:30", "2024-02-29 00:00"])
def test_f34_a_monthly_schedule_of_20_years_fires_once_in_each_month_on_its_day_or_the_last(
    zone: str, first: str, figures: Figures
) -> None:
    every, at = Recurrence(1, MONTH, zone), local(first, zone).astimezone(UTC)
    anchor, wanted, found = at, local(first, zone).day, []
    for _ in range(12 * YEARS):
        at = next_occurrence(anchor, every, at)
        found.append(at.astimezone(ZoneInfo(zone)).date())
    months = [divmod(local(first, zone).month + number, 12) for number in range(12 * YEARS)]
    assert [(day.year, day.month) for day in found] == [(2024 + years, month + 1) for years, month in months]
    wrong = [day for day in found if day.day != min(wanted, monthrange(day.year, day.month)[1])]
    figures("months in which it was another day", len(wrong), exactly=0)


NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=3)
DAILY = {"recurrence_interval": 1, "recurrence_unit": DAY}


@pytest.mark.parametrize(
    ("kind", "scheduled_at", "every", "expected"),
    [
        (MANUAL, LATER, DAILY, None),
        (ONCE, LATER, {}, LATER),
        (RECURRING, LATER, DAILY, LATER),
        (RECURRING, None, DAILY, NOW + timedelta(days=1)),
        (NEW_CONTACTS, None, {}, NOW + NEW_CONTACTS_EVERY),
        (NEW_CONTACTS, None, DAILY, NOW + timedelta(days=1)),
    ],
)
def test_a_schedule_starts_at_its_time_or_one_interval_from_now(
    kind: ScheduleType, scheduled_at: datetime | None, every: dict[str, object], expected: datetime | None
) -> None:
    assert first_run(Campaign(schedule_type=kind, scheduled_at=scheduled_at, **every), "UTC", NOW) == expected


@pytest.mark.parametrize(
    ("kind", "every", "after", "expected"),
    [
        (ONCE, {}, NOW - timedelta(days=1), NOW),
        (RECURRING, DAILY, NOW - timedelta(days=9), NOW),
        (RECURRING, DAILY, NOW, NOW + timedelta(days=1)),
        (NEW_CONTACTS, {}, NOW - timedelta(seconds=1), NOW),
        (NEW_CONTACTS, {}, NOW + timedelta(minutes=12), NOW + timedelta(minutes=15)),
    ],
)
def test_an_armed_schedule_is_due_next(
    kind: ScheduleType, every: dict[str, object], after: datetime, expected: datetime
) -> None:
    assert next_run(Campaign(schedule_type=kind, anchor_at=NOW, **every), "UTC", after) == expected
