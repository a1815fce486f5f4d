"""The organization's settings: who may change them, and what another timezone does to days and schedules."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import make_account, make_campaign, make_mail
from tests.fakes.worker import eventually
from tests.pages.campaigns.test_campaigns import DAILY
from tests.pages.conftest import Page, Visitor
from webapp import clock, db
from webapp.domain.campaigns.recurrence import next_run
from webapp.models import Account, AccountUsage, AuditEntry, Campaign, Organization
from webapp.models.outbox.claims import claim
from webapp.models.outbox.daily_quota import count_claimed, lock_quota

PLACE = "/organization"


async def save(visitor: Visitor, **fields: str) -> Page:
    return await visitor.submit(await visitor.get(PLACE), PLACE, **fields)


async def test_an_owner_sets_the_name_the_timezone_and_strictness(owner: Visitor, acme: Organization) -> None:
    page = await save(owner, name=" Acme Library ", timezone="Europe/Berlin", strict_from="1")
    assert (page.path, page.notes) == (PLACE, ["Settings saved."])
    assert "Acme Library" in page.soup.select_one(".brand").text  # type: ignore[union-attr]  # every page has it
    await acme.refresh_from_db()
    assert (acme.name, acme.timezone, acme.strict_from) == ("Acme Library", "Europe/Berlin", True)
    assert page.soup.select_one("option[selected]")["value"] == "Europe/Berlin"  # type: ignore[index]  # one is chosen
    entry = await AuditEntry.of(acme).get()
    assert (entry.actor, entry.action) == ("ada@acme.example", "organization.changed")
    changes = {"name": ["Acme", "Acme Library"], "timezone": ["UTC", "Europe/Berlin"], "strict_from": [False, True]}
    assert entry.details == changes
    page = await save(owner, name="x" * 201, timezone="Mars/Base")
    assert (page.status, page.error_at("timezone")) == (422, "Enter a time zone like Europe/Paris or UTC.")
    assert page.error_at("name") == "Name must be 1 to 200 characters on one line."
    await save(owner)  # the same again, without the tick
    await acme.refresh_from_db()
    assert (acme.name, acme.timezone, acme.strict_from) == ("Acme Library", "Europe/Berlin", False)


async def test_acceptance_counts_as_delivery_once_an_owner_says_so(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    assert (await owner.get(PLACE)).soup.select_one("[name=delivered_on_acceptance][checked]") is None
    page = await save(owner, delivered_on_acceptance="1")
    assert page.soup.select_one("[name=delivered_on_acceptance][checked]") is not None
    assert (await AuditEntry.of(acme).get()).details == {"delivered_on_acceptance": [False, True]}
    for org in (acme, rival):
        await org.refresh_from_db()
    assert (acme.delivered_on_acceptance, rival.delivered_on_acceptance) == (True, False)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_no_daily_limit_is_passed_by_another_timezone(owner: Visitor, acme: Organization, zone: str) -> None:
    """What was claimed on the days that overlap with the new zone's today counts for today."""
    account, today = await make_account(acme, daily_mail_limit=500), clock.today("UTC")
    await AccountUsage.create(account_id=account.id, day=today, used=300)
    await AccountUsage.create(account_id=account.id, day=today - timedelta(days=1), used=40)
    await AccountUsage.create(account_id=account.id, day=today - timedelta(days=3), used=7)
    since = clock.start_of_day(clock.today(zone), zone)
    overlapping = 300 + (40 if since < clock.start_of_day(today, "UTC") else 0)
    await save(owner, timezone=zone)
    async with db.write_transaction():
        quota = await lock_quota(account.id)
    assert (quota.day, quota.used) == (clock.today(zone), overlapping)


async def test_another_timezone_keeps_the_pace(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, max_per_minute=1)
    for number in range(3):
        await make_mail(acme, account, f"ann{number}@example.org")

    async def count_claimed_mail() -> int:
        return len(await claim(account.id, messages=5, lease_seconds=60))

    assert await count_claimed_mail() == 1
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Kiritimati"):  # always on different days
        await save(owner, timezone=zone)
        assert await count_claimed_mail() == 0
    await AccountUsage.filter(account_id=account.id).update(next_message_at=clock.now() - timedelta(seconds=1))
    assert await count_claimed_mail() == 1


