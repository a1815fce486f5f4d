"""A web process or a worker that ends, asked or not, while a compose is in flight."""

import asyncio
import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import free_port
from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching, eventually, working
from tests.faults.support.processes import kill, start, terminate
from webapp import clock
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.instance import workers
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENDING, SENT

RECIPIENTS = [f"reader{number}@example.org" for number in range(9)]


async def compose(settings: Settings, org: Organization, account: Account) -> dict[str, Any]:
    """Ask the web process to send to all, and return its answer; an error when it gives none."""
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


async def is_in_flight(server: SmtpServer) -> bool:
    return len(server.messages) > 0


@pytest.mark.parametrize("options", [(), pytest.param(("--processes", "2"), marks=pytest.mark.postgres)])
async def test_a_web_process_that_is_asked_to_end_finishes_what_is_in_flight_and_answers(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, options: tuple[str, ...]
) -> None:
    smtp_server.delay("DOT", 2)
    settings = replace(settings, port=free_port())
    account = await account_on(smtp_server, acme, concurrency=1)
    web = await start(settings, "web", *options)
    async with dispatching(settings):
        asked = asyncio.create_task(compose(settings, acme, account))
        await eventually(lambda: is_in_flight(smtp_server), seconds=60)
        assert await terminate(web) == 0
        answer = await asked
    assert answer["sent"] >= 1
    assert sorted([*smtp_server.recipients(), *(one["email"] for one in answer["failed"])]) == RECIPIENTS
    assert {one["error"] for one in answer["failed"]} == {"the service shut down before it was sent"}
    statuses = Counter([row.status for row in await MailLog.of(acme)])
    assert statuses == {SENT: answer["sent"], FAILED: len(answer["failed"])}


async def test_the_rows_of_a_web_process_that_is_killed_are_sent_once_each(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 0.3)
    settings = replace(settings, port=free_port())
    account = await account_on(smtp_server, acme, concurrency=1)
    web = await start(settings, "web")
    async with dispatching(settings):
        asked = asyncio.create_task(compose(settings, acme, account))
        await eventually(lambda: is_in_flight(smtp_server), seconds=60)
        await kill(web)
        assert isinstance((await asyncio.gather(asked, return_exceptions=True))[0], AssertionError | OSError)
        await eventually(lambda: are_all(acme, SENT), seconds=60)
    assert sorted(smtp_server.recipients()) == RECIPIENTS  # in no order: a lease that ran out is claimed again later


async def test_the_rows_of_a_worker_that_is_killed_fail_and_are_never_sent_again(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    settings = replace(settings, port=free_port())
    account = await account_on(smtp_server, acme)
    instance = await start(settings, "up")
    await eventually(workers.is_worker_alive, seconds=60)
    asked = asyncio.create_task(compose(settings, acme, account))
    await eventually(lambda: is_in_flight(smtp_server), seconds=60)
    await kill(instance)
    assert isinstance((await asyncio.gather(asked, return_exceptions=True))[0], AssertionError | OSError)
    smtp_server.heal()
    rows = MailLog.of(acme)
    claimed = await rows.filter(status=SENDING).count()
    assert claimed >= 1
    await rows.filter(status=SENDING).update(lease_until=clock.now() - timedelta(seconds=1))
    await rows.filter(status=PENDING).update(next_attempt_at=clock.now() - timedelta(days=2))  # nobody waits by now
    received = len(smtp_server.messages)
    async with working(settings):
        await eventually(lambda: are_all(acme, FAILED), seconds=60)
    assert len(smtp_server.messages) == received
    died = "the worker stopped while sending; the email may have been delivered"
    errors = [row.error for row in await MailLog.of(acme)]
    assert sorted(errors) == sorted([died] * claimed + ["it could not be sent in time"] * (len(RECIPIENTS) - claimed))


async def are_all(org: Organization, status: str) -> bool:
    return await MailLog.of(org).filter(status=status).count() == len(RECIPIENTS)
