"""When a window is open: over midnight, on some days, and on the days on which clocks change."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.models.outbox.send_window import DAYS, SendWindow

BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"


def window(opens: str, closes: str, zone: str, days: Sequence[str] = DAYS) -> SendWindow:
    return SendWindow.of({"days": days, "from": opens, "to": closes, "timezone": zone})


def instant(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


@pytest.mark.parametrize(
    ("of", "at", "opens", "closes"),
    [
        # A summer's and a winter's day, and the days on which clocks go forward and back.
        (window("08:00", "18:00", BERLIN), "2026-07-01 12:00", "2026-07-01 06:00", "2026-07-01 16:00"),
        (window("08:00", "18:00", BERLIN), "2026-12-01 06:00", "2026-12-01 07:00", "2026-12-01 17:00"),
        (window("01:00", "05:00", BERLIN), "2026-03-28 23:00", "2026-03-29 00:00", "2026-03-29 03:00"),
        (window("01:00", "05:00", BERLIN), "2026-10-24 22:00", "2026-10-24 23:00", "2026-10-25 04:00"),
        (window("01:00", "05:00", NEW_YORK), "2026-03-08 05:00", "2026-03-08 06:00", "2026-03-08 09:00"),
        (window("00:30", "05:00", NEW_YORK), "2026-11-01 04:00", "2026-11-01 04:30", "2026-11-01 10:00"),
        # A boundary within the hour that is skipped is at its end, and a doubled one never opens outside the window.
        (window("02:30", "05:00", BERLIN), "2026-03-29 00:00", "2026-03-29 01:00", "2026-03-29 03:00"),
        (window("01:00", "02:30", BERLIN), "2026-03-28 23:00", "2026-03-29 00:00", "2026-03-29 01:00"),
        (window("02:30", "05:00", BERLIN), "2026-10-24 23:00", "2026-10-25 01:30", "2026-10-25 04:00"),
        (window("01:00", "02:30", BERLIN), "2026-10-24 22:00", "2026-10-24 23:00", "2026-10-25 00:30"),
        (window("01:30", "03:00", NEW_YORK), "2026-11-01 05:00", "2026-11-01 06:30", "2026-11-01 08:00"),
        (window("02:10", "02:50", BERLIN, ["sun"]), "2026-03-28 12:00", "2026-04-05 00:10", "2026-04-05 00:50"),
        # Over midnight, from the evening before, and on working days.
        (window("22:00", "06:00", BERLIN), "2026-12-01 03:00", "2026-11-30 21:00", "2026-12-01 05:00"),
        (window("22:00", "06:00", BERLIN, ["mon"]), "2026-12-01 05:00", "2026-12-07 21:00", "2026-12-08 05:00"),
        (window("00:00", "24:00", "UTC", ["sat"]), "2026-12-01 00:00", "2026-12-05 00:00", "2026-12-06 00:00"),
        (window("09:00", "17:00", "UTC", DAYS[:5]), "2026-12-04 17:00", "2026-12-07 09:00", "2026-12-07 17:00"),
    ],
)
def test_a_window_opens_and_closes_by_the_clock_on_the_wall(of: SendWindow, at: str, opens: str, closes: str) -> None:
    assert of.span(instant(at)) == (instant(opens), instant(closes))


times = st.tuples(st.integers(0, 23), st.sampled_from([0, 15, 30, 45])).map(lambda parts: "{:02}:{:02}".format(*parts))


@given(
    times,
    times,
    st.sampled_from([BERLIN, NEW_YORK, "Australia/Lord_Howe", "UTC"]),
    st.integers(0, 366 * 24 * 60).map(lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)),
)
def test_an_open_instant_has_a_time_of_day_within_the_window(opens: str, closes: str, zone: str, at: datetime) -> None:
    if opens == closes:
        return
    span = window(opens, closes, zone).span(at)
    assert max(span.opens_at, at) < span.closes_at
    for moment in (span.opens_at, span.closes_at - timedelta(minutes=1)):
        local = f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
        assert opens <= local < closes if opens < closes else local >= opens or local < closes
