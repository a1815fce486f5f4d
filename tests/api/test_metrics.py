"""GET /v1/metrics and /v1/usage."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import copy_row, make_account, make_campaign, make_contact, make_run, make_template
from webapp import clock
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans.plans import PLANS
from webapp.models import Account, MailHit, MailLog, Organization
from webapp.models.base.row import id_lower_bound

ZONE = "America/New_York"
DAY = "must be a day like 2026-11-20, in the years 2000 to 2199"
GROUPS = "must be one or two of day, account, template and tag, separated by a comma"
NUMBERS = ("accepted", "sent", "failed", "bounced", "complained", "suppressed", "opened", "clicked")


def numbers(**known: int) -> dict[str, int]:
    return dict.fromkeys(NUMBERS, 0) | known


def by(rows: list[dict[str, Any]], *names: str) -> Mapping[Any, dict[str, int]]:
    """What rows count, by the values of their groups."""
    assert all(set(row) == {*names, *NUMBERS} for row in rows)
    return {tuple(row[name] for name in names): {name: row[name] for name in NUMBERS if row[name]} for row in rows}


def id_at(day: date, hour: int) -> UUID:
    """An id of this hour of the day in ZONE."""
    return UUID(int=id_lower_bound(datetime(day.year, day.month, day.day, hour, 30, tzinfo=ZoneInfo(ZONE))).int + 1)


async def read_at(org: Organization, row_id: UUID | str, day: date, hour: int, link_id: UUID | None = None) -> None:
    """A person's open of an email, or a click."""
    about: dict[str, Any] = {"mail_log_id": row_id, "link_id": link_id, "verdict": "person"}
    hit_id = UUID(int=id_at(day, hour).int + UUID(str(row_id)).int % 2**20 + (link_id is not None))
    await MailHit.create(org=org, id=hit_id, agent="", network="", **about)


@pytest.fixture
async def today(acme: Organization) -> date:
    await Organization.filter(id=acme.id).update(timezone=ZONE)
    return clock.today(ZONE)


async def test_emails_are_counted_by_outcome_on_the_days_of_the_organization(
    api: Api, rival_api: Api, acme: Organization, account: Account, today: date
) -> None:
    states = [
        {"status": "sent"},
        {"status": "sent", "bounced_at": clock.now()},
        {"status": "failed", "error": "550 no"},
    ]
    states += [{"status": "failed", "error": "suppressed: bounce on 2026-11-26"}, {"status": "pending"}]
    states += [{"status": "sent", "complained_at": clock.now()}]
    row_ids = [await send(api) for _ in states]
    for row_id, state in zip(row_ids, states, strict=True):
        await MailLog.filter(id=row_id).update(**state)
    week_ago = today - timedelta(days=7)
    late, early = id_at(week_ago, 23), id_at(week_ago + timedelta(days=1), 0)  # the same day in UTC
    await copy_row(await MailLog.get(id=row_ids[0]), [late, early])
    await read_at(acme, row_ids[0], week_ago, 10)
    await read_at(acme, row_ids[0], week_ago, 11)
    await read_at(acme, row_ids[1], week_ago, 12, link_id=UUID(int=1))
    status, body = await api.get("/v1/metrics")
    totals = numbers(accepted=8, sent=5, failed=1, bounced=1, complained=1, suppressed=1, opened=1, clicked=1)
    assert (status, body) == (200, {"data": [totals], "has_more": False})
    _, body = await api.get("/v1/metrics?group_by=day")
    assert [row["day"] for row in body["data"]] == [str(today - timedelta(days=ago)) for ago in reversed(range(30))]
    days = {day: counts for (day,), counts in by(body["data"], "day").items() if counts}
    assert days == {
        str(week_ago): {"accepted": 1, "sent": 1, "opened": 1, "clicked": 1},
        str(week_ago + timedelta(days=1)): {"accepted": 1, "sent": 1},
        str(today): {"accepted": 6, "sent": 3, "failed": 1, "bounced": 1, "complained": 1, "suppressed": 1},
    }
    _, body = await api.get(f"/v1/metrics?from={week_ago}&to={week_ago}")
    assert by(body["data"]) == {(): {"accepted": 1, "sent": 1, "opened": 1, "clicked": 1}}
    assert (await rival_api.get("/v1/metrics"))[1]["data"] == [numbers()]


