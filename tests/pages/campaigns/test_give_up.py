"""A person gives up on the emails of a run that wait, or cancels those of a paused campaign, and the run ends."""

from datetime import timedelta

import pytest

from tests.factories import account_on, make_account, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.campaigns.test_campaign_runs import place_of
from tests.pages.campaigns.test_campaigns import DAILY, MONDAY, make_sent
from tests.pages.conftest import Visitor
from tests.support.messages import parsed
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.runs import finish_runs
from webapp.domain.campaigns.stop import finish_given_up
from webapp.domain.delivery import retry_policy
from webapp.models import Account, AuditEntry, Campaign, CampaignRun, Contact, MailEvent, MailLog, Organization
from webapp.models.outbox import claims
from webapp.models.outbox.settlements import settle

GREYLISTED = "451 4.7.1 Greylisted, try again later"
WORDS = "canceled before it was sent"
LINK = "a[href$='/give-up']"


@pytest.fixture
async def waiting(acme: Organization, account: Account) -> Campaign:
    """A campaign of which one email was sent, two are refused temporarily, and one waits for tomorrow."""
    campaign = await make_sent(acme, account, "Sale", sent=1, pending=2, deferred=1)
    await let_wait(campaign)
    return campaign


async def let_wait(campaign: Campaign) -> None:
    later = clock.now() + timedelta(minutes=15)
    rows = MailLog.filter(campaign_id=campaign.id, status="pending")
    await rows.update(error=GREYLISTED, attempts=1, next_attempt_at=later)


async def statuses(campaign: Campaign) -> list[str]:
    return [row.status for row in await MailLog.filter(campaign_id=campaign.id).order_by("id")]


async def test_giving_up_fails_what_waits_with_its_last_answer_and_ends_the_run(
    owner: Visitor, acme: Organization, waiting: Campaign
) -> None:
    place = await place_of(waiting)
    for path in (place, f"/campaigns/{waiting.id}"):
        assert (await owner.get(path)).soup.select_one(LINK).get_text() == "Stop waiting for 3 emails"
    asked = await owner.get(f"{place}/give-up")
    assert asked.title == "Stop waiting for 3 emails of “Sale”?"
    page = await owner.submit(asked, f"{place}/give-up")
    assert (page.path, page.notes) == (place, ["Stopped waiting for 3 emails."])
    assert "Ended by ada@acme.example" in page.text
    rows = await MailLog.filter(campaign_id=waiting.id).order_by("id")
    assert [row.error for row in rows] == [None, *[f"{WORDS}: {GREYLISTED}"] * 2, WORDS]
    assert await MailEvent.of(acme).filter(to_status="failed", cause=WORDS).count() == 3
    run, campaign = await CampaignRun.of(acme).get(), await Campaign.of(acme).get()
    assert (run.status, run.finished_at is None, campaign.status) == ("completed", False, "sent")
    entry = await AuditEntry.of(acme).get()
    assert (entry.action, entry.target, entry.details) == ("campaign.given_up", "Sale", {"emails": 3})
    assert "Retry 3 failed" in page.text
    retry = await owner.submit(await owner.get(f"{place}/retry"), f"{place}/retry")
    assert retry.notes == ["Retrying “Sale” for 3 contacts."]


async def test_a_campaign_that_reached_nobody_is_not_called_sent(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, pending=2)
    await let_wait(campaign)
    place = await place_of(campaign)
    await owner.submit(await owner.get(f"{place}/give-up"), f"{place}/give-up")
    page = await owner.get(f"/campaigns/{campaign.id}")
    assert page.soup.find(id="campaign-state").get_text(strip=True) == "Not sent"
    assert "Send to those who didn't open" not in page.text
    assert (await owner.get("/campaigns")).rows[0][1] == "Not sent"


async def test_it_is_offered_only_while_mail_waits_for_longer(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, sent=1, pending=2)
    place = await place_of(campaign)
    assert not (await owner.get(place)).soup.select(LINK)  # it is sent right now
    await Account.filter(id=account.id).update(failing_since=clock.now(), rests=1)
    assert (await owner.get(place)).soup.select(LINK)
    await Account.filter(id=account.id).update(failing_since=None, rests=0)
    await let_wait(campaign)
    assert (await owner.get(place)).soup.select(LINK)
    await MailLog.filter(campaign_id=campaign.id).update(status="sending")
    assert not (await owner.get(place)).soup.select(LINK)
    page = await owner.send_form(f"{place}/give-up")
    assert page.notes == ["Couldn't stop waiting: no email of this run is waiting."]
    assert (await CampaignRun.of(acme).get()).halted_reason is None


