"""Campaigns from the API to the recipients' server, by a real worker."""

from datetime import timedelta
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_campaign, make_contact, make_run, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all, eventually, working
from tests.faults.support.world import until
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import run_rows
from webapp.domain.delivery import recovery
from webapp.models import Account, AccountUsage, Campaign, CampaignRun, Contact, MailEvent, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT
from webapp.models.outbox import claims

HTML = '<p>Dear {{ first_name | default: "friend" }}</p><p><a href="{{ unsubscribe_url }}">Leave</a></p>'


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    return await account_on(smtp_server, acme, from_name="Acme News", concurrency=2)


@pytest.fixture
async def campaign(acme: Organization) -> Campaign:
    """A campaign for five contacts."""
    members = [await make_contact(acme, f"c{number}@example.org", first_name=f"N<{number}>") for number in range(5)]
    template = await make_template(acme, subject="Hi {{ first_name }}", body=HTML)
    return await make_campaign(acme, segment=await make_segment(acme, *members), template=template)


async def send(api: Api, campaign: Campaign, queued: int = 5) -> None:
    status, answer = await api.post(f"/v1/campaigns/{campaign.id}/send", {})
    assert (status, answer.get("contacts_messaged")) == (200, queued), answer


async def send_all(api: Api, campaign: Campaign, settings: Settings, queued: int = 5) -> None:
    """Send the campaign, and let a worker end its run."""
    await send(api, campaign, queued)
    async with working(settings):
        await eventually(lambda: is_over(campaign))


async def is_over(campaign: Campaign) -> bool:
    run = await CampaignRun.across_orgs().filter(campaign_id=campaign.id).order_by("-id").first()
    return run is not None and run.status == "completed"


async def statuses(campaign: Campaign) -> list[str]:
    rows = await MailLog.across_orgs().filter(campaign_id=campaign.id).order_by("id")
    return [row.status for row in rows]


def arrived(server: SmtpServer) -> dict[str, EmailMessage]:
    """What arrived, by recipient; each message has one."""
    found: dict[str, EmailMessage] = {}
    for message in server.messages:
        (recipient,) = message.recipients
        assert recipient not in found
        found[recipient] = parsed(message.content)
    return found