async def test_they_are_grouped_by_account_template_and_tag(
    api: Api, rival_api: Api, acme: Organization, account: Account, today: date
) -> None:
    other, template = await make_account(acme, name="Other"), await make_template(acme)
    spring, shop = {"name": "campaign", "value": "spring"}, {"name": "kind", "value": "shop"}
    await send(api, tags=[spring, shop])
    tagged = await send(api, tags=[spring], account_key=other.account_key, html=None, template={"id": str(template.id)})
    await read_at(acme, tagged, today, 0)
    campaign = await make_campaign(acme, template=template)
    _, (row_id,) = await make_run(acme, [account], 1)
    await MailLog.filter(id=row_id).update(campaign_id=campaign.id)
    accounts = {(str(account.id),): {"accepted": 1}, (str(other.id),): {"accepted": 1, "opened": 1}}
    expected: dict[str, Mapping[Any, dict[str, int]]] = {
        "account": accounts | {(None,): {"accepted": 1}},
        "template": {(None,): {"accepted": 1}, (str(template.id),): {"accepted": 2, "opened": 1}},
        "tag": {
            ("campaign:spring",): {"accepted": 2, "opened": 1},
            ("kind:shop",): {"accepted": 1},
            (None,): {"accepted": 1},
        },
        "day, tag": {
            (str(today), "campaign:spring"): {"accepted": 2, "opened": 1},
            (str(today), "kind:shop"): {"accepted": 1},
            (str(today), None): {"accepted": 1},
        },
    }
    names = {"account": "account_id", "template": "template_id"}
    for group_by, counts in expected.items():
        status, body = await api.get(f"/v1/metrics?group_by={group_by}")
        groups = [names.get(group, group) for group in group_by.split(", ")]
        assert (status, by(body["data"], *groups)) == (200, counts)
        if group_by != "day, tag":
            assert (await rival_api.get(f"/v1/metrics?group_by={group_by}"))[1]["data"] == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("from=2026-11-31", f"from {DAY}"),
        ("from=yesterday", f"from {DAY}"),
        ("to=2026-11-20T00:00:00Z", f"to {DAY}"),
        ("from=2026-11-20&to=2026-11-19", "to must be from 0 to 365 days after from"),
        ("from=2025-11-19&to=2026-11-20", "to must be from 0 to 365 days after from"),
        ("from=2020-01-01", "to is required if from is over 365 days ago"),
        ("to=0001-01-10", f"to {DAY}"),
        ("from=9999-12-31&to=9999-12-31", f"from {DAY}"),
        ("group_by=", f"group_by {GROUPS}"),
        ("group_by=day,day", f"group_by {GROUPS}"),
        (
            "group_by=day,tag,account",
            f"group_by {GROUPS}",
        ),
        ("group_by=campaign", f"group_by {GROUPS}"),
        ("form=2026-11-20", "form is not a query parameter here: did you mean from?"),
    ],
)
async def test_a_wrong_query_is_refused_with_a_reason(api: Api, query: str, message: str) -> None:
    status, body = await api.get(f"/v1/metrics?{query}")
    assert (status, body["message"]) == (400, message)


async def test_the_plan_is_told_with_what_is_left(
    api: Api, rival_api: Api, acme: Organization, account: Account
) -> None:
    await make_account(acme, name="Paused", status="paused")
    await sandbox_account(acme)
    await make_contact(acme)
    await set_plan(acme, "free")
    await send(api, to=["ada@example.org", "bob@example.org"])
    status, body = await api.get("/v1/usage")
    data, plan = body["data"], PLANS["free"]
    limits = {limit.pop("limit"): limit for limit in data["limits"]}
    assert (status, data["plan"], data["remaining_today"]) == (200, "free", 500)
    assert limits["max_contacts"] == {"used": 1, "max": 1_000, "remaining": 999}
    assert limits["max_accounts"] == {"used": 2, "max": 2, "remaining": 0}
    assert limits["monthly_email_quota"] == {"used": 2, "max": 3_000, "remaining": 2_998}
    for name in (
        "requests_per_second",
        "burst",
        "kept_days",
        "kept_rows",
        "allow_automation",
        "allow_google_sheet_sync",
    ):
        assert data[name] == getattr(plan, name)
    assert datetime.fromisoformat(data["resets_at"]) > clock.now()
    theirs = (await rival_api.get("/v1/usage"))[1]["data"]
    assert {limit["max"] for limit in theirs["limits"]} == {None}
    assert {limit["used"] for limit in theirs["limits"] if limit["limit"] != "api_requests_per_month"} == {0}
    assert theirs["remaining_today"] == 0
