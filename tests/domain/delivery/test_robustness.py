"""What must not happen although everything around the sender goes wrong."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.worker import run_worker, send
from tests.factories import account_on, make_mail, make_run, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.locks import end_what_waits, held, holding, somebody_waits
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT
from webapp.models.outbox import daily_quota
from webapp.redis.embedded import embedded_redis
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool


async def count(org: Organization, status: str) -> int:
    return await MailLog.of(org).filter(status=status).count()


async def are_sent(org: Organization, number: int) -> bool:
    return await count(org, SENT) == number


async def test_an_account_paused_after_the_claim_sends_no_more(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 0.3)
    account = await account_on(smtp_server, acme, concurrency=1)
    for _ in range(20):
        await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: has_received(smtp_server, 1))
        await Account.of(acme).filter(id=account.id).update(status="paused")
        until_then = len(smtp_server.messages)
        await asyncio.sleep(1.5)
    assert len(smtp_server.messages) <= until_then + 1  # which was in flight
    assert await count(acme, SENT) == len(smtp_server.messages)


async def test_a_connection_lost_while_an_outcome_is_saved_loses_no_message(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("BODY", 0, times=40)  # by then some wait in the queue, and each is pipelined
    smtp_server.drop("BODY", times=1)  # after its go-ahead
    smtp_server.delay("DOT", 0, times=39)
    last_answer = smtp_server.hold("DOT")
    account = await account_on(smtp_server, acme, concurrency=1, daily_mail_limit=1_000_000)
    recipients = [f"reader{number}@example.org" for number in range(80)]
    for recipient in recipients:
        await make_mail(acme, account, recipient)
    async with working(settings):
        await eventually(lambda: has_received(smtp_server, 40))
        async with holding(lambda: MailLog.filter(to_email=recipients[39]).select_for_update()):
            last_answer.set()
            await eventually(lambda: has_hung_up(smtp_server))
        await eventually(lambda: are_sent(acme, len(recipients)))
    assert smtp_server.recipients() == recipients


async def has_hung_up(server: SmtpServer) -> bool:
    return server.open_connections == 0


async def has_received(server: SmtpServer, number: int) -> bool:
    return len(server.messages) >= number


@contextlib.asynccontextmanager
async def sending(dialer: Dialer, settings: Settings) -> AsyncIterator[Dispatcher]:
    """A dispatcher with this dialer inside the block."""
    sender, stop = Dispatcher(SmtpPool(dialer), settings.lease_seconds), asyncio.Event()
    task = asyncio.create_task(send(sender, stop, 0.2))
    try:
        yield sender
    finally:
        stop.set()
        await asyncio.wait_for(task, 40)


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
        await eventually(lambda: are_sent(acme, 3))
    assert len(smtp_server.messages) == 3


@pytest.mark.postgres
async def test_what_is_just_being_claimed_is_not_taken_back_however_long_the_process_slept(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    run, _ = await make_run(acme, [await account_on(smtp_server, acme)], 3)
    await want_mail(acme, run)
    (of_dead,) = await make_mail(rival, await account_on(smtp_server, rival))
    ago = clock.now() - timedelta(hours=1)
    await MailLog.of(rival).update(status=SENDING, lease_token=of_dead, lease_until=ago)
    async with sending(Dialer.of(settings), settings) as sender:
        async with held("LOCK TABLE contents IN ACCESS EXCLUSIVE MODE"):
            await eventually(somebody_waits)
            await MailLog.of(acme).update(lease_until=ago)
            reclaiming = asyncio.create_task(sender.reclaim())
            await asyncio.sleep(0.3)
            assert await count(acme, SENDING) == 3
        await reclaiming
        await eventually(lambda: are_sent(acme, 3))
    assert set(await MailLog.of(acme).values_list("crashes", flat=True)) == {0}
    assert (await MailLog.of(rival).get()).crashes == 1


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

        async with working(settings):
            await eventually(lambda: is_claimed(rival))
            async with holding(lambda: daily_quota.block_claims(theirs.id)):
                await eventually(lambda: are_sent(acme, 100))
                assert await is_claimed(rival)


async def is_claimed(org: Organization) -> bool:
    return await MailLog.of(org).filter(status=SENDING).exists()


async def test_periodic_work_goes_on_while_redis_hangs(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    async with embedded_redis(settings), working(settings):
        await eventually(lambda: redis_answers(settings))
        await asyncio.sleep(0.5)
        server = server_of(settings)
        os.kill(server, signal.SIGSTOP)
        try:
            (mail_id,) = await make_mail(acme, account)
            ago = clock.now() - timedelta(seconds=1)
            await MailLog.of(acme).filter(id=mail_id).update(status=SENDING, lease_token=mail_id, lease_until=ago)
            await eventually(lambda: are_sent(acme, 1), seconds=45)
        finally:
            os.kill(server, signal.SIGCONT)


def server_of(settings: Settings) -> int:
    """The process that serves this test's Redis, found by its socket among its arguments."""
    wanted = str(settings.redis_socket).encode()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it ended since the folder was listed
            if folder.name.isdigit() and wanted in (folder / "cmdline").read_bytes():
                return int(folder.name)
    raise AssertionError("no Redis server runs for this test")


async def test_a_stop_in_time_does_not_wait_for_a_second_grace(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    await make_mail(acme, await account_on(smtp_server, acme))
    stop = asyncio.Event()
    task = asyncio.create_task(run_worker(settings, stop, grace=2.0))
    await eventually(lambda: is_in_flight(smtp_server))
    stop.set()
    asked_at = clock.elapsed()
    await asyncio.wait_for(task, 40)
    assert clock.elapsed() - asked_at < 3.9  # two would be 4


async def is_in_flight(server: SmtpServer) -> bool:
    return "DATA" in server.verbs


REFUSE_UPDATES = {
    "sqlite": "CREATE TRIGGER refuse BEFORE UPDATE ON accounts BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    "postgres": """CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'refused by the test'; END $$ LANGUAGE plpgsql;
        CREATE TRIGGER refuse BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse()""",
}
ALLOW_UPDATES = {
    "sqlite": "DROP TRIGGER refuse",
    "postgres": "DROP TRIGGER refuse ON accounts; DROP FUNCTION refuse",
}


async def test_an_accepted_mail_is_sent_once_although_its_account_cannot_be_written(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, last_error="450 trouble of yesterday")  # what a success would heal
    await make_mail(acme, account)
    await db.connection().execute_script(REFUSE_UPDATES[settings.dialect])
    try:
        async with working(settings):
            await eventually(lambda: are_sent(acme, 1))
    finally:
        await db.connection().execute_script(ALLOW_UPDATES[settings.dialect])
    assert len(smtp_server.messages) == 1
    (mail,) = await MailLog.of(acme)
    assert (mail.attempts, mail.error) == (0, None)
