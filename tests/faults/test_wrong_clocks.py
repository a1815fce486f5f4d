"""F35: the clock of one worker is wrong, or steps; leases and due times go by the database's."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.fleet import Fleet, with_lease
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.world import queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import MailLog, Organization
from webapp.models.mail_log import SENT

PATIENCE = 60.0  # seconds
HOUR = 3600
EARLY = 1.0  # seconds
pytestmark = pytest.mark.timeout(180)

# The application's clock is the one thing that tests set: here it is as wrong as a file says, whenever it is asked.
WRONG_CLOCK = """
import os
from datetime import timedelta
from pathlib import Path
from webapp import clock
right = clock.now
clock.now = lambda: right() + timedelta(seconds=float(Path(os.environ["CLOCK_FILE"]).read_text()))
from webapp.cli import main
main()
"""


@pytest.mark.parametrize(
    "wrong_by",
    [
        pytest.param([HOUR, -HOUR], id="fast, then slow"),
        pytest.param([0, -600], marks=pytest.mark.soak, id="steps back"),
    ],
)
async def test_f35_a_worker_whose_clock_is_wrong_sends_nothing_early_and_steals_no_lease(
    acme: Organization, settings: Settings, tmp_path: Path, figures: Figures, wrong_by: list[int]
) -> None:
    mails, later, wait = 60, 20, timedelta(seconds=5)
    file = tmp_path / "clock"
    file.write_text(str(wrong_by[0]))
    async with SmtpServer() as server:
        server.delay("DOT", 0.1)
        account = await account_on(server, acme, concurrency=4)
        await queue_mails(acme, account, mails)
        ids = await queue_mails(acme, account, later, "later")
        due = clock.now() + wait
        due_at = clock.elapsed() + wait.total_seconds()
        await MailLog.filter(id__in=ids).update(next_attempt_at=due)
        started_at = clock.now()
        async with Fleet(with_lease(settings, 2), 1, program=WRONG_CLOCK, CLOCK_FILE=str(file)) as fleet:
            if not settings.is_sqlite:
                await fleet.add(is_plain=True)
            await until_received(server, mails // 3, PATIENCE)
            file.write_text(str(wrong_by[-1]))
            await until_sent(acme, PATIENCE)
            await fleet.end()
        assert await check_invariants(acme, server, rows=mails + later) == {SENT: mails + later}
        assert duplicates(server) == 0
        offset = clock.elapsed() - asyncio.get_running_loop().time()
        first = min(mail.at + offset for mail in server.messages if mail.recipients[0].startswith("later"))
    rows = await MailLog.of(acme)
    figures("seconds by which a mail was early", due_at - first, at_most=EARLY)
    figures("leases that were stolen", sum(row.crashes for row in rows), exactly=0)
    for row in rows:
        assert row.sent_at is not None
        assert started_at - timedelta(seconds=1) <= row.sent_at <= clock.now() + timedelta(seconds=1)
