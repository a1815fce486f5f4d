"""F1 to F5: workers are killed, asked to end, and put to sleep while mail goes out."""

import asyncio
import signal
from typing import Any

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import GRACE, Fleet, with_lease
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.processes import Process, kill
from tests.faults.support.world import all_are, queue_mails, until, until_received, until_sent
from tests.figures import Figures
from tests.locks import end_what_waits, held
from webapp import clock, db
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import FAILED, SENDING, SENT

PATIENCE = 60.0  # seconds
LONG = [pytest.mark.soak, pytest.mark.timeout(900)]
pytestmark = pytest.mark.timeout(180)


async def check_interrupted(
    org: Organization, fleet: Fleet, *, mails: int, concurrency: int, times: int, is_killed: bool
) -> tuple[int, float]:
    """Send `mails` while a worker ends `times` times; how many arrived twice, and the seconds it took."""
    async with SmtpServer() as server:
        server.delay("DOT", 0.01)  # so that a signal finds messages under way
        account = await account_on(server, org, daily_mail_limit=10 * mails, concurrency=concurrency)
        await queue_mails(org, account, mails)
        began = clock.elapsed()
        async with fleet:
            for number in range(1, times + 1):
                await until_received(server, number * mails // (times + 1), PATIENCE + mails / 20)
                await (fleet.kill_one() if is_killed else fleet.redeploy_one())
            await until_sent(org, PATIENCE + mails / 20)
            seconds = clock.elapsed() - began
            await fleet.end()
        assert await check_invariants(org, server, rows=mails) == {SENT: mails}
        return duplicates(server), seconds


@pytest.mark.parametrize(
    ("workers", "lease", "mails", "times"), [(1, 2, 300, 2), pytest.param(2, 5, 5_000, 5, marks=LONG)]
)
async def test_f01_all_mails_arrive_although_workers_are_killed(
    acme: Organization, settings: Settings, figures: Figures, workers: int, lease: int, mails: int, times: int
) -> None:
    fleet, concurrency = Fleet(with_lease(settings, lease), workers), 4 * workers
    twice, seconds = await check_interrupted(
        acme, fleet, mails=mails, concurrency=concurrency, times=times, is_killed=True
    )
    figures("mails that arrived twice", twice, at_most=times * concurrency)
    figures("seconds until all were sent", seconds, at_most=60)


@pytest.mark.parametrize(("workers", "mails", "times"), [(1, 300, 1), pytest.param(2, 5_000, 5, marks=LONG)])
async def test_f02_no_mail_is_doubled_by_deployments(
    acme: Organization, settings: Settings, figures: Figures, workers: int, mails: int, times: int
) -> None:
    fleet = Fleet(settings, workers)
    twice, _ = await check_interrupted(acme, fleet, mails=mails, concurrency=4 * workers, times=times, is_killed=False)
    figures("mails that arrived twice", twice, exactly=0)
    figures("seconds until a worker had ended", fleet.longest_end, at_most=GRACE)


async def test_f03_a_worker_that_dies_between_the_250_and_the_commit_sends_the_same_message_once_more(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    settings = with_lease(settings, 2)
    smtp_server.delay("DOT", 1, times=1)
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)
    async with Fleet(settings) as fleet:
        await until_received(smtp_server, 1, PATIENCE)
        async with held(f"SELECT id FROM mail_logs WHERE id = $1 {db.dialect().lock('FOR UPDATE')}", mail_id):
            await asyncio.sleep(2)  # the 250 is out by then, and its commit waits for us
            await fleet.kill_all()
            if not settings.is_sqlite:
                await end_what_waits()  # a server that has begun a statement ends it although its client is dead
        assert (await MailLog.get(id=mail_id)).status == SENDING
        await fleet.add()
        await until_sent(acme, PATIENCE)
        await fleet.end()
    mail = await MailLog.get(id=mail_id)
    figures("deaths that the row counts", mail.crashes, exactly=1)
    figures("times that it was accepted", len(smtp_server.messages), exactly=2)
    assert await check_invariants(acme, smtp_server, rows=1) == {SENT: 1}


@pytest.mark.parametrize(("deaths", "others"), [(1, 20), pytest.param(6, 100, marks=LONG)])
async def test_f04_a_mail_that_a_worker_dies_of_for_the_sixth_time_fails_and_the_others_are_sent(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures, deaths: int, others: int
) -> None:
    settings = with_lease(settings, 1)
    account = await account_on(smtp_server, acme, concurrency=4)  # others are there when it kills, until it goes alone
    (poison,) = await make_mail(acme, account, "poison@example.org")
    await MailLog.filter(id=poison).update(crashes=6 - deaths)
    smtp_server.delay("DATA", 0.5)
    await queue_mails(acme, account, others)
    async with Fleet(settings) as fleet:
        for number in range(deaths):
            await until(lambda number=number: offers_of_poison(smtp_server) > number, PATIENCE)
            smtp_server.heal()
            smtp_server.delay("RCPT", 0.2)
            await fleet.kill_all()
            await fleet.add()
        await eventually(MailLog.filter(id=poison, status=FAILED).exists, PATIENCE)
        smtp_server.heal()
        await eventually(lambda: all_are(acme, SENT, FAILED), PATIENCE)
        await fleet.end()
    figures("deaths until it failed", (await MailLog.get(id=poison)).crashes, exactly=6)
    assert offers_of_poison(smtp_server) == deaths
    assert await check_invariants(acme, smtp_server, rows=others + 1) == {SENT: others, FAILED: 1}


def offers_of_poison(server: SmtpServer) -> int:
    """How often its recipient was named."""
    return sum(command.verb == "RCPT" and "poison" in command.line for command in server.commands)


async def settled_rows(org: Organization) -> list[Any]:
    columns = ("id", "status", "sent_at", "smtp_message_id", "crashes")
    return list(await MailLog.of(org).order_by("id").values_list(*columns))


@pytest.mark.parametrize("mails", [24, pytest.param(600, marks=pytest.mark.soak)])
async def test_f05_a_worker_that_slept_for_three_leases_changes_nothing_when_it_wakes(
    acme: Organization, settings: Settings, figures: Figures, mails: int
) -> None:
    concurrency, settings = 8, with_lease(settings, 1)
    async with SmtpServer() as server, Fleet(settings) as fleet:
        server.delay("DOT", 0.5)
        account = await account_on(server, acme, concurrency=concurrency, daily_mail_limit=2 * mails)
        await queue_mails(acme, account, mails)
        (sleeper,) = fleet.workers
        await until_received(server, 1 + concurrency, PATIENCE)
        sleeper.send_signal(signal.SIGSTOP)
        fell_asleep = clock.elapsed()
        server.heal()
        if not settings.is_sqlite:  # whose file nobody else may take over
            await fleet.add()
            await until_sent(acme, PATIENCE)
        await asyncio.sleep(fell_asleep + 3 * settings.lease_seconds - clock.elapsed())
        before = await settled_rows(acme)
        sleeper.send_signal(signal.SIGCONT)
        await until_sent(acme, PATIENCE)
        await fleet.end()
        assert await check_invariants(acme, server, rows=mails) == {SENT: mails}
        twice = duplicates(server)
    figures("mails that arrived twice", twice, at_most=concurrency)
    if not settings.is_sqlite:
        changed = sum(was != row for was, row in zip(before, await settled_rows(acme), strict=True))
        figures("rows that it changed when it woke", changed, exactly=0)
    crashes = set(await MailLog.of(acme).values_list("crashes", flat=True))
    assert crashes <= ({0} if settings.is_sqlite else {0, 1})


@pytest.mark.postgres
async def test_f05_a_worker_that_falls_asleep_in_the_middle_of_a_claim_holds_nobody_up(
    acme: Organization, settings: Settings, figures: Figures
) -> None:
    mails, concurrency, settings = 400, 8, with_lease(settings, 2)
    async with SmtpServer() as server, Fleet(settings) as fleet:
        server.delay("DOT", 0.02)
        account = await account_on(server, acme, concurrency=concurrency, daily_mail_limit=2 * mails)
        await queue_mails(acme, account, mails)
        (sleeper,) = fleet.workers
        await until_received(server, concurrency, PATIENCE)
        await fall_asleep_claiming(sleeper, account)
        fell_asleep, received = clock.elapsed(), len(server.messages)
        server.heal()
        await fleet.add()
        await until_received(server, received + concurrency + 1, PATIENCE)
        figures("seconds until others send its account's mail", clock.elapsed() - fell_asleep, at_most=30)
        await until_sent(acme, PATIENCE)
        sleeper.send_signal(signal.SIGCONT)
        await asyncio.sleep(settings.lease_seconds)
        await kill(fleet.workers.pop())
        await queue_mails(acme, account, concurrency)
        await until_sent(acme, PATIENCE)  # by the one that slept
        await fleet.end()
        assert await check_invariants(acme, server, rows=mails + concurrency) == {SENT: mails + concurrency}
        figures("mails that arrived twice", duplicates(server), at_most=concurrency)


async def fall_asleep_claiming(worker: Process, account: Account) -> None:
    """Stop a worker where it has the day of an account locked."""
    for _ in range(200):
        worker.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.05)  # what the database was at ends
        async with db.write_transaction():
            day = "SELECT 1 FROM account_usage WHERE account_id = $1 FOR UPDATE SKIP LOCKED"
            free = await db.fetch(day, account.id)
        if not free:
            return
        worker.send_signal(signal.SIGCONT)
        await asyncio.sleep(0.01)
    raise AssertionError("it was never in the middle of a claim")
