"""One failed email is retried from its page, once, where its recipient may still get it."""

from uuid import UUID

import pytest

from tests.factories import make_campaign, make_contact, make_mail, make_segment, make_template
from tests.pages.campaigns.test_campaigns import add_run
from tests.pages.conftest import Visitor
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns.runs import finish_runs
from webapp.models import Account, Campaign, CampaignRun, Contact, MailLog, Organization
from webapp.models.campaign_run import RunTrigger

RETRY = "Retry this email"


@pytest.fixture
async def failed(acme: Organization, account: Account) -> UUID:
    """The row of ann, who did not get the email that bob got."""
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    await MailLog.of(acme).filter(id=ids[0]).update(status="failed", error="mailbox full")
    await MailLog.of(acme).filter(id=ids[1]).update(status="sent")
    return ids[0]


async def test_an_email_of_the_api_is_retried_once(
    owner: Visitor, viewer: Visitor, acme: Organization, failed: UUID
) -> None:
    place = f"/mail-logs/{failed}"
    assert RETRY not in (await viewer.get(place)).text
    page = await owner.submit(await owner.get(place), f"{place}/retry")
    old, bob, new = await MailLog.of(acme).order_by("id")
    assert (page.path, page.notes) == (f"/mail-logs/{new.id}", ["Retrying the email to ann@example.org."])
    same = ("email_id", "content_id", "account_id", "message_id", "to_email", "from_email", "recipient_type", "kind")
    assert [getattr(new, name) for name in same] == [getattr(old, name) for name in same]
    assert (old.status, bob.status, new.status) == ("failed", "sent", "pending")
    shown = await owner.get(place)
    assert RETRY not in shown.text
    assert shown.soup.select(f".facts a[href='/mail-logs/{new.id}']")
    again = await owner.send_form(f"{place}/retry")
    assert again.notes == ["Couldn't retry: this email was already retried."]
    assert await MailLog.of(acme).count() == 3


@pytest.mark.parametrize(
    ("change", "reason"), [({"status": "unsubscribed"}, "unsubscribed"), ({"bounced_at": clock.now()}, "bounced")]
)
async def test_nobody_who_left_or_bounced_is_mailed_again(
    owner: Visitor, acme: Organization, account: Account, failed: UUID, change: dict[str, object], reason: str
) -> None:
    await make_contact(acme, "ann@example.org", **change)
    page = await owner.send_form(f"/mail-logs/{failed}/retry")
    assert (page.path, page.notes) == (f"/mail-logs/{failed}", [f"Couldn't retry: ann@example.org {reason}."])
    campaign, row = await make_failed(acme, account)
    await Contact.of(acme).filter(id=row.contact_id).update(**change)
    page = await owner.send_form(f"/mail-logs/{row.id}/retry")
    assert page.notes[0] == f"Couldn't retry: {(await Contact.get(id=row.contact_id)).email} {reason}."
    assert not await CampaignRun.of(acme).filter(campaign_id=campaign.id, trigger=RunTrigger.RETRY).exists()
    assert await MailLog.of(acme).filter(status="pending").count() == 0


async def test_what_did_not_fail_or_is_gone_is_refused(
    owner: Visitor, acme: Organization, account: Account, failed: UUID
) -> None:
    sent = await MailLog.of(acme).get(status="sent")
    assert RETRY not in (await owner.get(f"/mail-logs/{sent.id}")).text
    page = await owner.send_form(f"/mail-logs/{sent.id}/retry")
    assert page.notes == ["Couldn't retry: only failed emails can be retried."]
    await account.delete()
    page = await owner.send_form(f"/mail-logs/{failed}/retry")
    assert page.notes == ["Couldn't retry: the account it was sent from was deleted."]


async def test_a_retry_counts_towards_the_plan(
    owner: Visitor, acme: Organization, failed: UUID, settings: Settings
) -> None:
    use_plans(settings, {acme.plan: {"monthly_email_quota": 2}})
    page = await owner.send_form(f"/mail-logs/{failed}/retry")
    assert (page.path, page.notes[0][:16]) == (f"/mail-logs/{failed}", "Couldn't retry: ")
    assert await MailLog.of(acme).count() == 2
    use_plans(settings, {acme.plan: {"monthly_email_quota": 3}})
    assert (await owner.send_form(f"/mail-logs/{failed}/retry")).path != f"/mail-logs/{failed}"
    assert await MailLog.of(acme).count() == 3


async def make_failed(org: Organization, account: Account) -> tuple[Campaign, MailLog]:
    """A campaign whose only run has three failed rows, and the first of them."""
    segment = await make_segment(org, await make_contact(org))
    campaign = await make_campaign(org, title="Sale", segment=segment)
    await add_run(org, campaign, account, sent=1, failed=3)
    row = await MailLog.of(org).filter(campaign_id=campaign.id, status="failed").order_by("id").first()
    return campaign, row


