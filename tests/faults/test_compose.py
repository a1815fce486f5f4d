"""A web process or a worker that ends, asked or not, while a compose is in flight."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching, eventually, working
from tests.faults.support.processes import kill, terminate
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import all_are, until_received
from webapp import clock
from webapp.config import Settings
from webapp.domain.instance import workers
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENDING, SENT

RECIPIENTS = [f"reader{number}@example.org" for number in range(9)]


async def compose(settings: Settings, org: Organization, account: Account) -> dict[str, Any]:
    """Ask the web process to send to all, and return its answer."""
    to = {"account_key": account.account_key, "recipients": {"emails": RECIPIENTS}}
    async with client_of(settings, await new_key(org)) as client:
        answer = await client.post(
            f"{settings.base_url}/api/v1/compose", json=to | {"subject": "Hello", "body": "Hello"}
        )
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


async def test_a_web_process_that_is_asked_to_end_finishes_what_is_in_flight_and_answers(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 2)
    settings = with_port(settings)
    account = await account_on(smtp_server, acme, concurrency=1)
    async with web_running(settings) as web, dispatching(settings):
        asked = asyncio.create_task(compose(settings, acme, account))
        await until_received(smtp_server, 1, 60)
        assert await terminate(web) == 0
        answer = await asked
    assert answer["sent"] >= 1
    assert sorted([*smtp_server.recipients(), *(one["email"] for one in answer["failed"])]) == RECIPIENTS
    assert {one["error"] for one in answer["failed"]} == {"the service shut down before it was sent"}
    statuses = Counter([row.status for row in await MailLog.of(acme)])
    assert statuses == {SENT: answer["sent"], FAILED: len(answer["failed"])}


async def test_the_rows_of_a_worker_that_is_killed_fail_and_are_never_sent_again(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    settings = with_port(settings)
    account = await account_on(smtp_server, acme)
    async with web_running(settings, "up") as instance:
        await eventually(workers.is_worker_alive, seconds=60)
        asked = asyncio.create_task(compose(settings, acme, account))
        await until_received(smtp_server, 1, 60)
        await kill(instance)
        with pytest.raises(httpx2.TransportError):
            await asked
    smtp_server.heal()
    rows = MailLog.of(acme)
    claimed = await rows.filter(status=SENDING).count()
    assert claimed >= 1
    await rows.filter(status=SENDING).update(lease_until=clock.now() - timedelta(seconds=1))
    await rows.filter(status=PENDING).update(next_attempt_at=clock.now() - timedelta(days=2))  # nobody waits by now
    received = len(smtp_server.messages)
    async with working(settings):
        await eventually(lambda: all_are(acme, FAILED), seconds=60)
    assert len(smtp_server.messages) == received
    died = "the worker stopped while sending; the email may have been delivered"
    errors = [row.error for row in await MailLog.of(acme)]
    assert sorted(errors) == sorted([died] * claimed + ["it could not be sent in time"] * (len(RECIPIENTS) - claimed))
