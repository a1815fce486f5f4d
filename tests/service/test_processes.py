"""The web in several processes that share a port, on PostgreSQL: they die, are stopped, and answer as one."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import httpx2
import pytest

from tests.factories import account_on, make_account
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.callers import Callers, check_promises
from tests.faults.support.processes import kill, start, terminate
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import queue_mails, until
from tests.support.starter import children_of, is_alive
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import MailLog, Organization
from webapp.models.mail_log import SENDING, SENT

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]

PATIENCE = 60.0  # seconds
CALLERS = 8
CLOSE = {"Connection": "close"}  # so that any process may get the next one


@asynccontextmanager
async def web_of(settings: Settings, processes: int) -> AsyncIterator[int]:
    """The id of the process that has so many of the web under it, which all answer."""
    async with web_running(settings, "web", "--processes", str(processes)) as web:
        await until(lambda: "the web is ready on" in (settings.data_dir / "web.log").read_text(), PATIENCE)
        yield web.pid


@contextmanager
def alone(process_id: int, parent: int) -> Iterator[None]:
    """Stops the other processes of the web, as if they hung."""
    others = [one for one in children_of(parent) if one != process_id]
    for one in others:
        os.kill(one, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in others:
            os.kill(one, signal.SIGCONT)


async def replaced(parent: int) -> int:
    """Kills the newest process of the web, and returns the one that was started for it."""
    before = children_of(parent)
    os.kill(before[-1], signal.SIGKILL)

    await until(lambda: len(children_of(parent)) == len(before) and children_of(parent)[-1] != before[-1], PATIENCE)
    return children_of(parent)[-1]


async def test_a_process_that_is_killed_is_replaced_and_loses_no_mail(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    settings = with_port(settings)
    await set_plan(acme, "scale")  # which counts emails
    await make_account(acme)
    async with web_of(settings, 2) as parent, client_of(settings, await new_key(acme)) as client:
        client.headers |= CLOSE
        async with Callers([client], CALLERS) as callers:
            for _ in range(3):
                await callers.until_accepted(2 * CALLERS, PATIENCE)
                await replaced(parent)
            await callers.until_accepted(2 * CALLERS, PATIENCE)
    await check_promises(acme, callers)
    assert not await MailLog.of(rival).exists()


async def test_each_process_answers_and_they_end_with_the_first(database: str, settings: Settings) -> None:
    settings = with_port(settings)
    async with web_of(settings, 2) as parent, httpx2.AsyncClient(timeout=30) as client:
        processes = [*children_of(parent)[:1], await replaced(parent)]
        for one in processes:
            with alone(one, parent):
                assert (await client.get(f"{settings.base_url}/healthz", headers=CLOSE)).status_code == 200
        os.kill(parent, signal.SIGKILL)
        await until(lambda: are_gone(processes), PATIENCE)
    async with web_running(settings, "web", "--processes", "2") as web:  # its port is free
        processes = children_of(web.pid)
        assert len(processes) == 2
        assert await terminate(web) == 0
        assert are_gone(processes)


async def test_a_signal_to_a_worker_and_its_processes_at_once_lets_them_finish_what_they_send(
    acme: Organization, settings: Settings
) -> None:
    async with SmtpServer() as smtp:
        smtp.delay("DOT", 2)
        account = await account_on(smtp, acme)
        worker = await start(settings, "worker", "--processes", "2")
        try:
            await until(lambda: len(children_of(worker.pid)) == 2, PATIENCE)
            await queue_mails(acme, account, 20)
            await until(lambda: "DATA" in smtp.verbs, PATIENCE)
            for process_id in (worker.pid, *children_of(worker.pid)):
                os.kill(process_id, signal.SIGTERM)
            assert await asyncio.wait_for(worker.wait(), PATIENCE) == 0
        finally:
            await kill(worker)
    assert smtp.messages
    assert not await MailLog.of(acme).filter(status=SENDING).exists()
    assert await MailLog.of(acme).filter(status=SENT).count() == len(smtp.messages)


def are_gone(processes: Sequence[int]) -> bool:
    return not any(is_alive(one) for one in processes)
