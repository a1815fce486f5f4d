"""Who gives nothing is asked later and later, and at once again when nobody waits for him."""

import asyncio

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, queue_mails
from tests.locks import held
from tests.queries import count_queries
from webapp import clock
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import LONGEST_PAUSE
from webapp.models import AccountUsage, Organization
from webapp.models.mail_log import SENT

MAILS = 60


@pytest.mark.postgres
async def test_an_account_whose_day_is_locked_is_asked_now_and_then_and_sends_soon_after(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account, theirs = await account_on(smtp_server, acme), await account_on(smtp_server, rival)
    await AccountUsage.create(account_id=account.id, day=clock.today("UTC"), used=0)
    await make_mail(acme, account)
    async with working(settings):
        async with held("SELECT id FROM account_usage WHERE account_id = $1 FOR UPDATE", account.id):
            with count_queries() as statements:
                await asyncio.sleep(2)
                began = clock.elapsed()
                await queue_mails(rival, theirs, MAILS)  # of which each that is sent wakes the worker
                await eventually(lambda: all_are(rival, SENT))
            seconds = 2 + clock.elapsed() - began
            assert {message.recipients[0] for message in smtp_server.messages} == {
                f"reader{number}@example.org" for number in range(MAILS)
            }
        tries = [one for one in statements if "ON CONFLICT (account_id, day) DO NOTHING" in one]
        assert 2 <= len(tries) <= 8 + seconds / LONGEST_PAUSE
        await eventually(lambda: all_are(acme, SENT), 2 * LONGEST_PAUSE)
