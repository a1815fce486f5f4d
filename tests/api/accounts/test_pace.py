"""The pace of an account over the API: its fields, what a bad one answers, and what is left for campaigns."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_account, make_mail
from webapp import clock
from webapp.models import Account, AccountUsage, Organization
from webapp.models.outbox.claims import claim

RELAY = {"name": "Shop", "provider_type": "smtp", "smtp_host": "smtp.example.com", "smtp_port": 587}
WINDOW = {"days": ["fri", "mon"], "from": "08:00", "to": "18:30", "timezone": "Europe/Berlin"}
RAMP = {"start": 50, "step_percent": 20, "until": 2_000}
PACE = {
    "max_per_minute": 30,
    "max_per_hour": 1_000,
    "min_gap_seconds": 2,
    "send_window": WINDOW,
    "ramp": RAMP,
    "reserve_for_transactional": 20,
}


async def test_a_pace_is_saved_changed_and_removed(api: Api, rival_api: Api) -> None:
    made = await api.create("/v1/accounts", RELAY | PACE)
    window = WINDOW | {"days": ["mon", "fri"], "includes_transactional": False}
    assert {name: made[name] for name in PACE} == PACE | {"send_window": window}
    assert (made["remaining_today"], made["remaining_for_campaigns"]) == (50, 30)
    path = f"/v1/accounts/{made['id']}"
    status, answer = await api.patch(path, {"ramp": None, "send_window": {**WINDOW, "to": "24:00"}})
    assert (status, answer["data"]["remaining_today"], answer["data"]["remaining_for_campaigns"]) == (200, 500, 480)
    assert (answer["data"]["max_per_hour"], answer["data"]["send_window"]["to"]) == (1_000, "24:00")
    _, answer = await api.patch(path, dict.fromkeys(PACE))
    assert {name: answer["data"][name] for name in PACE} == dict.fromkeys(PACE)
    assert await rival_api.patch(path, PACE) == (404, NOT_FOUND)


async def test_the_example_of_the_guide_is_accepted(api: Api) -> None:
    (example,) = re.findall(
        r"```json\n(.*?)```", (Path(__file__).parents[3] / "docs" / "pace.md").read_text(), re.DOTALL
    )
    made = await api.create("/v1/accounts", RELAY | json.loads(example))
    assert (made["remaining_today"], made["remaining_for_campaigns"]) == (50, 30)


async def test_a_raised_pace_ends_the_wait_for_the_one_before(
    api: Api, acme: Organization, rival: Organization
) -> None:
    account, stranger = await make_account(acme, max_per_hour=1), await make_account(rival, max_per_hour=1)
    for org, of in ((acme, account), (rival, stranger)):
        await make_mail(org, of)
        assert len(await claim(of.id, messages=1, lease_seconds=60)) == 1
    assert (await api.patch(f"/v1/accounts/{account.id}", {"max_per_hour": 100}))[0] == 200
    waits = {each.account_id: each.next_of_hour_at - clock.now() for each in await AccountUsage.all()}
    assert timedelta(seconds=30) < waits[account.id] < timedelta(seconds=40)
    assert waits[stranger.id] > timedelta(minutes=59)


async def test_a_window_is_in_the_organizations_time_zone_unless_it_names_one(api: Api) -> None:
    window = {name: value for name, value in WINDOW.items() if name != "timezone"}
    made = await api.create("/v1/accounts", RELAY | {"send_window": window})
    assert made["send_window"]["timezone"] == "UTC"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("max_per_minute", value) for value in (0, -1, 1.5, "30", 2**62)),
        *(("max_per_hour", value) for value in (0, -1, 2.5, True, 2**62)),
        *(("min_gap_seconds", value) for value in (0, -1, 0.5, 3_601, 2**62)),
        *(("reserve_for_transactional", value) for value in (-1, 500, 2**62, "1")),
        ("send_window", []),
        ("send_window", WINDOW | {"to": "08:00"}),
        ("send_window.days", WINDOW | {"days": []}),
        ("send_window.days", WINDOW | {"days": ["mon"] * 8}),
        ("send_window.days.0", WINDOW | {"days": ["monday"]}),
        ("send_window.from", WINDOW | {"from": "8:00"}),
        ("send_window.from", WINDOW | {"from": "24:00"}),
        ("send_window.to", WINDOW | {"to": "24:01"}),
        ("send_window.to", WINDOW | {"to": "08:00\n"}),
        ("send_window.to", {"days": ["mon"], "from": "08:00"}),
        ("send_window.timezone", WINDOW | {"timezone": "Mars/Olympus"}),
        ("send_window.timezone", WINDOW | {"timezone": "../../etc/passwd"}),
        ("send_window.until", WINDOW | {"until": "18:00"}),
        ("ramp", RAMP | {"until": 49}),
        ("ramp.start", RAMP | {"start": 0}),
        ("ramp.step_percent", RAMP | {"step_percent": -20}),
        ("ramp.step_percent", RAMP | {"step_percent": 0}),
        ("ramp.step_percent", RAMP | {"step_percent": 10**9}),
        ("ramp.until", RAMP | {"until": 2**62}),
        ("ramp.until", {"start": 1, "step_percent": 20}),
    ],
)
async def test_a_bad_pace_is_refused_at_its_field(api: Api, field: str, value: Any) -> None:
    status, body = await api.post("/v1/accounts", RELAY | {field.partition(".")[0]: value})
    assert (status, body["details"][0]["field"]) == (400, field)
    assert body["message"].startswith(field)
    assert await Account.all().count() == 0


async def test_a_reserve_must_be_within_the_ramp_and_the_limit(api: Api) -> None:
    made = await api.create("/v1/accounts", RELAY | {"reserve_for_transactional": 60})
    for change in ({"ramp": RAMP}, {"daily_mail_limit": 60}):
        status, body = await api.patch(f"/v1/accounts/{made['id']}", change)
        assert (status, body["details"][0]["field"]) == (400, "reserve_for_transactional")
