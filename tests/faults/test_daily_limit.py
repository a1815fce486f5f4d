"""F15 to F17: the daily limit is exact, whatever happens to the workers and to the limit."""

from datetime import timedelta

import pytest

from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet, with_lease
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import api_of
from tests.faults.support.world import all_are, count, queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, PENDING, SENDING, SENT

PATIENCE = 90.0  # seconds
pytestmark = pytest.mark.timeout(180)

SIZES = pytest.mark.parametrize(
    ("limit", "workers"), [(60, 2), pytest.param(1_000, 4, marks=[pytest.mark.soak, pytest.mark.timeout(600)])]
)


async def let_a_day_pass(account: Account) -> None:
    """What was used was used the day before, and what waited for this day is due."""
    for day in await AccountUsage.filter(account_id=account.id).order_by("day"):
        await AccountUsage.filter(account_id=account.id, day=day.day).update(day=day.day - timedelta(days=1))
    due = clock.now() - timedelta(seconds=1)
    await MailLog.across_orgs().filter(account_id=account.id, status=DEFERRED).update(next_attempt_at=due)


async def until_the_day_is_used_up(org: Organization) -> None:
    await eventually(lambda: all_are(org, SENT, DEFERRED), PATIENCE)


@SIZES
async def test_f15_several_workers_send_exactly_the_limit_of_each_day(
    acme: Organization, settings: Settings, figures: Figures, limit: int, workers: int
) -> None:
    days = 3 if limit == 1_000 else 2
    async with SmtpServer() as server:
        account = await account_on(server, acme, daily_mail_limit=limit, concurrency=8)
        await queue_mails(acme, account, days * limit)
        async with Fleet(settings, workers) as fleet:
            for day in range(1, days + 1):
                await until_received(server, day * limit, PATIENCE)
                await until_the_day_is_used_up(acme)
                assert len(server.messages) == day * limit
                assert await count(acme, DEFERRED) == (days - day) * limit
                await let_a_day_pass(account)
            await fleet.end()
        assert await check_invariants(acme, server, rows=days * limit) == {SENT: days * limit}
        assert duplicates(server) == 0
    used = [day.used for day in await AccountUsage.filter(account_id=account.id)]
    assert len(used) == days
    figures("accepted on the fullest day", max(used), exactly=limit)
    figures("accepted on the emptiest day", min(used), exactly=limit)


@SIZES
async def test_f16_workers_that_are_killed_waste_some_of_the_limit_and_never_pass_it(
    acme: Organization, settings: Settings, figures: Figures, limit: int, workers: int
) -> None:
    kills, concurrency = 3, 8
    async with SmtpServer() as server:
        server.delay("DOT", 0.1)  # so slow that no more is claimed ahead than there are connections
        account = await account_on(server, acme, daily_mail_limit=limit, concurrency=concurrency)
        await queue_mails(acme, account, 3 * limit)
        async with Fleet(with_lease(settings, 2), workers) as fleet:
            for number in range(1, kills + 1):
                await until_received(server, number * limit // 5, PATIENCE)
                await fleet.kill_one()
            await until_the_day_is_used_up(acme)
            await fleet.end()
        accepted = len(server.messages)
        counts = await check_invariants(acme, server, rows=3 * limit)
    lost = accepted - counts[SENT]  # accepted when their worker died, and to be sent again with the same Message-ID
    assert counts == {SENT: accepted - lost, DEFERRED: 3 * limit - accepted + lost}
    figures("in doubt, to be sent again", lost, at_least=0, at_most=kills * concurrency)
    figures("accepted", accepted, at_least=limit - kills * concurrency - lost, at_most=limit)


@SIZES
async def test_f17_a_lowered_limit_holds_at_once_and_a_raised_one_lets_the_rest_go(
    acme: Organization, settings: Settings, figures: Figures, limit: int, workers: int
) -> None:
    async with SmtpServer() as server, api_of(settings, acme) as api:
        server.delay("DOT", 0.05)
        account = await account_on(server, acme, daily_mail_limit=limit, concurrency=8)
        await queue_mails(acme, account, 3 * limit)
        async with Fleet(settings, workers) as fleet:
            await until_received(server, limit // 2, PATIENCE)
            path = f"/accounts/{account.id}"
            assert (await api.patch(path, json={"daily_mail_limit": limit // 5})).is_success
            answered = len(server.messages)
            await until_the_day_is_used_up(acme)
            more = len(server.messages) - answered
            figures("accepted after the limit was lowered", more, at_most=len(fleet.workers) * 8)
            assert (await api.patch(path, json={"daily_mail_limit": 3 * limit})).is_success
            raised_at = clock.elapsed()
            await eventually(MailLog.of(acme).filter(status__in=[PENDING, SENDING]).exists, PATIENCE)
            figures("seconds until a raised limit lets mail go", clock.elapsed() - raised_at, at_most=10)
            await until_sent(acme, PATIENCE)
            await fleet.end()
        assert await check_invariants(acme, server, rows=3 * limit) == {SENT: 3 * limit}
        assert duplicates(server) == 0
