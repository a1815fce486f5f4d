"""The pace of an account on its pages: entered, refused at its fields, offered by its provider, and said in words."""

import pytest

from tests.factories import make_account
from tests.pages.conftest import Visitor
from webapp.models import Account, Organization
from webapp.models.queries.provider_slowdowns import slow_down

TYPED = {
    "max_per_minute": "30",
    "max_per_hour": "1000",
    "min_gap_seconds": "2",
    "window_from": "08:00",
    "window_to": "18:00",
    "window_timezone": "Europe/Berlin",
    "ramp_start": "50",
    "ramp_step_percent": "20",
    "ramp_until": "2000",
    "reserve_for_transactional": "20",
}


async def test_a_pace_is_entered_shown_and_removed(owner: Visitor, rival_owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, name="Shop")
    place = f"/accounts/{account.id}/pace"
    page = await owner.submit(await owner.get(place), place, **TYPED)
    assert (page.path, page.notes) == (place, ["Pace saved."])
    saved = await Account.get(id=account.id)
    assert (saved.max_per_minute, saved.max_per_hour, saved.min_gap_seconds) == (30, 1_000, 2)
    assert saved.send_window is not None
    assert (len(saved.send_window["days"]), saved.send_window["to"]) == (7, "18:00")
    assert saved.ramp == {"start": 50, "step_percent": 20, "until": 2_000}
    await slow_down(account, "microsoft", "421 slow down")
    text = (await owner.get(f"/accounts/{account.id}")).text
    assert "Sends at most 30 emails per minute and 1,000 emails per hour, and leaves at least 2 seconds" in text
    assert "Sends campaigns every day from 08:00 to 18:00, Europe/Berlin." in text
    assert "Sends up to 50 today: its ramp grows from 50 a day by 20% to 2,000." in text
    assert "Microsoft asked Shop to slow down at " in text
    page = await owner.submit(await owner.get(place), place, **dict.fromkeys(TYPED, ""))
    saved = await Account.get(id=account.id)
    assert (saved.max_per_minute, saved.send_window, saved.ramp, saved.reserve_for_transactional) == (None,) * 4
    assert (await rival_owner.get(place)).status == 404


async def test_days_without_hours_are_whole_days(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    place = f"/accounts/{account.id}/pace"
    await owner.submit(await owner.get(place), place, days="sat")
    window = {"days": ["sat"], "from": "00:00", "to": "24:00", "timezone": "UTC", "includes_transactional": False}
    assert (await Account.get(id=account.id)).send_window == window
    text = (await owner.get(f"/accounts/{account.id}")).text
    assert "Sends campaigns Sat from 00:00 to 24:00, UTC." in text


async def test_a_changed_pace_does_not_hide_that_an_account_cannot_sign_in(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, status="error", last_error="host smtp.example.com not found")
    place = f"/accounts/{account.id}/pace"
    await owner.submit(await owner.get(place), place, max_per_hour="60")
    assert (await Account.get(id=account.id)).max_per_hour == 60
    page = await owner.get(f"/accounts/{account.id}")
    assert "Host smtp.example.com not found." in page.facts["Last error"]
    assert page.soup.select_one(".facts a[href='#settings']")


@pytest.mark.parametrize(
    ("fields", "at", "words"),
    [
        ({"max_per_hour": "0"}, "max_per_hour", "Enter at least 1."),
        ({"min_gap_seconds": "-1"}, "min_gap_seconds", "Enter at least 1."),
        ({"window_to": "8"}, "window_to", "Enter a time of day like 08:30."),
        ({"window_to": "08:00"}, "send_window", "The window must be longer than zero minutes"),
        ({"ramp_step_percent": "-5"}, "ramp_step_percent", "Enter at least 1."),
        ({"ramp_until": ""}, "ramp_until", "The end of the ramp is needed with the others, or leave all"),
        ({"window_to": ""}, "window_to", "The closing hour is needed with the others, or leave all"),
        ({"ramp_until": "10"}, "ramp", "The ramp must not fall"),
        ({"reserve_for_transactional": "50"}, "reserve_for_transactional", "The reserve must be less than the ramp's"),
    ],
)
async def test_a_bad_pace_is_said_at_its_field(
    owner: Visitor, acme: Organization, fields: dict[str, str], at: str, words: str
) -> None:
    account = await make_account(acme)
    place = f"/accounts/{account.id}/pace"
    page = await owner.submit(await owner.get(place), place, **TYPED | {"max_per_minute": ""} | fields)
    assert page.status == 422
    assert page.soup.find(id="f-max_per_minute")["value"] == ""
    assert words in str(page.error_at(at))
    assert (await Account.get(id=account.id)).max_per_minute is None


async def test_what_the_provider_allows_is_offered_and_not_imposed(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, smtp_host="smtp.office365.com", smtp_port=587)
    place = f"/accounts/{account.id}/pace"
    page = await owner.get(place)
    offer = next(link["href"] for link in page.soup.select("a.button") if "offer=" in link["href"])
    page = await owner.get(offer)
    assert page.soup.find(id="f-max_per_minute")["value"] == "30"
    assert (await Account.get(id=account.id)).max_per_minute is None
