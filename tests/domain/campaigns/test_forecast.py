"""When a send will be done: a table of what people would reckon, and what holds for all others."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_account
from webapp.domain.campaigns.forecast import MOST_DAYS, Capacity, forecast, forecast_text, load_capacities
from webapp.models import Organization
from webapp.models.outbox.pace import SPREAD
from webapp.models.outbox.send_window import DAYS, SendWindow

TUESDAY = datetime(2026, 11, 24, 13, 30, tzinfo=UTC)
FAST = 100.0


@pytest.mark.parametrize(
    ("recipients", "accounts", "expected"),
    [
        (
            4_210,
            [Capacity(500, 0, FAST)] * 3,
            "Thursday, about 00:00. Your daily limit is 1,500, so 2,710 will go out over the next 2 days",
        ),
        (500, [Capacity(500, 0, 1.0)], "today, about 13:38"),
        (500, [Capacity(500, 100, 1.0)], "tomorrow, about 00:01. Your daily limit is 500, so 100 will go out the next day"),
        # The quick one is used up first; what the slow one has left is what it takes.
        (700, [Capacity(100, 0, 10.0), Capacity(900, 0, 0.5)], "today, about 13:50"),
        (90_000, [Capacity(100, 0, FAST)], "more than a year from now. Your daily limit is 100, so 89,900 will go out on later days"),
        (10_000, [Capacity(None, 0, 100.0)], "today, about 13:31"),
    ],
)  # fmt: skip
def test_a_forecast_reads_as_people_reckon(recipients: int, accounts: list[Capacity], expected: str) -> None:
    assert forecast_text(forecast(recipients, accounts, TUESDAY, "UTC"), TUESDAY) == expected


def test_a_day_begins_at_the_organizations_midnight() -> None:
    late = datetime(2026, 11, 24, 22, 59, tzinfo=UTC)  # a minute before midnight in Berlin
    found = forecast(150, [Capacity(100, 40, 10.0)], late, "Europe/Berlin")
    assert found.days == (60, 90)
    assert found.ends_at == datetime(2026, 11, 24, 23, 0, 9, tzinfo=UTC)


def window(opens: str, closes: str) -> SendWindow:
    return SendWindow.of({"days": list(DAYS), "from": opens, "to": closes, "timezone": "UTC"})


def test_accounts_take_part_from_when_their_windows_open() -> None:
    early, late = (Capacity(500, 0, 0.1, window=window(*span)) for span in (("13:00", "14:00"), ("14:30", "15:00")))
    assert forecast(180, [early], TUESDAY, "UTC").ends_at == TUESDAY + timedelta(minutes=30)
    assert forecast(190, [early, late], TUESDAY, "UTC").ends_at == TUESDAY + timedelta(minutes=60, seconds=100)
    found = forecast(370, [early, late], TUESDAY, "UTC")
    assert (found.days, found.ends_at) == ((360, 10), datetime(2026, 11, 25, 13, 1, 40, tzinfo=UTC))


def test_many_accounts_are_forecast_for_fewer_days() -> None:
    spans = [(f"{number // 60:02}:{number % 60:02}", "23:30") for number in range(1_000)]
    found = forecast(10**9, [Capacity(1, 0, 1.0, window=window(*span)) for span in spans], TUESDAY, "UTC")
    assert found.days == (1_000, 1_000)
    words = "more than 2 days from now. Because of the sending window, 999,999,000 will go out on later days"
    assert forecast_text(found, TUESDAY) == words


@pytest.mark.parametrize(("accounts", "days"), [(1, 366), (21, 366), (40, 200), (10_000, 1)])
def test_accounts_without_a_window_are_forecast_for_more_days(accounts: int, days: int) -> None:
    found = forecast(10**9, [Capacity(1, 0, 1.0)] * accounts, TUESDAY, "UTC")
    assert found.days == (accounts,) * days


capacities = st.builds(
    Capacity,
    limit=st.one_of(st.none(), st.integers(1, 5_000)),
    used=st.integers(0, 6_000),
    per_second=st.floats(0.01, 500.0),
)
instants = st.integers(0, 15 * 366 * 24 * 3600).map(lambda passed: TUESDAY + timedelta(seconds=passed))
zones = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati"])


@given(st.integers(0, 50_000), st.lists(capacities, max_size=5), instants, zones)
def test_everybody_is_reached_once_and_no_day_takes_more_than_its_limits(
    recipients: int, accounts: list[Capacity], at: datetime, zone: str
) -> None:
    found = forecast(recipients, accounts, at, zone)
    assert len(found.days) <= MOST_DAYS
    total = sum(found.days)
    assert total == recipients if found.ends_at else total <= recipients
    for number, share in enumerate(found.days):
        rooms = [
            None if one.limit is None else max(one.limit - (one.used if number == 0 else 0), 0) for one in accounts
        ]
        assert None in rooms or share <= sum(room for room in rooms if room is not None)
    if found.ends_at:
        assert found.ends_at >= at
        last = at.astimezone(ZoneInfo(zone)).date() + timedelta(days=max(len(found.days) - 1, 0))
        # A day has no more than it can send: what is done, is done before it is over.
        assert (found.ends_at - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).date() <= last


async def test_a_maximum_of_emails_per_minute_slows_the_forecast(acme: Organization) -> None:
    accounts = [await make_account(acme, max_per_minute=most) for most in (None, 30, 600)]
    rates = [60 * capacity.per_second for capacity in await load_capacities(acme, accounts, TUESDAY)]
    assert rates == pytest.approx([240, 28 * 60 / (60 + SPREAD), 240])
