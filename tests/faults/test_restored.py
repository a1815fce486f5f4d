"""F40: yesterday's backup is restored, and nobody gets the mail of yesterday again."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet
from tests.faults.support.processes import output_of
from tests.faults.support.world import count, queue_mails, until_sent
from tests.figures import Figures
from webapp import db
from webapp.config import Settings
from webapp.domain.instance.suspension import find_suspension
from webapp.domain.instance.workers import is_worker_alive
from webapp.models import Organization
from webapp.models.mail_log import HALTED, PENDING, SENT

MAILS = 40
QUIET = 2.0  # seconds, after the first look of a worker, at which all that waits would be due


@pytest.fixture
def database_tools() -> None:
    """What copies a database; conftest.py leaves out what needs it where it is not."""


async def back_up(settings: Settings, file: Path) -> None:
    if settings.is_sqlite:
        await output_of(settings, "backup", str(file))
    else:
        await _tool("pg_dump", "-Fc", "-f", str(file), settings.database_url)


async def restore(settings: Settings, file: Path) -> None:
    if settings.is_sqlite:
        await output_of(settings, "restore", str(file))
    else:
        await _tool("pg_restore", "--clean", "--if-exists", "-d", settings.database_url, str(file))


async def _tool(*words: str) -> None:
    await asyncio.to_thread(subprocess.run, words, check=True, timeout=60, capture_output=True)


@pytest.mark.usefixtures("database_tools")
async def test_f40_a_restored_backup_sends_nothing_again(
    acme: Organization, rival: Organization, settings: Settings, tmp_path: Path, figures: Figures
) -> None:
    file = tmp_path / "yesterday"
    async with SmtpServer() as server:
        ours, theirs = await account_on(server, acme), await account_on(server, rival)
        await queue_mails(acme, ours, MAILS)
        async with Fleet(settings) as fleet:  # which notes what the database is
            await until_sent(acme, 60)
            await fleet.end()
        await queue_mails(acme, ours, MAILS, "later")
        await back_up(settings, file)
        async with Fleet(settings) as fleet:
            await until_sent(acme, 60)
            await fleet.end()
        before = len(server.messages)
        assert before == 2 * MAILS

        await db.disconnect()
        await restore(settings, file)
        await db.connect(settings.database_url)
        async with Fleet(settings, 2):
            await eventually(is_held, 30)
            await eventually(is_worker_alive, 30)
            await make_mail(rival, theirs)  # taken in while it is held
            await asyncio.sleep(QUIET)
            figures("mails before an operator has accepted the restore", len(server.messages) - before, exactly=0)
            assert await count(rival, PENDING) == 1
            said = await output_of(settings, "accept-restore")
            assert f"{MAILS} email recipients were halted" in said
            await until_sent(rival, 30)  # in the same look as what else would go
        figures("mails sent again after it", len(server.messages) - before - 1, exactly=0)
        assert await count(acme, SENT) == MAILS
        assert await count(acme, HALTED) == MAILS


async def is_held() -> bool:
    return await find_suspension() is not None
