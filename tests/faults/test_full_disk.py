"""F31: the disk of the database is full while mail is taken in and sent."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from tests.conftest import free_port
from tests.factories import account_on, make_org
from tests.fakes.postgres_server import PostgresServer, give
from tests.fakes.small_disk import SmallDisk, small_disk
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.databases import connected_to
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import all_are, queue_mails, until, until_received
from tests.figures import Figures
from webapp.config import Settings
from webapp.db.errors import is_outage
from webapp.models import Account, Email, MailLog, Organization
from webapp.models.mail_log import SENT

PATIENCE = 90.0  # seconds
CONCURRENCY = 4
# Where nothing may be mounted it goes by limits of the processes, and PostgreSQL's own programs must be installed.
pytestmark = [pytest.mark.soak, pytest.mark.timeout(240)]


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with small_disk(64) as found:
        yield found


class Poster:
    """Posts large mails without end, and keeps the ids that it was promised."""

    def __init__(self, client: httpx2.AsyncClient, account: Account) -> None:
        self._client, self._account = client, account
        self.promised: list[str] = []
        self.refused = 0

    def _mail(self, number: int) -> dict[str, Any]:
        return {
            "account_key": self._account.account_key,
            "from": "Acme <hello@acme.example>",
            "to": [f"posted{number}@example.org"],
            "subject": "Hello",
            "html": f"<p>{'Hello ' * 5_000}</p>",
        }

    async def run(self) -> None:
        """Post until cancelled."""
        while True:
            with_answer = None
            try:
                with_answer = await self._client.post("/emails", json=self._mail(len(self.promised) + self.refused))
            except httpx2.TransportError:
                await asyncio.sleep(0.1)
            if with_answer is not None and with_answer.is_success:
                self.promised.append(with_answer.json()["id"])
            else:
                self.refused += 1
            await asyncio.sleep(0.01)


@asynccontextmanager
async def posting(settings: Settings, org: Organization, account: Account) -> AsyncIterator[Poster]:
    async with client_of(settings, await new_key(org), seconds=60) as client:
        poster = Poster(client, account)
        task = asyncio.create_task(poster.run())
        try:
            yield poster
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def check_full_disk(
    org: Organization, settings: Settings, disk: SmallDisk, figures: Figures, postgres: PostgresServer | None = None
) -> None:
    """Fill the disk while mail comes in and goes out, free it, and compare what was promised with what arrived."""
    mails, settings = 100, with_port(settings)
    async with SmtpServer() as server, Fleet(settings) as fleet, web_running(settings) as web:
        server.delay("DOT", 0.05)
        account = await account_on(server, org, daily_mail_limit=100_000, concurrency=CONCURRENCY)
        async with posting(settings, org, account) as poster:
            await until(lambda: len(poster.promised) >= 5, PATIENCE)
            await queue_mails(org, account, mails)
            await until_received(server, 10, PATIENCE)
            ours = [web.pid, *(worker.pid for worker in fleet.workers)]
            disk.fill(*ours, *(postgres.process_ids() if postgres else ()))
            await until(lambda: poster.refused >= 3, PATIENCE)
            await eventually(lambda: has_readiness(settings, 503), PATIENCE)
            await asyncio.sleep(2)  # of sending without room
            disk.free(*ours, *(postgres.process_ids() if postgres and await postgres.is_running() else ()))
            if postgres is not None and not await postgres.is_running():
                await postgres.start()
            promised = len(poster.promised)
            await until(lambda: len(poster.promised) >= promised + 5, PATIENCE)
            await eventually(lambda: has_readiness(settings, 200), PATIENCE)
        await eventually(lambda: are_sent(org), PATIENCE)
        await fleet.end()
        kept = {str(email.id) for email in await Email.of(org)}
        figures("mails that were promised and not kept", len(set(poster.promised) - kept), exactly=0)
        rows = await MailLog.of(org).count()
        assert await check_invariants(org, server, rows=rows) == {SENT: rows}
        twice = duplicates(server)
    figures("mails that were refused", poster.refused, at_least=3)
    figures("mails that arrived twice", twice, at_most=CONCURRENCY)


async def has_readiness(settings: Settings, status: int) -> bool:
    async with httpx2.AsyncClient() as client:
        return (await client.get(f"{settings.base_url}/readyz")).status_code == status


async def are_sent(org: Organization) -> bool:
    try:
        return await all_are(org, SENT)
    except Exception as error:
        if not is_outage(error):
            raise
        return False


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
