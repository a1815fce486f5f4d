"""Servers that lose their place: a connection out of step costs no mail anything."""

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.senders import sending
from tests.faults.support.world import all_are, queue_mails, until_sent
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT

PATIENCE = 60.0  # seconds
pytestmark = pytest.mark.timeout(180)


@pytest.mark.parametrize(
    ("step", "reply", "pipelining"),
    [
        ("MAIL", "500 5.5.2 command unrecognized", False),
        ("RCPT", "503 MAIL first", True),
        ("DOT", "503 bad sequence of commands", True),
    ],
)
async def test_a_server_that_is_always_out_of_step_is_backed_off_from(
    acme: Organization,
    rival: Organization,
    settings: Settings,
    smtp_server: SmtpServer,
    step: str,
    reply: str,
    *,
    pipelining: bool,
) -> None:
    async with SmtpServer(pipelining=pipelining) as server:
        server.reply(step, reply)
        account = await account_on(server, acme)
        for _ in range(5):
            await make_mail(acme, account)
        await make_mail(rival, await account_on(smtp_server, rival))
        async with sending(settings):
            await eventually(Account.of(acme).filter(id=account.id, rest_until__gt=clock.now()).exists, PATIENCE)
            await until_sent(rival, PATIENCE)
            await eventually(lambda: all_are(acme, PENDING), PATIENCE)
        assert server.connections <= 3  # a second message shows whose trouble it is; one may be claimed by then
        server.messages.clear()  # what was refused after its dot
    assert set(await MailLog.of(acme).values_list("status", "attempts")) == {(PENDING, 0)}
    found = await Account.one_of(acme, account.id)
    assert (found.status, found.rests, found.last_error) == ("active", 1, reply)


async def test_a_connection_that_is_out_of_step_once_is_replaced_and_costs_nothing(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    async with SmtpServer() as server:
        account = await account_on(server, acme, concurrency=1)
        server.delay("MAIL", 0, times=2)
        server.reply("MAIL", "503 nested MAIL command", times=1)
        await queue_mails(acme, account, 6)
        await make_mail(rival, await account_on(smtp_server, rival))
        async with sending(settings):
            await until_sent(acme, PATIENCE)
            await until_sent(rival, PATIENCE)
        assert sorted(server.recipients()) == [f"reader{number}@example.org" for number in range(6)]
        assert (server.connections, server.violations) == (2, [])
    assert set(await MailLog.of(acme).values_list("status", "attempts", "error")) == {(SENT, 0, None)}
    found = await Account.one_of(acme, account.id)
    assert (found.rests, found.last_error) == (0, None)