async def test_a_row_under_way_finishes_and_waits_no_more_if_it_comes_back(
    owner: Visitor, rival: Organization, acme: Organization, account: Account
) -> None:
    theirs = await make_sent(rival, await make_account(rival), pending=1)
    campaign = await make_sent(acme, account, pending=3)
    place = await place_of(campaign)
    (claimed,) = await claims.claim(account.id, messages=1, lease_seconds=60)
    page = await owner.send_form(f"{place}/give-up")
    assert page.notes == ["Stopped waiting for 2 emails."]
    assert sorted(await statuses(campaign)) == ["failed", "failed", "sending"]
    await finish_runs()
    assert (await CampaignRun.of(acme).get()).status == "sending"
    await settle([retry_policy.release(claimed)])
    assert sorted(await statuses(campaign)) == ["failed", "failed", "pending"]
    await finish_given_up()
    await finish_runs()
    assert await statuses(campaign) == ["failed"] * 3
    assert (await CampaignRun.of(acme).get()).status == "completed"
    assert await statuses(theirs) == ["pending"]


async def test_rows_created_after_giving_up_fail_too(owner: Visitor, acme: Organization, account: Account) -> None:
    campaign = await make_sent(acme, account, pending=1)
    await CampaignRun.of(acme).update(materialised=False, expected=4)
    await owner.send_form(f"{await place_of(campaign)}/give-up")
    assert await statuses(campaign) == ["failed"]
    assert (await CampaignRun.of(acme).get()).status == "sending"
    (row,) = await MailLog.filter(campaign_id=campaign.id)
    await MailLog.filter(id=row.id).update(status="pending", error=None)  # as a new one would be
    await finish_given_up()
    assert await statuses(campaign) == ["failed"]
    assert (await AuditEntry.of(acme).get()).details == {"emails": 5}


async def test_a_run_that_is_stopped_and_resumed_since_is_sent(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, pending=2)
    await Campaign.filter(id=campaign.id).update(segment_id=(await make_segment(acme)).id)
    await CampaignRun.of(acme).update(halted_reason="ended by ada@acme.example")
    await owner.send_form(f"/campaigns/{campaign.id}/stop")
    assert await statuses(campaign) == ["halted"] * 2
    await finish_given_up()
    await owner.send_form(f"/campaigns/{campaign.id}/resume")
    await finish_given_up()
    assert await statuses(campaign) == ["pending"] * 2


async def test_a_run_that_has_ended_cannot_be_given_up(owner: Visitor, acme: Organization, account: Account) -> None:
    campaign = await make_sent(acme, account, sent=1, halted=1)
    await CampaignRun.of(acme).update(status="completed")
    place = await place_of(campaign)
    asked = await owner.get(f"{place}/give-up")
    assert (asked.path, asked.notes) == (place, ["This run isn't sending."])
    assert not asked.soup.select(LINK)
    assert (await owner.send_form(f"{place}/give-up")).notes == ["Couldn't stop waiting: this run isn't sending."]
    assert await statuses(campaign) == ["sent", "halted"]


async def test_canceling_the_rest_of_a_paused_campaign_lets_it_be_corrected_and_sent_to_those_who_missed_it(
    owner: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme)
    members = [await make_contact(acme, f"c{number}@example.org") for number in range(3)]
    template = await make_template(acme, subject="Wrong")
    campaign = await make_campaign(acme, title="Sale", segment=await make_segment(acme, *members), template=template)
    place = f"/campaigns/{campaign.id}"
    await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    first = await MailLog.of(acme).order_by("id").first()
    await MailLog.filter(id=first.id).update(status="sent", sent_at=clock.now())
    await owner.send_form(f"{place}/stop")
    run = await place_of(campaign)
    for path in (place, run):
        assert (await owner.get(path)).soup.select_one(LINK).get_text() == "Cancel the rest"
    asked = await owner.get(f"{run}/give-up")
    assert asked.title == "Cancel the remaining 2 emails of “Sale”?"
    words = (
        "They are marked as failed, and the run ends. To send a corrected version, edit the campaign and send it to "
    )
    assert f"{words}members who missed it." in asked.text
    page = await owner.submit(asked, f"{run}/give-up")
    assert (page.path, page.notes) == (place, ["Canceled the remaining 2 emails of “Sale”."])
    assert "Paused" not in page.text
    assert "Canceled by ada@acme.example" in (await owner.get(run)).text
    rows = await MailLog.of(acme).order_by("id")
    assert [(row.status, row.error) for row in rows] == [("sent", None), *[("failed", WORDS)] * 2]
    assert await MailEvent.of(acme).filter(from_status="halted", to_status="failed", cause=WORDS).count() == 2
    assert not await MailEvent.of(acme).filter(to_status="pending").exists()
    ended, sent = await CampaignRun.of(acme).get(), await Campaign.of(acme).get()
    assert (ended.status, ended.resuming, sent.status, sent.halted_reason) == ("completed", False, "sent", None)
    entry = await AuditEntry.of(acme).order_by("-id").first()
    assert (entry.action, entry.details) == ("campaign.given_up", {"emails": 2})
    assert "Send to members who missed it" in page.text
    await owner.send_form(f"{place}/content", template_id=str(template.id), subject="Right")
    page = await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    assert page.notes == ["Sending “Sale” to 2 contacts."]
    await deliver_all(settings)
    arrived = [(message.recipients, parsed(message.content)["Subject"]) for message in smtp_server.messages]
    assert sorted(arrived) == [([f"c{number}@example.org"], "Right") for number in (1, 2)]


