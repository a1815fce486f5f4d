"""F6 and F32: PostgreSQL crashes and comes back while emails are accepted and sent, and one of its rows is locked."""

import asyncio
import os
import signal
from dataclasses import replace
from statistics import mean
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.api.conftest import make_api
from tests.api.mails import MAIL
from tests.factories import account_on, make_account, make_org
from tests.fakes.postgres_server import PostgresServer
from tests.fakes.proxy import Proxy
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.callers import Callers, check_promises, saved_emails
from tests.faults.support.databases import are_sent, connected_to
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import all_are, queue_mails, until_received, until_sent
from tests.figures import Figures
from tests.locks import held
from webapp import clock, db
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.instance import WorkerHeartbeat
from webapp.models.mail_log import FAILED, SENDING, SENT

PATIENCE = 90.0  # seconds
pytestmark = [pytest.mark.postgres, pytest.mark.timeout(240)]


async def live(workers: int) -> bool:
    return await WorkerHeartbeat.all().count() == workers


@pytest.mark.parametrize(
    ("mails", "crashes"), [(100, 1), pytest.param(4_000, 10, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
)
async def test_f06_no_mail_is_lost_or_doubled_when_postgresql_crashes(
    own_postgres: PostgresServer, settings: Settings, figures: Figures, mails: int, crashes: int
) -> None:
    async with connected_to(settings, database_url=own_postgres.url) as its, SmtpServer() as smtp:
        org = await make_org()
        smtp.delay("DOT", 0.01)
        account = await account_on(smtp, org, daily_mail_limit=2 * mails, concurrency=8)
        async with Fleet(its, 2) as fleet:
            await eventually(lambda: live(2), PATIENCE)  # one that starts without a database ends
            await queue_mails(org, account, mails)
            for number in range(1, crashes + 1):
                await until_received(smtp, number * mails // (crashes + 1), PATIENCE)
                await own_postgres.restart()
            await eventually(lambda: are_sent(org), PATIENCE + mails / 20)
            await fleet.end()
        figures("mails that were sent", (await check_invariants(org, smtp, rows=mails))[SENT], exactly=mails)
        figures("mails that arrived twice", duplicates(smtp), exactly=0)


async def crash(server: PostgresServer) -> None:
    """Kills a session's process: PostgreSQL then ends all others, and recovers as after a power cut."""
    (row,) = await db.fetch("SELECT pg_backend_pid() AS pid")
    assert row["pid"] in server.process_ids()
    os.kill(row["pid"], signal.SIGKILL)


async def test_f06_every_email_that_was_accepted_is_saved_once_although_postgresql_is_killed(
    own_postgres: PostgresServer, settings: Settings, figures: Figures
) -> None:
    async with connected_to(with_port(settings), database_url=own_postgres.url) as its:
        org, rival = await make_org(plan="scale"), await make_org("Rival", plan="scale")
        await make_account(org)
        await make_account(rival)
        ours, theirs = client_of(its, await new_key(org)), client_of(its, await new_key(rival))
        async with web_running(its), ours, theirs, Callers([ours], 50) as callers, Callers([theirs], 1) as strangers:
            for _ in range(2):
                await callers.until_accepted(100, PATIENCE)
                await crash(own_postgres)
            await callers.until_accepted(100, PATIENCE)
            await strangers.until_accepted(1, PATIENCE)
        await check_promises(org, callers)
        await check_promises(rival, strangers)
        figures("emails that were accepted", len(callers.accepted), at_least=300)
        figures("emails whose answer was lost", len(callers.unanswered), at_least=1)


async def test_f06_an_email_whose_commit_is_not_answered_is_refused_and_saved_once(settings: Settings) -> None:
    real, is_due = urlsplit(settings.database_url), False

    def see(answer: bytes) -> None:
        if is_due and b"COMMIT\0" in answer:
            proxy.cut()

    async def post(subject: str, **headers: str) -> int:
        return (await api.send("POST", "/v1/emails", json=MAIL | {"subject": subject}, headers=headers)).status_code

    async with Proxy(lambda: asyncio.open_connection(real.hostname, real.port), see) as proxy:
        url = real._replace(netloc=f"{real.username}@127.0.0.1:{proxy.port}").geturl()
        async with connected_to(settings, database_url=url) as its:
            org = await make_org(plan="scale")
            await make_account(org)
            api = await make_api(create_app(its), org)
            assert await post("first") == 200
            is_due = True
            together = await asyncio.gather(*(post(f"mail {number}") for number in range(5)))
            alone = await post("with a key", **{"Idempotency-Key": "order-1"})
            is_due = False
            assert {*together, alone} == {503}
            saved = await saved_emails(org)
            assert await post("with a key", **{"Idempotency-Key": "order-1"}) == 200
            assert saved.keys() == {"first", *(f"mail {number}" for number in range(5)), "with a key"}
            assert await saved_emails(org) == saved


async def test_the_probe_answers_while_the_database_is_silent(database: str, settings: Settings) -> None:
    server = urlsplit(settings.database_url)
    async with Proxy(lambda: asyncio.open_connection(server.hostname, server.port)) as proxy:
        behind = server._replace(netloc=f"{server.netloc.rpartition('@')[0]}@127.0.0.1:{proxy.port}").geturl()
        its = replace(with_port(settings), database_url=behind)
        async with web_running(its), httpx2.AsyncClient(base_url=its.base_url, timeout=10) as client:
            assert (await client.get("/readyz")).json()["parts"]["database"] == "ok"
            proxy.silence()
            await asyncio.sleep(1)  # in which an answer of before is still given
            for _ in range(3):
                answer = await client.get("/readyz")
                assert (answer.status_code, answer.json()["parts"]["database"]) == (503, "unreachable")


async def seconds_for(
    org: Organization, account: Account, server: SmtpServer, mails: int, seconds: float
) -> list[float]:
    """How long a worker takes for so many more mails of an account, from the first to the last, time and again."""
    found: list[float] = []
    began = clock.elapsed()
    while not found or clock.elapsed() - began < seconds:
        before = len(server.messages)
        await queue_mails(org, account, mails)
        await until_received(server, before + mails, PATIENCE)
        times = [mail.at for mail in server.messages[before:]]
        found.append(max(times) - min(times))
        await until_sent(org, PATIENCE)
    return found


@pytest.mark.parametrize(
    ("mails", "locked", "seconds"),
    [(50, 4, 0), pytest.param(2_000, 12, 30, marks=[pytest.mark.soak, pytest.mark.alone, pytest.mark.timeout(600)])],
)
async def test_f32_a_lock_on_the_day_of_some_accounts_holds_up_those_alone(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures, mails: int, locked: int, seconds: float
) -> None:  # fmt: skip
    async with SmtpServer() as theirs, SmtpServer() as ours, Fleet(settings) as fleet:
        theirs.reply("RCPT", "550 5.1.1 no such user")  # which gives a unit of the day back: that waits for the lock
        account = await account_on(ours, acme, daily_mail_limit=1_000_000)
        others = [await account_on(theirs, rival, concurrency=2) for _ in range(locked)]
        for other in others:
            await AccountUsage.create(account_id=other.id, day=clock.today("UTC"), used=0)
        base = await seconds_for(acme, account, ours, mails, seconds / 2)
        refused = theirs.hold("MAIL", times=None)
        for other in others:
            await queue_mails(rival, other, 5)
        await eventually(lambda: are_under_way(rival, locked), PATIENCE)
        day = "SELECT id FROM account_usage WHERE account_id = ANY($1) FOR UPDATE"
        async with held(day, [other.id for other in others]):
            refused.set()
            beside = await seconds_for(acme, account, ours, mails, seconds)
            assert not await MailLog.of(rival).filter(status=FAILED).exists()
        await eventually(lambda: all_are(rival, FAILED), PATIENCE)
        base += await seconds_for(acme, account, ours, mails, seconds / 2)
        await fleet.end()
        rows = (len(base) + len(beside)) * mails
        assert await check_invariants(acme, ours, rows=rows) == {SENT: rows}
    # Before and after: the machine may have other things to do. The quick test shows that mail goes at all.
    share = mean(base) / mean(beside)
    figures("throughput beside the lock, of that without", share, at_least=0.8 if seconds else 0.1)


async def are_under_way(org: Organization, accounts: int) -> bool:
    rows = await MailLog.of(org).filter(status=SENDING).values_list("account_id", flat=True)
    return len(set(rows)) == accounts