async def test_a_timezone_ends_the_days_that_it_has_not_begun(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account, stranger = await make_account(acme), await make_account(rival)
    await save(owner, timezone="Pacific/Kiritimati")
    ahead, today = clock.today("Pacific/Kiritimati"), clock.today("Pacific/Pago_Pago")
    assert await AccountUsage.filter(account_id=account.id, day=ahead).update(used=300)
    await AccountUsage.create(account_id=stranger.id, day=ahead, used=300)
    await save(owner, timezone="Pacific/Pago_Pago")
    days = await AccountUsage.all().order_by("-day").values_list("account_id", "day", "used")
    assert days == [(stranger.id, ahead, 300), (account.id, today, 300)]


async def test_what_is_claimed_while_the_timezone_changes_counts(owner: Visitor, acme: Organization) -> None:
    """Whoever claims at that moment has counted before the days move, or finds the new day."""
    account = await make_account(acme, daily_mail_limit=500)
    for number in range(6):
        zone = ("Pacific/Kiritimati", "Pacific/Pago_Pago")[number % 2]
        page = await owner.get(PLACE)
        await asyncio.gather(
            owner.submit(page, PLACE, timezone=zone), *(eventually(lambda: is_counted(account)) for _ in range(5))
        )
    async with db.write_transaction():
        quota = await lock_quota(account.id)
    assert quota.day == clock.today(zone)
    assert quota.used >= 30


async def is_counted(account: Account) -> bool:
    async with db.write_transaction():
        quota = await lock_quota(account.id)
        if quota is not None:
            await count_claimed(account.id, quota, 1, 1)
    return quota is not None


async def test_days_of_others_stay(owner: Visitor, rival: Organization) -> None:
    account, today = await make_account(rival), clock.today("UTC")
    await AccountUsage.create(account_id=account.id, day=today, used=5)
    await save(owner, timezone="Pacific/Kiritimati")
    of_rival = AccountUsage.filter(account_id=account.id)
    assert [(one.day, one.used) for one in await of_rival] == [(today, 5)]


BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"


@pytest.mark.parametrize(
    ("zone", "unit", "anchor", "due", "then"),
    [
        # 9:00 in Berlin: due as before, and then at that hour of New York, through the end of its summer time
        (NEW_YORK, "day", "2026-10-20T07:00", "2026-10-31T08:00", "2026-11-01T09:00"),
        # late on the 28th in Berlin is the 1st in Apia
        ("Pacific/Apia", "month", "2027-01-31T22:00", "2027-02-28T22:00", "2027-03-31T22:00"),
    ],
)
async def test_schedules_go_on_when_they_are_due(
    owner: Visitor, acme: Organization, zone: str, unit: str, anchor: str, due: str, then: str
) -> None:
    await Organization.filter(id=acme.id).update(timezone=BERLIN)
    campaign = await make_campaign(acme, **schedule(unit, anchor, due))
    assert (await save(owner, timezone=zone)).notes == ["Settings saved."]
    changed = await Campaign.of(acme).get(id=campaign.id)
    assert changed.next_run_at == instant(due)
    assert next_run(changed, zone, instant(due) - timedelta(seconds=1)) == instant(due)
    assert next_run(changed, zone, instant(due)) == instant(then)


async def test_what_is_not_armed_or_runs_once_and_others_stay(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    once = schedule("day", "2027-01-31T08:00", "2027-01-31T08:00") | {"schedule_type": "scheduled_once"}
    stopped = schedule("day", "2027-01-31T08:00", "2027-02-28T08:00") | {"next_run_at": None}
    campaigns = [
        await make_campaign(acme, **once),
        await make_campaign(acme, **stopped),
        await make_campaign(rival, **schedule("day", "2027-01-31T08:00", "2027-02-28T08:00")),
    ]
    await save(owner, timezone=NEW_YORK)
    for campaign in campaigns:
        before = (campaign.anchor_at, campaign.next_run_at)
        await campaign.refresh_from_db()
        assert (campaign.anchor_at, campaign.next_run_at) == before


def schedule(unit: str, anchor: str, due: str) -> dict[str, Any]:
    return DAILY | {"recurrence_unit": unit, "anchor_at": instant(anchor), "next_run_at": instant(due)}


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def test_the_time_zones_have_no_former_names(owner: Visitor, acme: Organization) -> None:
    options = [option["value"] for option in (await owner.get(PLACE)).soup.select("#f-timezone option")]
    assert {"UTC", "Europe/Amsterdam", "Asia/Kolkata", "America/Argentina/Buenos_Aires"} <= set(options)
    assert not {"Africa/Asmera", "Asia/Calcutta", "America/Coral_Harbour", "America/Buenos_Aires"} & set(options)
    await Organization.filter(id=acme.id).update(timezone="Asia/Calcutta")  # saved before
    page = await save(owner, name="Acme Library")
    assert (page.notes, page.soup.select_one("#f-timezone option[selected]")["value"]) == (
        ["Settings saved."],
        "Asia/Calcutta",
    )  # type: ignore[index]  # one is chosen
