"""While the instance is held nothing is sent and no schedule fires, whoever holds what; afterwards all of it goes."""

import asyncio
from datetime import timedelta

import pytest

from tests.domain.instance.test_restore import make_armed
from tests.factories import account_on, make_mail, make_run, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, count, until_received, until_sent
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.domain.instance.suspension import resume_sending, suspend_sending
from webapp.errors import Conflict
from webapp.models import CampaignRun, Organization
from webapp.models.mail_log import PENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.due import due_accounts

QUIET = 1.0  # seconds in which a worker would have sent long since


async def test_nothing_is_claimed_while_it_is_held_and_all_of_it_afterwards(
    acme: Organization, rival: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    accounts = [await account_on(smtp_server, org) for org in (acme, rival)]
    await suspend_sending("the disk is being changed")
    for org, account in zip((acme, rival), accounts, strict=True):
        await make_mail(org, account)
        run, _ = await make_run(org, [account], 2)
        await want_mail(org, run)
    assert await due_accounts() == []
    assert [await claims.claim(account.id, messages=5, lease_seconds=60) for account in accounts] == [[], []]
    async with working(settings):
        await asyncio.sleep(QUIET)
        assert smtp_server.messages == []
        assert [await count(org, PENDING) for org in (acme, rival)] == [3, 3]
        await resume_sending()
        await until_sent(acme)
        await until_sent(rival)


async def test_a_worker_gives_back_what_it_claimed_before(
    acme: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    account = await account_on(smtp_server, acme, concurrency=1)
    smtp_server.delay("DATA", 0.4)
    for _ in range(30):
        await make_mail(acme, account)
    async with working(settings):
        await until_received(smtp_server, 1)
        await suspend_sending("an operator's wish")
        at_the_hold = len(smtp_server.messages)
        await eventually(lambda: all_are(acme, PENDING, SENT), seconds=4)
        await asyncio.sleep(QUIET)
        assert len(smtp_server.messages) - at_the_hold <= 4  # a look every half a second, and what was past DATA
        assert await count(acme, PENDING) == 30 - len(smtp_server.messages)


async def test_no_schedule_fires_while_it_is_held(acme: Organization, smtp_server: SmtpServer) -> None:
    await account_on(smtp_server, acme)
    await make_armed(acme, clock.now() - timedelta(minutes=1), schedule_type="scheduled_once")
    await suspend_sending("not yet")
    await run_due_schedules()
    assert await CampaignRun.of(acme).count() == 0
    await resume_sending()
    await run_due_schedules()
    assert await CampaignRun.of(acme).count() == 1


@pytest.mark.usefixtures("database")
async def test_what_is_not_held_cannot_be_resumed() -> None:
    with pytest.raises(Conflict, match="sending is not on hold"):
        await resume_sending()
