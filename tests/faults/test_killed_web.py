"""F10 and F18: the web process dies; what it accepted is saved, and a program that asks again gets its promise."""

import asyncio
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from tests.api.mails import MAIL
from tests.factories import account_on, make_account
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.callers import Callers, check_promises
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants
from tests.faults.support.processes import kill
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import Account, Email, MailLog, Organization
from webapp.models.mail_log import SENT

PATIENCE = 60.0  # seconds
CALLERS = 100
KEY = {"Idempotency-Key": "order-1"}
pytestmark = pytest.mark.timeout(180)


async def test_f10_a_mail_is_sent_whose_web_process_died_before_it_could_wake_a_worker(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, redis: RedisServer, figures: Figures
) -> None:
    settings = with_port(replace(settings, redis_url=redis.url))
    await account_on(smtp_server, acme)
    key = await new_key(acme)
    async with client_of(settings, key) as client:
        async with web_running(settings) as web:
            redis.freeze()  # so that no request gets through
            asked = asyncio.create_task(client.post("/emails", json=MAIL, headers=KEY))
            await eventually(MailLog.of(acme).exists, PATIENCE)
            await kill(web)
            redis.thaw()
            await asyncio.gather(asked, return_exceptions=True)
        async with Fleet(settings) as fleet, web_running(settings):
            began = clock.elapsed()
            await until_sent(acme, PATIENCE)
            figures("seconds until it was sent", clock.elapsed() - began, at_most=10)
            again = await client.post("/emails", json=MAIL, headers=KEY)
            await fleet.end()
    email = await Email.of(acme).get()
    assert (again.status_code, again.json()) == (200, {"id": str(email.id)})
    assert await check_invariants(acme, smtp_server, rows=1) == {SENT: 1}
    assert len(smtp_server.messages) == 1


async def test_f10_every_email_that_was_accepted_is_saved_once_although_a_web_process_is_killed(
    acme: Organization, rival: Organization, settings: Settings, account: Account, figures: Figures
) -> None:
    await set_plan(acme, "scale")  # which counts emails
    await set_plan(rival, "scale")
    await make_account(rival)
    first, second = with_port(settings), with_port(settings)
    key = await new_key(acme)
    ours, theirs = [client_of(first, key), client_of(second, key)], client_of(second, await new_key(rival))
    async with (
        ours[0],
        ours[1],
        theirs,
        web_running(first) as web,
        web_running(second),
        Callers(ours, 50) as callers,
        Callers([theirs], 1) as strangers,
    ):
        await callers.until_accepted(100, PATIENCE)
        await kill(web)
        await callers.until_accepted(100, PATIENCE)
        await strangers.until_accepted(1, PATIENCE)
    await check_promises(acme, callers)
    await check_promises(rival, strangers)
    figures("emails that were accepted", len(callers.accepted), at_least=200)
    figures("emails whose answer was lost", len(callers.unanswered), at_least=1)


async def ask_at_once(clients: list[httpx2.AsyncClient], body: dict[str, Any]) -> list[httpx2.Response]:
    """Let all callers ask at once; the answers of those who got one."""
    asked = [clients[number % len(clients)].post("/emails", json=body, headers=KEY) for number in range(CALLERS)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, httpx2.Response | httpx2.TransportError) for one in found)
    return [one for one in found if isinstance(one, httpx2.Response)]


async def test_f18_one_key_makes_one_mail_however_many_ask_and_whatever_dies_meanwhile(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    await account_on(smtp_server, acme)
    key = await new_key(acme)
    first, second = with_port(settings), with_port(settings)
    async with client_of(first, key) as one, client_of(second, key) as other, web_running(second):
        async with web_running(first) as web:
            asking = asyncio.create_task(ask_at_once([one, other], MAIL))
            await eventually(MailLog.of(acme).exists, PATIENCE)
            await kill(web)
            answers = await asking
        async with web_running(first):
            again = await ask_at_once([one, other], MAIL)
            others = await ask_at_once([one, other], MAIL | {"subject": "Another"})
    assert len(answers) >= CALLERS // 2  # all that asked the other process
    email = await Email.of(acme).get()
    done = [answer for answer in answers if answer.status_code == 200]
    assert {answer.status_code for answer in answers} <= {200, 409}  # 409: whoever has it under way answers soon
    figures("ids that were answered", len({answer.json()["id"] for answer in [*done, *again]}), exactly=1)
    assert {answer.json()["id"] for answer in again} == {str(email.id)}
    figures("of those who asked again, answered with it", len(again), exactly=CALLERS)
    figures("of those with another body, refused", sum(one.status_code == 409 for one in others), exactly=CALLERS)
    async with Fleet(settings) as fleet:
        await until_sent(acme, PATIENCE)
        await fleet.end()
    assert await check_invariants(acme, smtp_server, rows=1) == {SENT: 1}
    figures("mails that arrived", len(smtp_server.messages), exactly=1)
    assert await MailLog.of(rival).count() == 0
