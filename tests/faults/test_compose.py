"""A web process that ends, asked or not, while a compose is under way."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.conftest import free_port
from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.processes import kill, start, terminate
from webapp import clock
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import FAILED, SENDING, SENT

RECIPIENTS = [f"reader{number}@example.org" for number in range(3)]


async def compose(settings: Settings, org: Organization, account: Account) -> dict[str, Any]:
    """Ask the web process to send to three, and return its answer; an error when it gives none."""
    issued = await issue_key(org, NewKey(name="sender", role="sender"))
    mail = {
        "account_key": account.account_key,
        "subject": "Hello",
        "body": "Hello",
        "recipients": {"emails": RECIPIENTS},
    }
    body = json.dumps(mail).encode()
    await eventually(lambda: answers(settings), seconds=60)
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    writer.write(
        b"POST /api/v1/compose HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b"Authorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b" % (issued.secret.encode(), len(body), body)
    )
    try:
        head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    assert head.startswith(b"HTTP/1.1 200")
    found: dict[str, Any] = json.loads(answer)
    return found


async def answers(settings: Settings) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    except OSError:
        return False
    writer.close()
    return True


async def is_under_way(server: SmtpServer) -> bool:
    return len(server.messages) > 0


async def test_a_web_process_that_is_asked_to_end_finishes_what_is_under_way_and_answers(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 2)
    settings = replace(settings, port=free_port())
    account = await account_on(smtp_server, acme, concurrency=1)
    web = await start(settings, "web")
    asked = asyncio.create_task(compose(settings, acme, account))
    await eventually(lambda: is_under_way(smtp_server), seconds=60)
    assert await terminate(web) == 0
    error = "the service was stopped before it was sent"
    assert await asked == {
        "ok": False,
        "sent": 1,
        "failed": [{"email": address, "error": error} for address in RECIPIENTS[1:]],
    }
    assert [row.status for row in await MailLog.of(acme).order_by("id")] == [SENT, FAILED, FAILED]


async def test_the_rows_of_a_web_process_that_is_killed_fail_and_are_never_sent_again(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    settings = replace(settings, port=free_port())
    account = await account_on(smtp_server, acme)
    web = await start(settings, "web")
    asked = asyncio.create_task(compose(settings, acme, account))
    await eventually(lambda: is_under_way(smtp_server), seconds=60)
    await kill(web)
    assert isinstance((await asyncio.gather(asked, return_exceptions=True))[0], AssertionError | OSError)
    smtp_server.heal()
    received = len(smtp_server.messages)
    async with working(settings):
        assert {row.status for row in await MailLog.of(acme)} == {SENDING}  # their leases run
        await MailLog.of(acme).update(lease_until=clock.now() - timedelta(seconds=1))
        await eventually(lambda: have_failed(acme), seconds=60)
    assert len(smtp_server.messages) == received
    assert {row.error for row in await MailLog.of(acme)} == {
        "the worker that sent it died; whether the mail arrived is unknown"
    }


async def have_failed(org: Organization) -> bool:
    return await MailLog.of(org).filter(status=FAILED).count() == len(RECIPIENTS)
