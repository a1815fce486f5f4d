"""Test mails of a campaign on their way: like any mail, they count towards the account's limit of the day."""

from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from webapp.config import Settings
from webapp.models import AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, SENT

PATIENCE = 30.0  # seconds


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

    async def is_over() -> bool:
        return [row.status for row in await MailLog.across_orgs().all().order_by("id")] == [SENT, DEFERRED]

    async with working(settings):
        await eventually(is_over, PATIENCE)
    (message,) = smtp_server.messages
    assert message.recipients == ["anybody@example.org"]
    assert b"Subject: Hi Ada" in message.content
    assert (await AccountUsage.get(account_id=account.id)).used == 1
    assert (await api.get(f"/v1/accounts/{account.id}"))[1]["data"]["remaining_today"] == 0
