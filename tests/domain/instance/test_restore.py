"""A database that was restored: what may have been sent since its backup is not sent again."""

from datetime import datetime, timedelta
from typing import Any

from tests.factories import (
    account_on,
    make_account,
    make_campaign,
    make_contact,
    make_mail,
    make_run,
    make_segment,
    make_template,
    want_mail,
)
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_sent
from tests.pages.conftest import make_person
from webapp import clock
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.auth.sessions import Browser, find_signed_in_user, open_session
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.domain.campaigns.stop import resume_campaign
from webapp.domain.instance.restore import (
    REASON,
    check_database_identity,
    is_unrecognized_copy,
    mark_as_backup,
    quarantine,
    summarize_restore,
)
from webapp.domain.instance.suspension import find_suspension, resume_sending
from webapp.models import Account, Campaign, CampaignRun, MailEvent, MailLog, Organization
from webapp.models.mail_log import DEFERRED, HALTED, PENDING, SENT
from webapp.models.outbox import claims

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAILY = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}


async def make_armed(org: Organization, at: datetime, **fields: Any) -> Campaign:
    segment, template = await make_segment(org, await make_contact(org)), await make_template(org)
    times = {"anchor_at": at, "next_run_at": at, "status": "scheduled"}
    return await make_campaign(org, segment=segment, template=template, **{**times, **fields})


async def make_sending(org: Organization, account: Account) -> tuple[Campaign, CampaignRun]:
    """A campaign with a run of which three rows wait."""
    campaign = await make_campaign(
        org, segment=await make_segment(org), template=await make_template(org), status="sending"
    )
    run, _ = await make_run(org, [account], 3)
    await want_mail(org, run)
    await CampaignRun.of(org).filter(id=run.id).update(campaign_id=campaign.id)
    return campaign, run


async def make_every_state(org: Organization) -> tuple[list[Any], Any, Any]:
    """Rows of emails that may have been sent since, one that was sent before, and one whose time is yet to come."""
    account = await make_account(org)
    (taken,) = await make_mail(org, account)
    (claimed,) = await claims.claim(account.id, messages=1, lease_seconds=60)
    assert claimed.id == taken
    (waiting,) = await make_mail(org, account)
    (deferred,) = await make_mail(org, account)
    await MailLog.of(org).filter(id=deferred).update(status=DEFERRED, next_attempt_at=clock.now() + DAY)
    (refused,) = await make_mail(org, account, due_at=clock.now() + HOUR)
    await MailLog.of(org).filter(id=refused).update(attempts=1)  # it is tried again in an hour, or was meanwhile
    (sent,) = await make_mail(org, account)
    await MailLog.of(org).filter(id=sent).update(status=SENT)
    (later,) = await make_mail(org, account, due_at=clock.now() + HOUR)
    return [taken, waiting, deferred, refused], sent, later


async def test_what_may_have_been_sent_is_halted_with_the_reason(acme: Organization, rival: Organization) -> None:
    made = [await make_every_state(org) for org in (acme, rival)]
    reason = await quarantine()
    assert reason.startswith(REASON)
    for org, (unsure, sent, later) in zip((acme, rival), made, strict=True):
        rows = {row.id: row for row in await MailLog.of(org)}
        assert {(rows[row_id].status, rows[row_id].error) for row_id in unsure} == {(HALTED, reason)}
        assert await MailEvent.of(org).filter(mail_log_id__in=unsure, to_status=HALTED, cause=reason).count() == 4
        assert (rows[sent].status, rows[later].status) == (SENT, PENDING)
    found = await summarize_restore()
    assert (found.waiting, found.emails) == (2, 8)


async def test_runs_are_halted_and_a_person_resumes_them(
    acme: Organization, rival: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    account, theirs = await account_on(smtp_server, acme), await account_on(smtp_server, rival)
    campaign, run = await make_sending(acme, account)
    _, other = await make_sending(rival, theirs)
    orphan, _ = await make_run(rival, [theirs], 2)
    reason = await quarantine()
    for one in (run, other, orphan):
        found = await CampaignRun.across_orgs().get(id=one.id)
        assert (found.status, found.halted_reason, found.epoch) == ("halted", reason, 1)
    campaign = await Campaign.of(acme).get(id=campaign.id)
    assert (campaign.status, campaign.halted_reason) == ("halted", reason)
    assert {row.status for row in await MailLog.across_orgs()} == {HALTED}
    totals = await summarize_restore()
    assert (totals.campaigns, totals.campaign_mails, totals.waiting) == (2, 8, 0)
    await resume_sending()
    await resume_campaign(acme, campaign)
    async with working(settings):
        await until_sent(acme)
    assert len(smtp_server.messages) == 3
    assert {row.status for row in await MailLog.of(rival)} == {HALTED}


async def test_no_schedule_makes_up_for_what_was_due_before(
    acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    for org in (acme, rival):
        await account_on(smtp_server, org)
    now = clock.now()
    daily = await make_armed(acme, now - HOUR, **DAILY)
    once = await make_armed(acme, now - HOUR, schedule_type="scheduled_once")
    ahead = await make_armed(rival, now + HOUR, schedule_type="scheduled_once")
    newcomers = await make_armed(rival, now + HOUR, schedule_type="recurring_new_contacts")
    reason = await quarantine()
    await resume_sending()
    await run_due_schedules()
    assert await CampaignRun.across_orgs().count() == 0
    daily, once, ahead, newcomers = [
        await Campaign.across_orgs().get(id=one.id) for one in (daily, once, ahead, newcomers)
    ]
    assert (daily.status, daily.next_run_at) == ("scheduled", now - HOUR + DAY)
    assert daily.schedule_note == f"{reason}: runs that were due before were skipped"
    for halted in (once, newcomers):
        assert (halted.status, halted.halted_reason, halted.next_run_at) == ("halted", reason, None)
    assert (ahead.status, ahead.next_run_at) == ("scheduled", now + HOUR)
    await resume_campaign(acme, once)
    await run_due_schedules()
    assert await CampaignRun.of(acme).count() == 1  # a person has decided


async def test_what_waits_is_sent_where_the_operator_says_so(
    acme: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    await make_mail(acme, await account_on(smtp_server, acme))
    await quarantine(send_waiting=True)
    assert await find_suspension() is not None
    await resume_sending()
    async with working(settings):
        await until_sent(acme)


async def test_a_copy_is_taken_in_once_by_whoever_starts_on_it(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    assert not await is_unrecognized_copy()  # a new database notes what it is
    await check_database_identity()
    assert await MailLog.of(acme).values_list("status", flat=True) == [PENDING]
    await mark_as_backup()
    await check_database_identity()
    hold = await find_suspension()
    assert hold.held_reason.startswith(f"{REASON} of 20")
    await make_mail(acme, account)
    await resume_sending()
    await check_database_identity()
    assert await find_suspension() is None
    assert await MailLog.of(acme).order_by("id").values_list("status", flat=True) == [HALTED, PENDING]


async def test_who_was_signed_in_then_signs_in_anew_and_keys_are_counted(
    acme: Organization, rival: Organization
) -> None:
    opened = await open_session(await make_person(acme, "ada@acme.example"), acme, Browser("127.0.0.1", "tests"))
    assert await find_signed_in_user(opened.token) is not None
    for org in (acme, rival):
        await issue_key(org, NewKey(name="robot", role="viewer"))
    gone = await issue_key(acme, NewKey(name="gone", role="viewer"))
    gone.key.revoked_at = clock.now()
    await gone.key.save()
    await quarantine()
    assert await find_signed_in_user(opened.token) is None
    found = await summarize_restore()
    assert found.keys == 2