async def test_one_recipient_of_a_campaign_is_retried_in_a_run_of_one(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign, row = await make_failed(acme, account)
    place = f"/mail-logs/{row.id}"
    page = await owner.submit(await owner.get(place), f"{place}/retry")
    run = await CampaignRun.of(acme).get(trigger=RunTrigger.RETRY)
    assert page.path == f"/campaigns/{campaign.id}/runs/{run.id}"
    (new,) = await MailLog.of_run(run.id)
    assert (new.contact_id, new.content_id, new.status) == (row.contact_id, row.content_id, "pending")
    await CampaignRun.of(acme).update(status="completed")
    await Campaign.of(acme).update(status="sent")
    assert RETRY not in (await owner.get(place)).text
    assert (await owner.send_form(f"{place}/retry")).notes[0] == "Couldn't retry: this email was already retried."
    failed_run = f"/campaigns/{campaign.id}/runs/{row.campaign_run_id}"
    assert "Retry 2 failed" in (await owner.get(failed_run)).text
    for one in await MailLog.of(acme).filter(campaign_run_id=row.campaign_run_id, status="failed").exclude(id=row.id):
        assert RETRY in (await owner.get(f"/mail-logs/{one.id}")).text
        await owner.send_form(f"/mail-logs/{one.id}/retry")
        await CampaignRun.of(acme).update(status="completed")
        await Campaign.of(acme).update(status="sent")
    assert not (await owner.get(failed_run)).soup.select("a[href$='/retry']")


async def test_who_was_retried_with_the_run_is_not_retried_alone(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign, row = await make_failed(acme, account)
    await owner.send_form(f"/campaigns/{campaign.id}/runs/{row.campaign_run_id}/retry")
    await CampaignRun.of(acme).update(status="completed")
    await Campaign.of(acme).update(status="sent")
    page = await owner.send_form(f"/mail-logs/{row.id}/retry")
    assert page.notes[0] == "Couldn't retry: this email was already retried."


async def settle(org: Organization, **states: str) -> None:
    """Gives the waiting rows to ann and bob these states, as a worker would."""
    for name, status in states.items():
        await MailLog.of(org).filter(to_email=f"{name}@example.org", status="pending").update(status=status)
    await finish_runs()


async def make_missed(visitor: Visitor, org: Organization) -> tuple[Campaign, MailLog]:
    """A campaign of which a newer send reached ann, whom the first had missed as it had bob, and her failed row."""
    contacts = [await make_contact(org, f"{name}@example.org") for name in ("ann", "bob")]
    segment, template = await make_segment(org, *contacts), await make_template(org)
    campaign = await make_campaign(org, title="Sale", segment=segment, template=template)
    place = f"/campaigns/{campaign.id}"
    await visitor.submit(await visitor.get(f"{place}/send"), f"{place}/send")
    await settle(org, ann="failed", bob="failed")
    missed = await MailLog.of(org).get(to_email="ann@example.org")
    await visitor.send_form(f"{place}/send", audience="new")
    await settle(org, ann="sent", bob="failed")
    assert await MailLog.of(org).filter(campaign_id=campaign.id).count() == 4
    return campaign, missed


async def test_whom_a_newer_run_reached_no_retry_mails_again(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign, missed = await make_missed(owner, acme)
    shown = await owner.get(f"/mail-logs/{missed.id}")
    assert (RETRY in shown.text, "Retry failed in this run" in shown.text) == (False, True)
    page = await owner.send_form(f"/mail-logs/{missed.id}/retry")
    assert page.notes == ["Couldn't retry: a newer run of the campaign already reached this recipient."]
    place = f"/campaigns/{campaign.id}/runs/{missed.campaign_run_id}"
    assert "Retry 1 failed" in (await owner.get(place)).text
    page = await owner.submit(await owner.get(f"{place}/retry"), f"{place}/retry")
    assert page.notes == ["Retrying “Sale” for 1 contact."]
    (new,) = await MailLog.of(acme).filter(status="pending")
    assert new.to_email == "bob@example.org"


async def test_an_issue_that_was_missed_is_retried_though_a_later_one_arrived(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign, missed = await make_missed(owner, acme)
    await Campaign.of(acme).filter(id=campaign.id).update(schedule_type="recurring")
    place = f"/mail-logs/{missed.id}"
    page = await owner.submit(await owner.get(place), f"{place}/retry")
    assert page.notes[0] == "Retrying the email to ann@example.org."
