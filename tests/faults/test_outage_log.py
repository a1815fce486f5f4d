"""A lost database is one line in the log of each process, and its return another."""

import asyncio
import contextlib

import httpx2
import pytest

from tests.factories import account_on, make_org, make_webhook
from tests.fakes.postgres_server import PostgresServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.databases import connected_to
from tests.faults.support.fleet import Fleet
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import all_are, queue_mails, until_received
from webapp.config import Settings
from webapp.domain.instance.workers import is_worker_alive
from webapp.models.mail_log import SENT

MAILS, AWAY_SECONDS, PATIENCE = 10, 3, 60.0
pytestmark = [pytest.mark.postgres, pytest.mark.timeout(200)]


async def test_a_lost_database_is_one_line_in_each_log_and_so_is_its_return(
    own_postgres: PostgresServer, settings: Settings
) -> None:
    async with connected_to(with_port(settings), database_url=own_postgres.url) as own, SmtpServer() as smtp:
        org = await make_org()
        account = await account_on(smtp, org, daily_mail_limit=10_000)
        await make_webhook(org)
        smtp.delay("DOT", 0.2)
        async with Fleet(own), web_running(own), client_of(own, await new_key(org), 5) as client:
            await eventually(is_worker_alive, PATIENCE)
            await queue_mails(org, account, MAILS)
            await until_received(smtp, 3, PATIENCE)
            await own_postgres.kill()
            for _ in range(AWAY_SECONDS):
                for path in ("/contacts", "../readyz"):
                    with contextlib.suppress(httpx2.TransportError):
                        await client.get(path)
                await asyncio.sleep(1)
            await own_postgres.start()
            await eventually(lambda: all_are(org, SENT), PATIENCE)
            assert (await client.get("/contacts")).status_code == 200
            await eventually(lambda: are_back(client, settings), PATIENCE)
            await asyncio.sleep(1)  # in which every loop works again
    for log in logs_of(settings):
        lines = [line for line in log.splitlines() if "the database is" in line]
        assert ["is away" in line for line in lines] == [True, False], log
        assert "is back" in lines[1]
        assert "Traceback" not in log, log


def logs_of(settings: Settings) -> list[str]:
    return [(settings.data_dir / f"{name}.log").read_text() for name in ("worker", "web")]


async def are_back(client: httpx2.AsyncClient, settings: Settings) -> bool:
    assert (await client.get("../readyz")).status_code == 200
    return all("the database is back" in log for log in logs_of(settings))