async def test_each_member_gets_the_mail_filled_in_for_them(
    api: Api, acme: Organization, campaign: Campaign, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send_all(api, campaign, settings)
    found = arrived(smtp_server)
    assert sorted(found) == [f"c{number}@example.org" for number in range(5)]
    message = found["c3@example.org"]
    assert (message["Subject"], message["To"]) == ("Hi N<3>", "c3@example.org")
    assert message["From"] == "Acme News <hello@acme.example>"
    assert "Dear N&lt;3&gt;" in part(message, "html")
    assert "Dear N<3>" in part(message, "plain")
    link = message["List-Unsubscribe"][1:-1]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f'<a href="{link}">' in part(message, "html")
    assert len({one["List-Unsubscribe"] for one in found.values()}) == 5
    rows = await MailLog.across_orgs().filter(campaign_id=campaign.id)
    assert {(row.status, row.account_id, row.from_email) for row in rows} == {(SENT, account.id, "hello@acme.example")}
    assert {row.message_id for row in rows} == {one["Message-ID"] for one in found.values()}
    assert (await Campaign.get(id=campaign.id)).status == "sent"
    (run,) = (await api.get(f"/v1/campaigns/{campaign.id}/runs"))[1]["data"]
    assert (run["status"], run["sent"], run["total"], run["finished_at"] is None) == ("completed", 5, 5, False)
    assert (await AccountUsage.get(account_id=account.id)).used == 5
    assert link.startswith(f"{settings.base_url}/unsubscribe/")
    answer = await api.app.test_client().post(urlsplit(link).path, form={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert (await Contact.of(acme).get(status="unsubscribed")).email == "c3@example.org"


async def test_stop_holds_back_what_is_not_past_data_and_resume_sends_exactly_the_rest(
    api: Api, campaign: Campaign, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send(api, campaign)
    smtp_server.delay("RCPT", 1.5)  # longer than a worker takes to see a stop
    async with working(settings):
        await until(lambda: "RCPT" in smtp_server.verbs)
        asked_at = clock.elapsed()
        status, answer = await api.post(f"/v1/campaigns/{campaign.id}/stop")
        assert (status, answer["data"]["status"]) == (200, "halted")
        assert clock.elapsed() - asked_at < 9
        assert await statuses(campaign) == [HALTED] * 5
        assert smtp_server.messages == []  # DATA was said, and taken back: no body was written
        assert (await AccountUsage.get(account_id=account.id)).used == 0
    smtp_server.heal()
    assert (await api.post(f"/v1/campaigns/{campaign.id}/resume"))[0] == 200
    async with working(settings):
        await eventually(lambda: is_over(campaign))
    assert len(arrived(smtp_server)) == 5
    assert await statuses(campaign) == [SENT] * 5


async def test_accounts_share_a_run_each_with_its_own_address(
    api: Api, acme: Organization, campaign: Campaign, settings: Settings, smtp_server: SmtpServer
) -> None:
    for number in range(2):
        await account_on(smtp_server, acme, from_email=f"a{number}@acme.example", daily_mail_limit=3, concurrency=1)
    await send_all(api, campaign, settings)
    rows = await MailLog.across_orgs().filter(campaign_id=campaign.id)
    senders = {message.recipients[0]: message.mail_from for message in smtp_server.messages}
    assert {row.to_email: row.from_email for row in rows} == senders
    assert set(senders.values()) == {"a0@acme.example", "a1@acme.example"}


async def test_rows_are_deferred_only_when_every_account_of_the_run_is_used_up(acme: Organization) -> None:
    full, free = await make_account(acme, daily_mail_limit=2), await make_account(acme, daily_mail_limit=1)
    await make_account(acme)  # which does not serve the run
    run, ids = await make_run(acme, [full, free, await make_account(acme, status="paused")], 5)

    async def waiting() -> list[str]:
        return [row.status for row in await MailLog.of(acme).filter(id__in=ids).order_by("id") if row.status != SENDING]

    assert len(await claims.claim(full.id, messages=9, lease_seconds=60)) == 2
    await run_rows.defer_runs()
    assert await waiting() == [PENDING] * 3
    assert len(await claims.claim(free.id, messages=9, lease_seconds=60)) == 1
    await run_rows.defer_runs()
    assert await waiting() == [DEFERRED] * 2
    rows = await MailLog.of(acme).filter(status=DEFERRED)
    assert {row.next_attempt_at for row in rows} == {clock.next_day("UTC")}
    assert {(event.from_status, event.to_status) for event in await MailEvent.of(acme)} == {(PENDING, DEFERRED)}
    await recovery.release_deferred()
    await run_rows.defer_runs()
    assert await waiting() == [DEFERRED] * 2
    await Account.filter(id=full.id).update(daily_mail_limit=3)
    for _ in range(2):
        await run_rows.defer_runs()
        assert await waiting() == [PENDING, DEFERRED]  # as many as can go, and not all of them back and forth
    await Account.filter(id=free.id).update(daily_mail_limit=2)
    await run_rows.defer_runs()
    assert await waiting() == [PENDING] * 2
    assert (await CampaignRun.of(acme).get(id=run.id)).status == "sending"


async def test_rows_go_to_another_account_of_the_run_and_fail_when_all_are_deleted(
    api: Api, campaign: Campaign, acme: Organization
) -> None:
    first, second = await make_account(acme), await make_account(acme)
    await send(api, campaign)
    assert (await api.delete(f"/v1/accounts/{first.id}"))[0] == 200
    await recovery.fail_expired()
    assert len(await claims.claim(second.id, messages=1, lease_seconds=60)) == 1
    assert (await api.delete(f"/v1/accounts/{second.id}"))[0] == 200
    await recovery.fail_expired()
    assert sorted(await statuses(campaign)) == [FAILED] * 4 + [SENDING]
    rows = await MailLog.of(acme).filter(status=FAILED)
    assert {row.error for row in rows} == {"every account of this run was deleted"}


async def test_rows_fail_after_three_days_on_accounts_of_which_none_works(acme: Organization) -> None:
    ago = clock.now() - timedelta(hours=73)
    broken = await make_account(acme, status="error", last_error="535 no", failing_since=ago)
    sound = await make_account(acme)
    await make_run(acme, [broken, sound], 2)
    await MailLog.of(acme).update(next_attempt_at=ago)
    await recovery.fail_expired()
    assert await MailLog.of(acme).filter(status=FAILED).count() == 0
    await Account.filter(id=sound.id).update(status="error", failing_since=ago)
    await recovery.fail_expired()
    assert await MailLog.of(acme).filter(status=FAILED).count() == 2


async def test_a_test_mail_arrives_and_counts_towards_the_daily_limit(
    api: Api, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=1)
    await make_account(rival)
    segment = await make_segment(acme, await make_contact(acme, first_name="Ada"))
    template = await make_template(acme, subject="Hi {{ first_name }}", body="<p>Hi</p>")
    campaign = await make_campaign(acme, segment=segment, template=template)
    for _ in range(2):
        assert (await api.post(f"/v1/campaigns/{campaign.id}/test", {"to": "anybody@example.org"}))[0] == 200
    await deliver_all(settings)
    assert await MailLog.of(acme).order_by("id").values_list("status", flat=True) == [SENT, DEFERRED]
    (message,) = smtp_server.messages
    assert message.recipients == ["anybody@example.org"]
    assert b"Subject: [Test] Hi Ada" in message.content
    assert (await AccountUsage.get(account_id=account.id)).used == 1
    assert (await api.get(f"/v1/accounts/{account.id}"))[1]["data"]["remaining_today"] == 0
