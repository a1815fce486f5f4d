"""A run whose emails bounce too often later is halted, once, and no other."""

from dataclasses import replace

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox
from tests.domain.bounces.test_effects import COMPLAINT, FULL, UNKNOWN
from tests.factories import make_campaign, make_contact, make_run, make_webhook
from webapp import clock, config
from webapp.config import Settings, ShareLimit
from webapp.domain.campaigns.review import review_campaign
from webapp.models import Campaign, CampaignRun, Event, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT

RUN = 120


async def half_sent(org: Organization, mailbox: Mailbox, sent: int = 110) -> tuple[CampaignRun, list[MailLog]]:
    """An active run of a campaign, of which most rows were sent."""
    campaign = await make_campaign(org, status="sending")
    run, ids = await make_run(org, [mailbox.account], RUN)
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id, started_at=clock.now())
    await MailLog.filter(id__in=ids).update(campaign_id=campaign.id)
    for row_id in ids[-10:]:  # which wait
        await MailLog.filter(id=row_id).update(contact_id=(await make_contact(org)).id)
    await MailLog.filter(id__in=ids[:sent]).update(status=SENT, sent_at=clock.now(), account_id=mailbox.account.id)
    return await CampaignRun.get(id=run.id), await MailLog.filter(id__in=ids).order_by("id")


async def bounce(mailbox: Mailbox, rows: list[MailLog], report: bytes = UNKNOWN) -> None:
    for row in rows:
        mailbox.add(report, row.message_id, row.to_email)
    await mailbox.read()


async def test_a_run_is_halted_past_8_percent_of_at_least_100_and_goes_on_when_it_is_resumed(
    api: Api, mailbox: Mailbox, acme: Organization
) -> None:
    await make_webhook(acme)
    run, rows = await half_sent(acme, mailbox)
    await bounce(mailbox, rows[:8])  # 7.3 %
    assert (await CampaignRun.get(id=run.id)).status == "sending"
    await bounce(mailbox, rows[8:9])
    found, campaign = await CampaignRun.get(id=run.id), await Campaign.get(id=run.campaign_id)
    assert (found.status, campaign.status) == ("halted", "halted")
    assert found.halted_reason == "9 sent emails bounced. Check the addresses of the segment, then resume"
    assert {row.status for row in await MailLog.filter(campaign_run_id=run.id)} == {SENT, "halted"}
    assert await Event.of(acme).filter(type="campaign.halted", campaign_id=campaign.id).count() == 1
    assert (await api.post(f"/v1/campaigns/{campaign.id}/resume"))[0] == 200
    await bounce(mailbox, rows[9:12])
    assert (await CampaignRun.get(id=run.id)).status == "sending"


async def test_few_emails_few_complaints_full_mailboxes_and_another_run_halt_nothing(
    mailbox: Mailbox, acme: Organization
) -> None:
    few, rows = await half_sent(acme, mailbox, sent=99)
    other, others = await half_sent(acme, mailbox)
    await bounce(mailbox, others[:30], FULL)
    await bounce(mailbox, rows[:30])
    await bounce(mailbox, rows[30:60], COMPLAINT)
    found = [await CampaignRun.get(id=run.id) for run in (few, other)]
    assert [(run.status, run.bounced, run.complained) for run in found] == [("sending", 30, 30), ("sending", 30, 0)]
    assert await MailLog.filter(campaign_run_id=other.id, status=PENDING).count() == RUN - 110


async def test_the_limits_are_settings(mailbox: Mailbox, acme: Organization, settings: Settings) -> None:
    config.configure(replace(settings, bounce_limit=ShareLimit(0.5, 10), complaint_limit=ShareLimit(0.1, 10)))
    run, rows = await half_sent(acme, mailbox, sent=20)
    await bounce(mailbox, rows[:10])  # half of them, and no more
    await bounce(mailbox, rows[10:12], COMPLAINT)
    assert (await CampaignRun.get(id=run.id)).status == "sending"
    await bounce(mailbox, rows[12:13], COMPLAINT)
    reason = "3 recipients marked the email as spam. Check the segment's consent, then resume"
    assert (await CampaignRun.get(id=run.id)).halted_reason == reason


async def test_the_review_tells_of_a_run_that_bounced_after_it_had_ended(
    mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    run, rows = await half_sent(acme, mailbox)
    await CampaignRun.filter(id=run.id).update(status="completed")
    await bounce(mailbox, rows[:8])
    campaign, other = await Campaign.get(id=run.campaign_id), await make_campaign(acme)
    theirs = await make_campaign(rival)
    assert (await review_campaign(acme, campaign)).last_trouble is None
    await bounce(mailbox, rows[8:9])
    assert (await CampaignRun.get(id=run.id)).status == "completed"
    (check,) = [one for one in (await review_campaign(acme, campaign)).checks if one.kind == "alarm"]
    assert check.text == "In the last run 9 sent emails bounced. Check the addresses of the segment."
    for org, untouched in ((acme, other), (rival, theirs)):
        assert (await review_campaign(org, untouched)).last_trouble is None
