"""What must not happen although everything around the sender goes wrong."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from jobs.worker import run_worker
from tests.factories import account_on, make_mail, make_run, want_mail
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.faults.support.world import count, until, until_received, until_sent
from tests.locks import end_what_waits, held, holding, somebody_waits
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import PENDING, SENDING, SENT
from webapp.models.outbox import daily_quota


async def test_an_account_paused_after_the_claim_sends_no_more(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 0.3)
    account = await account_on(smtp_server, acme, concurrency=1)
    for _ in range(20):
        await make_mail(acme, account)
    async with working(settings):
        await until_received(smtp_server, 1)
        await Account.of(acme).filter(id=account.id).update(status="paused")
        until_then = len(smtp_server.messages)
        await asyncio.sleep(1.5)
    assert len(smtp_server.messages) <= until_then + 1  # which was in flight
    assert await count(acme, SENT) == len(smtp_server.messages)


async def test_a_connection_lost_while_an_outcome_is_saved_loses_no_message(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DATA", 0, times=39)
    smtp_server.delay("DATA", 0.5, times=1)  # by then the next is claimed, so it is pipelined
    smtp_server.delay("BODY", 0, times=40)
    smtp_server.drop("BODY", times=1)  # after its go-ahead
    smtp_server.delay("DOT", 0, times=39)
    last_answer = smtp_server.hold("DOT")
    account = await account_on(smtp_server, acme, concurrency=1, daily_mail_limit=1_000_000)
    recipients = [f"reader{number}@example.org" for number in range(80)]
    for recipient in recipients:
        await make_mail(acme, account, recipient)
    async with working(settings):
        await until_received(smtp_server, 40)
        async with holding(lambda: MailLog.filter(to_email=recipients[39]).select_for_update()):
            last_answer.set()
            await until(lambda: smtp_server.open_connections == 0 or smtp_server.connections > 1)
        await until_sent(acme)
    assert smtp_server.recipients() == recipients


@pytest.mark.postgres
async def test_what_is_claimed_as_the_database_goes_away_waits_for_no_lease_to_run_out(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    run, _ = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    async with working(replace(settings, lease_seconds=600)):
        async with held("LOCK TABLE contents IN ACCESS EXCLUSIVE MODE"):
            await eventually(somebody_waits)
            assert await count(acme, SENDING) == 3
            await end_what_waits()
        await until_sent(acme)
    assert len(smtp_server.messages) == 3


@pytest.mark.postgres
async def test_a_row_that_cannot_be_settled_holds_up_no_other_accounts_outcomes(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    ours = await account_on(smtp_server, acme)
    smtp_server.delay("DATA", 0.3)
    async with SmtpServer() as refusing:
        theirs = await account_on(refusing, rival)
        refusing.refuse("ann@example.org", "450 4.2.0 try again later")  # which gives a unit of the day back
        await AccountUsage.create(account_id=theirs.id, day=clock.today("UTC"))
        for _ in range(100):  # for many times a quarter of a lease
            await make_mail(acme, ours)
        await make_mail(rival, theirs)
        refusing.delay("MAIL", 1)

        claimed = MailLog.of(rival).filter(status=SENDING)
        async with working(settings):
            await eventually(claimed.exists)
            async with holding(lambda: daily_quota.block_claims(theirs.id)):
                await until_sent(acme)
                assert await claimed.exists()


async def test_periodic_work_goes_on_while_redis_hangs(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, redis_server: RedisServer
) -> None:
    account = await account_on(smtp_server, acme)
    settings = replace(settings, redis_url=redis_server.url)
    async with working(settings):
        await eventually(lambda: redis_answers(settings))
        await asyncio.sleep(0.5)
        redis_server.freeze()
        try:
            (mail_id,) = await make_mail(acme, account)
            ago = clock.now() - timedelta(seconds=1)
            await MailLog.of(acme).filter(id=mail_id).update(status=SENDING, lease_token=mail_id, lease_until=ago)
            await until_sent(acme, 45)
        finally:
            redis_server.thaw()


async def test_a_stop_cuts_a_server_that_hangs_after_the_dot_and_waits_for_one_grace_alone(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    account = await account_on(smtp_server, acme)
    await make_mail(acme, account)
    stop = asyncio.Event()
    task = asyncio.create_task(run_worker(settings, stop, grace=2.0))
    await until(lambda: "DATA" in smtp_server.verbs)
    stop.set()
    asked_at = clock.elapsed()
    await asyncio.wait_for(task, 40)
    assert clock.elapsed() - asked_at < 3.9  # two would be 4
    mail = await MailLog.of(acme).get()
    assert (mail.status, mail.unknowns) == (PENDING, 1)
    assert (await Account.one_of(acme, account.id)).status == "active"
