"""What an account's settings mean when its mail is sent: the hosts that may be dialled, the address it comes from."""

from dataclasses import replace
from ipaddress import ip_network

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_campaign, make_contact, make_mail, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all, eventually, working
from tests.faults.support.world import until_row
from webapp import config
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT


@pytest.mark.parametrize(
    ("host", "port", "reason"), [("127.0.0.1", 25, "127.0.0.1 "), ("8.8.8.8", 6379, "the port 6379 of 8.8.8.8 ")]
)
async def test_what_may_not_be_dialled_makes_the_account_an_error_until_its_network_is_listed(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, host: str, port: int, reason: str
) -> None:
    account = await account_on(smtp_server, acme, smtp_host=host, smtp_port=port)  # kept when it was allowed still
    (mail_id,) = await make_mail(acme, account)
    closed = replace(settings, allow_private_hosts=False)
    config.configure(closed)
    async with working(closed):
        await eventually(Account.of(acme).filter(status="error").exists)
    _, answer = await api.get(f"/v1/accounts/{account.id}")
    assert answer["data"]["last_error"].startswith(reason)
    row = await MailLog.across_orgs().get(id=mail_id)
    assert (row.status, row.attempts, smtp_server.verbs) == (PENDING, 0, [])
    if host != "127.0.0.1":
        return
    listed = replace(closed, private_networks=(ip_network("127.0.0.0/8"),))
    config.configure(listed)
    _, answer = await api.patch(f"/v1/accounts/{account.id}", {"smtp_port": smtp_server.port})
    assert (answer["data"]["status"], answer["data"]["last_error"]) == ("active", None)
    async with working(listed):
        await until_row(mail_id, SENT)


async def test_an_account_without_a_from_address_sends_transactional_mail_only(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    given = {"name": "Relay", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": smtp_server.port}
    _, answer = await api.post("/v1/accounts", given)
    assert answer["data"]["from_email"] is None
    segment, template = await make_segment(acme, await make_contact(acme)), await make_template(acme)
    campaign = await make_campaign(acme, segment=segment, template=template)
    for named in ({}, {"sender_account_ids": [answer["data"]["id"]]}):
        status, refusal = await api.post(f"/v1/campaigns/{campaign.id}/send", named)
        assert (status, refusal["details"][0]["field"]) == (400, "sender_account_ids")
    mail = {"from": "Ada <ada@anywhere.example>", "to": "bob@example.org", "subject": "Hello", "text": "Hello"}
    assert (await api.post("/v1/emails", mail))[0] == 200
    await deliver_all(settings)
    (message,) = smtp_server.messages
    assert (message.mail_from, message.recipients) == ("ada@anywhere.example", ["bob@example.org"])
