"""Schedules fire: at their time, once, and late ones as the contract's "missed ticks" has it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from uuid_utils.compat import uuid7

from jobs.periodic import periodic_work
from tests.factories import account_on, make_campaign, make_contact, make_org, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.figures import Figures
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.domain.delivery import recovery
from webapp.models import Account, Campaign, CampaignRun, Contact, Event, MailLog, Organization
from webapp.models.campaign import due_campaigns

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DAILY = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}
ONCE = {"schedule_type": "scheduled_once"}

Arm = Callable[..., Awaitable[Campaign]]


@pytest.fixture
async def arm(acme: Organization, rival: Organization, smtp_server: SmtpServer) -> Arm:
    """Make a campaign with two members that has been due for `late`; a stranger has one that is not due."""
    for org in (acme, rival):
        await account_on(smtp_server, org)

    async def make(late: timedelta = MINUTE / 2, org: Organization = acme, **fields: Any) -> Campaign:
        segment = await make_segment(org, await make_contact(org), await make_contact(org))
        at = clock.now() - late
        times = {"anchor_at": at, "next_run_at": at, "status": "scheduled"}
        return await make_campaign(org, segment=segment, template=await make_template(org), **{**times, **fields})

    await make(-DAY, rival, **DAILY)
    return make


async def runs(campaign: Campaign) -> list[CampaignRun]:
    return await CampaignRun.across_orgs().filter(campaign_id=campaign.id).order_by("id")


async def fire(campaign: Campaign) -> Campaign:
    """The campaign after the scheduler has looked once."""
    await run_due_schedules()
    return await Campaign.get(id=campaign.id)


async def end_runs(org: Organization) -> None:
    await MailLog.of(org).update(status="sent")
    await CampaignRun.of(org).update(status="completed", materialised=True)
    await Campaign.of(org).filter(next_run_at__isnull=False).update(status="scheduled")


async def test_a_due_campaign_starts_within_30_seconds_and_arrives(
    arm: Arm, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    soon = clock.now() + timedelta(seconds=1)
    campaign = await arm(anchor_at=soon, next_run_at=soon, **ONCE)
    await asyncio.sleep(1)
    await run_due_schedules()
    async with working(settings):
        await eventually(CampaignRun.of(acme).filter(status="completed").exists)
    periods = {piece.run: piece.seconds for piece in periodic_work(settings, recovery.kill_idle_transactions)}
    assert periods[run_due_schedules] <= 30
    (run,) = await runs(campaign)
    assert soon <= run.started_at
    assert (run.trigger, run.status) == ("schedule", "completed")
    contacts = {contact.email for contact in await Contact.of(acme)}
    assert {message.recipients[0] for message in smtp_server.messages} == contacts
    assert await MailLog.of(rival).count() == 0


@pytest.mark.parametrize("schedule", [ONCE, DAILY], ids=["once", "daily"])
async def test_a_schedule_runs_once_and_is_disarmed_or_armed_for_its_next_time_from_the_anchor(
    arm: Arm, acme: Organization, schedule: dict[str, Any]
) -> None:
    campaign = await arm(**schedule)
    found = await fire(campaign)
    assert (found.status, found.schedule_note) == ("sending", None)
    armed = (campaign.anchor_at, campaign.anchor_at + DAY) if schedule is DAILY else (None, None)
    assert (found.anchor_at, found.next_run_at) == armed
    await end_runs(acme)
    await run_due_schedules()
    assert len(await runs(campaign)) == 1


async def test_an_occurrence_whose_earlier_run_still_sends_begins_when_that_has_ended(
    arm: Arm, acme: Organization
) -> None:
    campaign = await arm(5 * HOUR, **DAILY | {"status": "sending"})
    await run_due_schedules()
    assert await runs(campaign) == []
    await end_runs(acme)
    assert "started late" in ((await fire(campaign)).schedule_note or "")
    assert len(await runs(campaign)) == 1


async def test_an_occurrence_that_is_over_six_hours_late_is_skipped_with_a_note(arm: Arm, acme: Organization) -> None:
    acme.timezone = "Asia/Kathmandu"  # 5:45 ahead
    await acme.save()
    at = clock.now().replace(minute=30, second=0, microsecond=0) - 7 * HOUR
    campaign = await arm(anchor_at=at, next_run_at=at, **DAILY)
    found = await fire(campaign)
    local = f"{at + timedelta(hours=5, minutes=45):%-d %b %Y, %H:%M} (Asia/Kathmandu)"
    assert found.schedule_note == f"the send scheduled for {local} was skipped (more than 6 hours late)"
    assert (found.status, found.next_run_at) == ("scheduled", at + DAY)
    assert await runs(campaign) == []


async def test_a_single_occurrence_that_is_skipped_leaves_a_campaign_that_can_be_sent(arm: Arm) -> None:
    campaign = await arm(7 * HOUR, **ONCE)
    found = await fire(campaign)
    assert (found.status, found.anchor_at, found.next_run_at) == ("draft", None, None)


async def test_f36_three_days_without_a_scheduler_make_one_run_of_the_latest_occurrence(
    arm: Arm, figures: Figures
) -> None:
    campaign = await arm(3 * DAY + HOUR, **DAILY)
    await asyncio.gather(*(run_due_schedules() for _ in range(3)))
    figures("runs", len(await runs(campaign)), at_most=1)
    (run,) = await runs(campaign)
    latest = campaign.anchor_at + 3 * DAY
    assert run.trigger_key == f"sched:{latest.isoformat()}"
    found = await Campaign.get(id=campaign.id)
    assert found.next_run_at == latest + DAY
    assert "were skipped" in (found.schedule_note or "")


async def test_f20_thirty_schedulers_start_one_run(arm: Arm, figures: Figures) -> None:
    campaign = await arm(**DAILY)
    await asyncio.gather(*(run_due_schedules() for _ in range(30)))
    figures("runs", len(await runs(campaign)), exactly=1)


async def test_an_occurrence_with_nobody_to_send_to_says_so(arm: Arm, acme: Organization) -> None:
    campaign = await arm(**DAILY)
    await Contact.of(acme).update(status="unsubscribed")
    found = await fire(campaign)
    assert found.status == "scheduled"
    assert "had no recipients" in (found.schedule_note or "")


async def test_an_occurrence_without_an_account_waits_for_one(arm: Arm, acme: Organization) -> None:
    campaign = await arm(**DAILY)
    await Account.of(acme).update(status="error")
    found = await fire(campaign)
    assert (found.status, found.next_run_at) == ("scheduled", campaign.next_run_at)
    assert "couldn't start yet: there is no active account" in (found.schedule_note or "")
    assert "The sandbox only sends while you have no other" in (found.schedule_note or "")
    await Account.of(acme).update(status="active")
    assert (await fire(campaign)).schedule_note is None
    assert len(await runs(campaign)) == 1


async def test_an_automatic_campaign_no_longer_says_that_it_could_not_start_after_it_did(
    arm: Arm, acme: Organization
) -> None:
    campaign = await arm(schedule_type="recurring_new_contacts")
    await Account.of(acme).update(status="error")
    assert "couldn't start yet" in ((await fire(campaign)).schedule_note or "")
    await Account.of(acme).update(status="active")
    assert (await fire(campaign)).schedule_note is None


async def test_a_campaign_whose_accounts_are_all_deleted_is_halted_at_its_next_send(
    acme: Organization, rival: Organization, arm: Arm
) -> None:
    theirs = await Account.of(rival).get()
    campaign = await arm(**DAILY, sender_account_ids=[str(uuid7()), str(theirs.id)])
    halted = await fire(campaign)
    assert (halted.status, halted.next_run_at, halted.halted_reason) == ("halted", None, "its account was deleted")
    assert await Event.of(acme).filter(type="campaign.halted").count() == 1
    assert await runs(campaign) == []


@pytest.mark.parametrize(("limit", "allowed"), [("monthly_email_quota", 1), ("allow_automation", False)])
async def test_what_the_plan_does_not_allow_halts_the_campaign_with_the_reason(
    arm: Arm, acme: Organization, settings: Settings, limit: str, allowed: int
) -> None:
    campaign = await arm(**DAILY)
    use_plans(settings, {"small": {limit: allowed}})
    await Organization.filter(id=acme.id).update(plan="small")
    found = await fire(campaign)
    assert (found.status, found.next_run_at) == ("halted", None)
    assert limit in (found.halted_reason or "")
    assert await MailLog.of(acme).count() == 0


async def test_one_campaign_that_cannot_be_fired_holds_up_no_other(arm: Arm) -> None:
    broken = await make_org("Broken", timezone="Nowhere/Land")
    theirs = await arm(2 * HOUR, broken, **DAILY)
    ours = await arm(**DAILY)
    await run_due_schedules()
    assert await runs(theirs) == []
    assert len(await runs(ours)) == 1


async def test_each_organization_has_its_first_schedule_before_others_have_their_second(
    arm: Arm, acme: Organization, rival: Organization
) -> None:
    for _ in range(3):
        await arm(HOUR, **DAILY)
    await arm(MINUTE, rival, **DAILY)
    first = await Campaign.across_orgs().filter(id__in=await due_campaigns(2))
    assert {campaign.org_id for campaign in first} == {acme.id, rival.id}
