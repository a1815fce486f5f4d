"""Emails per minute with several worker processes, one of which is killed."""

from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.fleet import Fleet, with_lease
from tests.faults.support.invariants import check_invariants
from tests.faults.support.world import queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.pace import Pace

PATIENCE = 120.0  # seconds
MAILS, PER_MINUTE = 130, 600


async def test_several_workers_keep_one_pace_and_a_killed_one_loses_nothing(
    acme: Organization, settings: Settings, figures: Figures
) -> None:
    pace = Pace.of(PER_MINUTE)
    async with SmtpServer() as server:
        account = await account_on(server, acme, concurrency=8, max_per_minute=PER_MINUTE)
        await queue_mails(acme, account, MAILS)
        async with Fleet(with_lease(settings, 2), 3) as fleet:
            await until_received(server, 1, PATIENCE)
            began = clock.elapsed()
            await until_received(server, pace.burst + 20, PATIENCE)
            await fleet.kill_one()
            await until_sent(acme, PATIENCE)
            seconds = clock.elapsed() - began
            await fleet.end()
        assert await check_invariants(acme, server, rows=MAILS) == {SENT: MAILS}
    figures("seconds after the first email", seconds, at_least=(MAILS - pace.burst) * pace.seconds - 1)
