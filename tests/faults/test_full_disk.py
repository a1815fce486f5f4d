"""F31: the disk of the database is full while mail is taken in and sent."""

import asyncio
import shutil
from collections.abc import Iterator

import httpx2
import pytest

from tests.conftest import free_port
from tests.factories import account_on, make_org
from tests.fakes.postgres_server import PostgresServer, give
from tests.fakes.small_disk import SmallDisk, small_disk
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.callers import Callers
from tests.faults.support.databases import are_sent, connected_to
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import queue_mails, until, until_received
from tests.faults.test_outage_log import logs_of
from tests.figures import Figures
from webapp.config import Settings
from webapp.models import Email, MailLog, Organization
from webapp.models.mail_log import SENT

PATIENCE = 90.0  # seconds
CONCURRENCY = 4
LARGE = f"<p>{'Hello ' * 5_000}</p>"
# Where nothing may be mounted it goes by limits of the processes, and PostgreSQL's own programs must be installed.
pytestmark = [pytest.mark.soak, pytest.mark.timeout(240)]


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with small_disk(64) as found:
        yield found


async def check_full_disk(
    org: Organization, settings: Settings, disk: SmallDisk, figures: Figures, postgres: PostgresServer | None = None
) -> None:
    """Fill the disk while mail comes in and goes out, free it, and compare what was promised with what arrived."""
    mails, settings = 100, with_port(settings)
    async with SmtpServer() as server, Fleet(settings) as fleet, web_running(settings) as web:
        server.delay("DOT", 0.05)
        account = await account_on(server, org, daily_mail_limit=100_000, concurrency=CONCURRENCY)
        client = client_of(settings, await new_key(org), seconds=60)
        async with client, Callers([client], 1, html=LARGE) as callers:
            await callers.until_accepted(5, PATIENCE)
            await queue_mails(org, account, mails)
            await until_received(server, 10, PATIENCE)
            ours = [web.pid, *(worker.pid for worker in fleet.workers)]
            disk.fill(*ours, *(postgres.process_ids() if postgres else ()))
            await until(lambda: len(callers.unanswered) >= 3, PATIENCE)
            await eventually(lambda: has_readiness(settings, 503), PATIENCE)
            await asyncio.sleep(2)  # of sending without room
            assert not any("the database is back" in log for log in logs_of(settings))
            disk.free(*ours, *(postgres.process_ids() if postgres and await postgres.is_running() else ()))
            if postgres is not None and not await postgres.is_running():
                await postgres.start()
            await callers.until_accepted(5, PATIENCE)
            await eventually(lambda: has_readiness(settings, 200), PATIENCE)
        await eventually(lambda: are_sent(org), PATIENCE)
        await fleet.end()
        kept = {str(email.id) for email in await Email.of(org)}
        figures("mails that were promised and not kept", len(set(callers.accepted.values()) - kept), exactly=0)
        rows = await MailLog.of(org).count()
        assert await check_invariants(org, server, rows=rows) == {SENT: rows}
        twice = duplicates(server)
    figures("mails that were refused", len(callers.unanswered), at_least=3)
    figures("mails that arrived twice", twice, at_most=CONCURRENCY)


async def has_readiness(settings: Settings, status: int) -> bool:
    async with httpx2.AsyncClient() as client:
        return (await client.get(f"{settings.base_url}/readyz")).status_code == status


async def test_f31_what_is_promised_is_kept_and_sent_although_the_disk_was_full(
    settings: Settings, figures: Figures, disk: SmallDisk
) -> None:
    if settings.is_sqlite:
        shutil.copyfile(settings.sqlite_path, disk.folder / "pennypost.db")
        url = f"sqlite://{disk.folder / 'pennypost.db'}"
        async with connected_to(settings, database_url=url, data_dir=disk.folder) as its:
            await check_full_disk(await make_org(), its, disk, figures)
        return
    give(disk.folder)
    postgres = PostgresServer(disk.folder, free_port(), "-c max_wal_size=8MB")
    async with postgres, connected_to(settings, database_url=postgres.url) as its:
        await check_full_disk(await make_org(), its, disk, figures, postgres)
