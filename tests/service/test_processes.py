"""The web in several processes that share a port, on PostgreSQL: they die, are stopped, and answer as one."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from itertools import count

import httpx2
import pytest

from tests.factories import make_account, make_campaign, make_run
from tests.fakes.worker import eventually
from tests.faults.support.processes import terminate
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.pages.conftest import make_person
from tests.support.starter import children_of, is_alive
from webapp.config import Settings
from webapp.domain.auth.sessions import Browser, open_session
from webapp.models import CampaignRun, Contact, Email, MailLog, Organization

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]

PATIENCE = 60.0  # seconds
CALLERS = 8
CLOSE = {"Connection": "close"}  # so that any process may get the next one


@asynccontextmanager
async def web_of(settings: Settings, processes: int) -> AsyncIterator[int]:
    """The id of the process that has so many of the web under it, which all answer."""
    async with web_running(settings, "web", "--processes", str(processes)) as web:
        await eventually(lambda: says(settings, "the web is ready on"), PATIENCE)
        yield web.pid


async def says(settings: Settings, words: str) -> bool:
    return words in (settings.data_dir / "web.log").read_text()


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

    async def is_replaced() -> bool:
        found = children_of(parent)
        return len(found) == len(before) and found[-1] != before[-1]

    await eventually(is_replaced, PATIENCE)
    return children_of(parent)[-1]


async def call(client: httpx2.AsyncClient, account_key: str, numbers: Iterator[int], accepted: dict[str, str]) -> None:
    """Hands mails in, one after another, each over a connection of its own; notes those that were accepted."""
    while True:
        subject = f"mail {next(numbers)}"
        mail = {"account_key": account_key, "from": "a@acme.example", "to": "ann@example.org", "html": "<p>Hello</p>"}
        try:
            answer = await client.post("/emails", json=mail | {"subject": subject}, headers=CLOSE)
        except httpx2.TransportError:  # nobody knows what became of it
            continue
        assert answer.status_code == 200
        accepted[subject] = answer.json()["id"]


async def test_a_process_that_is_killed_is_replaced_and_loses_no_mail(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    settings, account = with_port(settings), await make_account(acme)
    accepted: dict[str, str] = {}
    numbers = count()

    async def goes_on(seen: int) -> bool:
        return len(accepted) > seen + 2 * CALLERS

    async with web_of(settings, 2) as parent, client_of(settings, await new_key(acme)) as client:
        callers = [asyncio.create_task(call(client, account.account_key, numbers, accepted)) for _ in range(CALLERS)]
        for _ in range(3):
            await eventually(partial(goes_on, len(accepted)), PATIENCE)
            await replaced(parent)
        await eventually(partial(goes_on, len(accepted)), PATIENCE)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
    rows = Counter([str(one) for one in await MailLog.of(acme).values_list("email_id", flat=True)])
    assert set(accepted.values()) <= rows.keys()
    assert set(rows.values()) == {1}
    assert len(rows) == await Email.of(acme).count() <= next(numbers)
    assert not await MailLog.of(rival).exists()


async def test_each_process_answers_and_they_end_with_the_first(database: str, settings: Settings) -> None:
    settings = with_port(settings)
    async with web_of(settings, 2) as parent, httpx2.AsyncClient(timeout=30) as client:
        processes = [*children_of(parent)[:1], await replaced(parent)]
        for one in processes:
            with alone(one, parent):
                assert (await client.get(f"{settings.base_url}/healthz", headers=CLOSE)).status_code == 200
        os.kill(parent, signal.SIGKILL)
        await eventually(lambda: are_gone(processes), PATIENCE)
    async with web_running(settings, "web", "--processes", "2") as web:  # its port is free
        processes = children_of(web.pid)
        assert len(processes) == 2
        assert await terminate(web) == 0
        assert await are_gone(processes)


async def test_the_port_is_closed_while_a_request_is_finished(acme: Organization, settings: Settings) -> None:
    settings, body = with_port(settings), b'{"email": "ann@example.org"}'
    head = (
        "POST /v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
        f"Authorization: Bearer {await new_key(acme)}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    async with web_running(settings, "web", "--processes", "2") as web:
        await eventually(lambda: says(settings, "the web is ready on"), PATIENCE)
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
        writer.write(head.encode())
        assert await reader.readline() == b"HTTP/1.1 100 Continue\r\n"
        await reader.readline()
        web.send_signal(signal.SIGTERM)
        await eventually(lambda: is_closed(settings), PATIENCE)
        writer.write(body)
        assert (await reader.readline()).startswith(b"HTTP/1.1 20")
        assert await asyncio.wait_for(web.wait(), PATIENCE) == 0
        writer.close()
    assert await Contact.of(acme).filter(email="ann@example.org").count() == 1


async def is_closed(settings: Settings) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    except ConnectionRefusedError:
        return True
    writer.close()
    return False


async def are_gone(processes: Sequence[int]) -> bool:
    return not any(is_alive(one) for one in processes)


async def test_each_process_tells_of_the_progress_of_a_run(acme: Organization, settings: Settings) -> None:
    settings, campaign = with_port(settings), await make_campaign(acme)
    run, _ = await make_run(acme, [await make_account(acme)], 1)
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id)
    session = await open_session(await make_person(acme, "ada@acme.example"), acme, Browser("127.0.0.1", "tests"))
    url = f"{settings.base_url}/campaigns/{campaign.id}/runs/{run.id}/events"
    async with web_of(settings, 2) as parent, AsyncExitStack() as stack:
        streams = []
        for one in children_of(parent):
            client = await stack.enter_async_context(httpx2.AsyncClient(cookies={"session": session.token}, timeout=30))
            with alone(one, parent):
                stream = await stack.enter_async_context(client.stream("GET", url))
                streams.append(stream.aiter_lines())
                await until_line(streams[-1], "event: progress")
        await CampaignRun.filter(id=run.id).update(status="completed")
        for lines in streams:
            await until_line(lines, "event: over")


async def until_line(lines: AsyncIterator[str], wanted: str) -> None:
    async for line in lines:
        if line == wanted:
            return
    raise AssertionError(f"no line is {wanted}")