async def test_canceling_the_rest_leaves_a_schedule_paused_until_it_is_resumed(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, "Letter", sent=1, pending=1)
    parts = {"segment": await make_segment(acme), "template": await make_template(acme)}
    await Campaign.filter(id=campaign.id).update(**DAILY | parts | {"status": "sending"})
    await owner.send_form(f"/campaigns/{campaign.id}/stop")
    place = await place_of(campaign)
    asked = await owner.get(f"{place}/give-up")
    assert "It is marked as failed, and the run ends. The schedule stays paused until you resume it." in asked.text
    page = await owner.submit(asked, f"{place}/give-up")
    assert "Paused by " in page.text
    assert not page.soup.select(LINK)
    assert await statuses(campaign) == ["sent", "failed"]
    paused = await Campaign.get(id=campaign.id)
    assert ((await CampaignRun.of(acme).get()).status, paused.status, paused.next_run_at) == (
        "completed",
        "halted",
        None,
    )
    await owner.send_form(f"/campaigns/{campaign.id}/resume")
    await paused.refresh()
    assert (paused.status, paused.next_run_at) == ("scheduled", MONDAY)


async def test_canceling_the_rest_fails_rows_that_a_worker_releases_late(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, pending=3)
    place = await place_of(campaign)
    (claimed,) = await claims.claim(account.id, messages=1, lease_seconds=60)
    await Campaign.filter(id=campaign.id).update(status="halted")
    await CampaignRun.of(acme).update(status="halted", epoch=1)
    await stop.finish_halts()
    assert (await rival_owner.get(f"{place}/give-up")).status == 404
    assert (await rival_owner.send_form(f"{place}/give-up")).status == 404
    assert sorted(await statuses(campaign)) == ["halted", "halted", "sending"]
    await owner.send_form(f"{place}/give-up")
    assert sorted(await statuses(campaign)) == ["failed", "failed", "sending"]
    await settle([retry_policy.release(claimed)])
    assert await claims.claim(account.id, messages=9, lease_seconds=60) == []
    assert (await CampaignRun.of(acme).get()).status == "sending"
    await finish_given_up()
    await finish_runs()
    assert await statuses(campaign) == ["failed"] * 3
    assert (await CampaignRun.of(acme).get()).status == "completed"


async def test_canceling_the_rest_does_not_fail_rows_of_contacts_who_unsubscribed(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, pending=2)
    await owner.send_form(f"/campaigns/{campaign.id}/stop")
    row = await MailLog.of(acme).order_by("id").first()
    await Contact.filter(id=row.contact_id).update(status="unsubscribed")
    await owner.send_form(f"{await place_of(campaign)}/give-up")
    assert await statuses(campaign) == ["halted", "failed"]
    await row.refresh()
    assert row.error == "the contact unsubscribed before the email was sent"
    assert (await Campaign.get(id=campaign.id)).status == "sent"
    shown = (await owner.get(f"/campaigns/{campaign.id}")).soup.select_one(".strip").get_text(" ", strip=True)
    assert shown == "0 Sent 1 Failed 0 Pending 1 Canceled"


@pytest.mark.parametrize("is_paused", [False, True])
async def test_deleting_a_campaign_cancels_what_was_not_sent(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account, *, is_paused: bool
) -> None:
    campaign = await make_sent(acme, account, "Sale", sent=1, pending=2)
    place = f"/campaigns/{campaign.id}"
    if is_paused:
        await owner.send_form(f"{place}/stop")
    asked = await owner.get(f"{place}/delete")
    assert "The 2 emails that haven't been sent are canceled." in asked.text
    assert ("The current run stops for good." in asked.text) != is_paused
    assert (await rival_owner.send_form(f"{place}/delete")).status == 404
    await owner.submit(asked, f"{place}/delete")
    assert await statuses(campaign) == ["sent", "halted", "halted"]
    row = await MailLog.of(acme).filter(status="halted").first()
    for path in ("/mail-logs", f"/mail-logs/{row.id}"):
        page = await owner.get(path)
        assert page.soup.select_one("main .badge.halted").text == "Canceled"
