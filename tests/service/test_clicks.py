"""Very many clicks on one link of an email, as fast as this machine makes them."""

import asyncio
import os
import re
from dataclasses import replace
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.fakes.worker import eventually
from tests.faults.support.processes import start, terminate
from tests.figures import Figures
from tests.service.test_one_mail import is_ready, is_sent, new_client, with_ports
from tests.support.messages import parsed, part
from webapp.config import Settings
from webapp.models import MailHit, SandboxMail
from webapp.models.queries.mail_hits import MOST_HITS

CLICKS, AT_ONCE = 10_000, 100
CLIENT_SECONDS = 60  # that a request may take beside other tests
SLOWEST_SECONDS = 2  # that another may take meanwhile on a quiet machine
MEMORY_BYTES = 40 * 1024 * 1024  # that the web process may grow by
MAIL = {
    "from": "Acme <hello@acme.example>",
    "to": ["ann@example.org"],
    "subject": "News",
    "html": '<a href="https://x.example/">x</a>',
    "tracking": {"opens": False, "clicks": True},
}


@pytest.mark.soak
async def test_every_click_is_counted_and_the_web_answers_others_meanwhile(
    settings: Settings, database: str, figures: Figures
) -> None:
    settings = replace(with_ports(settings), allow_private_hosts=True)
    process = await start(settings, "up")
    try:
        await eventually(lambda: is_ready(settings), seconds=60)
        link = await send_tracked(settings)
        before, slowest = memory_of(process.pid), 0.0
        async with asyncio.TaskGroup() as group:
            storm = group.create_task(click(settings, link))
            while not storm.done():
                slowest = max(slowest, await time_of_another(settings))
        grown = memory_of(process.pid) - before
    finally:
        code = await terminate(process)  # in order: what waits is written
    figures("slowest request beside the clicks, in ms", round(slowest * 1_000), at_most=1_000 * SLOWEST_SECONDS)
    figures("memory that the clicks took, in KiB", grown // 1024, at_most=MEMORY_BYTES // 1024)
    hits = await MailHit.across_orgs()
    processes = 1 if settings.is_sqlite else os.cpu_count() or 1  # each may have saved as many before the others did
    assert code == 0
    assert MOST_HITS <= len(hits) <= MOST_HITS * processes
    assert sum(1 + hit.repeats for hit in hits) == CLICKS


async def send_tracked(settings: Settings) -> str:
    """The path of the link of an email that has arrived."""
    acme, _ = await new_client(settings, "Acme")
    async with acme:
        (sandbox,) = (await acme.get("/accounts")).json()["data"]
        answer = await acme.post("/emails", json=MAIL | {"account_key": sandbox["account_key"]})
        mail_id = answer.json()["id"]
        await eventually(lambda: is_sent(acme, mail_id), seconds=60)
    (received,) = await SandboxMail.across_orgs()
    found = re.search(r'href="([^"]*/t/[^"]*)"', part(parsed(bytes(received.data)), "html"))
    assert found is not None
    return urlsplit(found[1]).path


async def click(settings: Settings, link: str) -> None:
    numbers = iter(range(CLICKS))
    async with httpx2.AsyncClient(base_url=settings.base_url, timeout=CLIENT_SECONDS) as client:

        async def go_on() -> None:
            for number in numbers:  # shared by all
                answer = await client.get(link, headers={"User-Agent": f"Browser {number}"})
                assert (answer.status_code, answer.headers["Location"]) == (302, "https://x.example/")

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(go_on())


async def time_of_another(settings: Settings) -> float:
    """Seconds; what is left of a twentieth is slept away, so that this is no storm of its own."""
    began = monotonic()
    async with httpx2.AsyncClient(base_url=settings.base_url, timeout=CLIENT_SECONDS) as client:
        assert (await client.get("/sign-in")).status_code == 200
    took = monotonic() - began
    await asyncio.sleep(max(0.05 - took, 0))
    return took


def memory_of(pid: int) -> int:
    """The bytes of memory that a process and its children hold (proc(5))."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in (pid, *children)]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")
