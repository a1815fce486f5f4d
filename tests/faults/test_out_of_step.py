"""Servers that lose their place: a connection out of step costs no mail anything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.factories import account_on, make_account, make_mail
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.senders import sending
from tests.faults.support.world import all_are, queue_mails, until_sent
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import PENDING, SENDING, SENT

PATIENCE = 60.0  # seconds
MAILS, EACH = 50, 10
AMPLE = 100 * MAILS  # of which a share is claimed ahead: so messages follow one another over a connection
pytestmark = pytest.mark.timeout(180)


class Raising:
    """A handler of aiosmtpd that raises at every tenth message until it is well."""

    def __init__(self) -> None:
        self.is_well, self.asked, self.recipients = False, 0, list[str]()

    async def handle_exception(self, _error: Exception) -> str:
        return "451 4.3.0 cannot keep it just now"

    async def handle_EHLO(  # noqa: N802 - aiosmtpd calls it by this name, like the one below
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [responses[0], "250-PIPELINING", *responses[1:]]

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - see above
        self.asked += 1
        if not self.is_well and self.asked % EACH == 0:
            raise ValueError("no room")
        assert b"Subject: Hello" in (envelope.original_content or b"")
        self.recipients += envelope.rcpt_tos
        return "250 2.0.0 OK"


@asynccontextmanager
async def aiosmtpd_server(handler: Raising) -> AsyncIterator[int]:
    """The port of a server with this handler."""
    loop, connections = asyncio.get_running_loop(), list[SMTP]()

    def accept() -> SMTP:
        connections.append(SMTP(handler, loop=loop, enable_SMTPUTF8=True))
        return connections[-1]

    server = await loop.create_server(accept, HOST, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for connection in connections:
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.sleep(0)


async def test_all_arrive_once_at_a_server_that_forgets_to_reset_and_none_fails(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    handler = Raising()
    async with aiosmtpd_server(handler) as port:
        account = await make_account(acme, smtp_port=port, smtp_security="none", daily_mail_limit=AMPLE)
        await queue_mails(acme, account, MAILS)
        await make_mail(rival, await account_on(smtp_server, rival))
        async with sending(settings):
            await eventually(lambda: have_been_tried(acme), PATIENCE)
            raised = await MailLog.of(acme).filter(status=PENDING).count()
            assert raised == handler.asked // EACH > 0
            assert set(await MailLog.of(acme).filter(status=PENDING).values_list("attempts", flat=True)) == {1}
            handler.is_well = True
            due = clock.now() - timedelta(seconds=1)
            await MailLog.of(acme).filter(status=PENDING).update(next_attempt_at=due)
            await until_sent(acme, PATIENCE)
            await until_sent(rival, PATIENCE)
    assert sorted(handler.recipients) == sorted(f"reader{number}@example.org" for number in range(MAILS))
    found = await Account.one_of(acme, account.id)
    assert (found.status, found.rests, found.throttles, found.last_error) == ("active", 0, 0, None)


async def have_been_tried(org: Organization) -> bool:
    """Whether nothing is under way, and all that waits was refused for now."""
    under_way = await MailLog.of(org).filter(status=SENDING).count()
    return not under_way and not await MailLog.of(org).filter(status=PENDING, error__isnull=True).exists()


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
            await eventually(lambda: rests(account), PATIENCE)
            await until_sent(rival, PATIENCE)
            await eventually(lambda: all_are(acme, PENDING), PATIENCE)
        assert server.connections <= 3  # a second message shows whose trouble it is; one may be claimed by then
        server.messages.clear()  # what was refused after its dot
    assert set(await MailLog.of(acme).values_list("status", "attempts")) == {(PENDING, 0)}
    found = await Account.one_of(acme, account.id)
    assert (found.status, found.rests, found.last_error) == ("active", 1, reply)


async def rests(account: Account) -> bool:
    found = await Account.across_orgs().get(id=account.id)
    return found.rest_until is not None and found.rest_until > clock.now()


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
