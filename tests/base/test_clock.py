"""Days begin where the organization is."""

from datetime import UTC, date, datetime

import pytest

from webapp import clock


@pytest.mark.parametrize(
    ("timezone", "instant", "day"),
    [
        ("UTC", datetime(2026, 11, 20, 23, 59, tzinfo=UTC), date(2026, 11, 20)),
        ("Pacific/Kiritimati", datetime(2026, 11, 20, 10, 0, tzinfo=UTC), date(2026, 11, 21)),
        ("America/New_York", datetime(2026, 11, 20, 4, 59, tzinfo=UTC), date(2026, 11, 19)),
        ("Australia/Lord_Howe", datetime(2026, 11, 20, 13, 0, tzinfo=UTC), date(2026, 11, 21)),
    ],
)
def test_today_is_that_of_the_zone(timezone: str, instant: datetime, day: date) -> None:
    assert clock.today(timezone, instant) == day


def test_a_clock_change_makes_a_day_of_23_or_25_hours_or_moves_its_midnight_forward() -> None:
    before = datetime(2026, 3, 28, 23, 0, tzinfo=UTC)  # midnight in Berlin, before the change to summer time
    assert (clock.next_day("Europe/Berlin", before) - before).total_seconds() == 23 * 3600
    before = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)
    assert (clock.next_day("Europe/Berlin", before) - before).total_seconds() == 25 * 3600
    assert clock.start_of_day(date(2026, 9, 6), "America/Santiago") == datetime(2026, 9, 6, 4, 0, tzinfo=UTC)
