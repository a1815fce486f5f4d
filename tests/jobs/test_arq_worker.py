"""The worker and Redis: jobs arrive at once, and its going and coming back stops nothing."""

import asyncio
import gc
from statistics import median
from time import monotonic

import pytest

from jobs import arq_worker
from jobs.periodic import FallbackCron, periodic_work
from tests.factories import account_on, make_account, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.stream_server import HOST, StreamServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.faults.support.world import until_sent
from webapp.config import Settings
from webapp.domain.accounts.credentials import seal_secret
from webapp.domain.delivery import recovery
from webapp.models import Account, MailboxReading, Organization
from webapp.queue import Job, JobRequest, enqueue, publishing_with
from webapp.redis.embedded import embedded_redis


async def test_a_nudge_sends_a_mail_long_before_the_next_poll(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    async with embedded_redis(settings), working(settings, is_woken=False):
        await eventually(lambda: redis_answers(settings))
        await asyncio.sleep(0.5)
        took = []
        for _ in range(5):  # a request whose job's result is kept would be dropped the second time
            await make_mail(acme, account)
            asked_at = monotonic()
            enqueue(Job.WAKE, account.id)
            await until_sent(acme, 30)
            took.append(monotonic() - asked_at)
            await asyncio.sleep(0.3)
    assert median(took) < 2.5  # the next poll is 4 seconds away, or more


async def account_read_at(port: int, org: Organization) -> Account:
    mailbox = {"bounce_reading": "mailbox", "bounce_imap_host": HOST, "bounce_imap_port": port}
    account = await make_account(org, **mailbox, bounce_imap_security="none", bounce_imap_username="eve")
    account.bounce_imap_password = seal_secret(account, "bounce_imap_password", "secret")
    await account.save()
    return account


async def test_redis_goes_away_during_a_job_with_one_warning(
    acme: Organization, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    begun = asyncio.Event()

    async def hang(*_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def is_warned() -> bool:
        return "redis went away" in caplog.text

    async with StreamServer(hang) as server, working(settings):
        async with embedded_redis(settings):
            await eventually(lambda: redis_answers(settings))
            account = await account_read_at(server.port, acme)
            await MailboxReading.begin(account)
            enqueue(Job.READ_MAILBOXES, account.id)
            await asyncio.wait_for(begun.wait(), 30)
        await eventually(is_warned)
    gc.collect()  # a failure of a task is logged once the task is collected
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


async def test_a_job_takes_one_place_at_a_time_and_is_asked_for_again(acme: Organization) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(*_: object) -> None:
        begun.set()
        await ended.wait()

    read = next(one for one in arq_worker.functions(lambda: None) if one.name == Job.READ_MAILBOXES)
    requests: list[JobRequest] = []
    async with StreamServer(hang) as server:
        accounts = [await account_read_at(server.port, acme) for _ in range(3)]
        await MailboxReading.begin(accounts[0])
        with publishing_with(requests.append):
            first = asyncio.create_task(read.coroutine({}, str(accounts[0].id)))
            await asyncio.wait_for(begun.wait(), 30)
            for account in accounts[1:]:
                await MailboxReading.begin(account)
                async with asyncio.timeout(10):  # a mailbox that hangs is given up later
                    await read.coroutine({}, str(account.id))
            assert (first.done(), requests) == (False, [])
            ended.set()
            await first
    assert [one.job for one in requests] == [Job.READ_MAILBOXES]
    assert requests[0].row_id in [account.id for account in accounts[1:]]


def test_every_periodic_piece_is_fired_by_arq(settings: Settings) -> None:
    table = periodic_work(settings, recovery.kill_idle_transactions)
    jobs = [arq_worker.cron_job(piece, FallbackCron(table, lambda: True).fire) for piece in table]
    assert [job.name for job in jobs] == [piece.name for piece in table]
    assert {job.name for job in jobs} & {str(job) for job in Job} == set()  # one of the same name would hide the other
