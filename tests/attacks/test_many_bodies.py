"""Large, slow and half bodies by the hundred against a real web process (S46): it answers, and stays small."""

import asyncio
import base64
import contextlib
import json
import os
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from time import monotonic
from typing import Any

import pytest

from tests.factories import make_account
from tests.faults.support.processes import FROM_NOTHING
from tests.faults.support.web import answer_times, client_of, new_key, peak_bytes, web_running, with_port
from tests.figures import Figures
from tests.pages.conftest import make_person
from webapp.config import Settings
from webapp.domain.auth.sessions import Browser, NewSession, open_session
from webapp.models import ContactImport, Email, Organization

MIB = 1024 * 1024
AT_ONCE = 256 * 1024
LARGE, SLOW, HALF, FILES = 12, 100, 1_000, 8  # callers at once
ARRIVING_SECONDS = 10.0
SECONDS = 40.0  # that the slow ones go on, and the large ones come again
PROMPT = 1.0  # seconds
FAIR_SECONDS = 30.0  # for another organization's file and mail, which wait for their turn
MOST_MEMORY = 400e6  # bytes
Work = Callable[["Target"], Coroutine[Any, Any, None]]


class Target:
    """Where the callers go, what they send, and what they were answered."""

    def __init__(self, settings: Settings, key: str, body: bytes, opened: NewSession) -> None:
        self.port, self.key, self.body, self.opened = settings.port, key, body, opened
        self.file_statuses: list[int] = []
        self.until = monotonic() + SECONDS
        self.statuses: list[int] = []

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    def head(self, size: int) -> bytes:
        lines = ("POST /v1/emails HTTP/1.1", "Host: x", f"Authorization: Bearer {self.key}")
        return "\r\n".join([*lines, "Content-Type: application/json", f"Content-Length: {size}", "", ""]).encode()

    def page_head(self, size: int) -> bytes:
        """The head of a form with a file, of somebody who is signed in."""
        lines = ("POST /imports HTTP/1.1", "Host: x", f"Cookie: session={self.opened.token}")
        kind = "Content-Type: multipart/form-data; boundary=XX"
        return "\r\n".join([*lines, kind, f"Content-Length: {size}", "", ""]).encode()

    def form_head(self) -> bytes:
        """The form up to the file: its second row is the first that has no end."""
        token = f'name="csrf_token"\r\n\r\n{self.opened.session.csrf_token}'
        parts = (token, 'name="file"; filename="a.csv"\r\n\r\nemail,x\n')
        return "\r\n".join(f"--XX\r\nContent-Disposition: form-data; {part}" for part in parts).encode()


async def arrive() -> None:
    """Come at some time in the first seconds: a thousand requests at the same moment are another matter."""
    await asyncio.sleep(random.uniform(0, ARRIVING_SECONDS))


async def send_large(target: Target) -> None:
    """Send a mail of nearly 40 MiB, again and again."""
    while monotonic() < target.until:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            target.statuses.append(await send_mail(target))


async def send_mail(target: Target) -> int:
    """Send the mail; the status."""
    async with target.connection() as (reader, writer):
        writer.write(target.head(len(target.body)))
        for start in range(0, len(target.body), AT_ONCE):
            writer.write(target.body[start : start + AT_ONCE])
            await writer.drain()
        return int((await reader.readuntil(b"\r\n")).split()[1])


async def send_slowly(target: Target) -> None:
    """Send the beginning of a body, and a byte of it each second."""
    await arrive()
    with contextlib.suppress(ConnectionError):
        async with target.connection() as (_, writer):
            writer.write(target.head(40 * MIB) + b" " * 60 * 1024)
            while monotonic() < target.until:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(1)


async def send_files(target: Target) -> None:
    """Send a file to be imported, of 50 MB of quotes that never end, again and again."""
    while monotonic() < target.until:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            target.file_statuses.append(await send_file(target, b'x","\n', 49 * MIB))


async def send_file(target: Target, line: bytes, size: int) -> int:
    """Send a file of about this size, all of it such lines; the status."""
    head, end, lines = target.form_head(), b"\r\n--XX--\r\n", line * (AT_ONCE // len(line))
    times = size // len(lines)
    async with target.connection() as (reader, writer):
        writer.write(target.page_head(len(head) + len(lines) * times + len(end)) + head)
        for _ in range(times):
            writer.write(lines)
            await writer.drain()
        writer.write(end)
        return int((await reader.readuntil(b"\r\n")).split()[1])


async def until_taken(send: Callable[[], Coroutine[Any, Any, int]], status: int) -> float:
    """Send something again and again as the attackers go on, until it is answered so; the seconds that took."""
    await asyncio.sleep(ARRIVING_SECONDS)
    began = monotonic()
    while True:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            if await send() == status:
                return monotonic() - began
        await asyncio.sleep(1)


async def send_half(target: Target) -> None:
    """Send half of a head, or half of a body, and wait."""
    await arrive()
    with contextlib.suppress(ConnectionError):
        async with target.connection() as (_, writer):
            writer.write(target.head(100_000)[: 60 if os.urandom(1)[0] % 2 else None])
            await asyncio.sleep(target.until - monotonic())


async def make_body(org: Organization, size: int) -> bytes:
    """A mail with a file of this size."""
    account = await make_account(org)
    file = {"filename": "film.mp4", "content": base64.b64encode(os.urandom(size)).decode()}
    mail = {"account_key": account.account_key, "from": "hello@acme.example", "to": ["ada@example.org"]}
    return json.dumps(mail | {"subject": "Hello", "text": "Hello", "attachments": [file]}).encode()


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_large_slow_and_half_bodies_by_the_hundred(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    settings = with_port(settings)
    bodies = [await make_body(acme, 25 * MIB), await make_body(rival, 2 * MIB)]  # 25 MiB are the most
    keys = [await new_key(acme), await new_key(rival)]
    people = [await make_person(acme, "ada@acme.example"), await make_person(rival, "bob@rival.example")]
    browser = Browser("127.0.0.1", "tests")
    sessions = [await open_session(*one, browser) for one in zip(people, (acme, rival), strict=True)]
    async with web_running(settings, program=FROM_NOTHING) as web:
        target, other = (Target(settings, *one) for one in zip(keys, bodies, sessions, strict=True))
        works: list[Work] = [send_half] * HALF + [send_slowly] * SLOW + [send_large] * LARGE + [send_files] * FILES
        callers = [asyncio.create_task(work(target)) for work in works]
        fair = [
            asyncio.create_task(until_taken(lambda: send_file(other, b"ada@example.org,x\n", 2 * MIB), 303)),
            asyncio.create_task(until_taken(lambda: send_mail(other), 200)),
        ]
        try:
            took = await answer_times(f"{settings.base_url}/readyz", SECONDS)
            file_seconds, mail_seconds = [await one for one in fair]
            async with client_of(settings, other.key, seconds=30) as client:
                assert (await client.get("/accounts")).status_code == 200
        finally:
            for caller in [*callers, *fair]:
                caller.cancel()
            await asyncio.gather(*callers, *fair, return_exceptions=True)
        print(f"{len(took)} answers of /readyz, the slowest {sorted(took)[-5:]}")
        figures("seconds that /readyz took at most", max(took), at_most=PROMPT)
        figures("seconds until another organization's file was kept", file_seconds, at_most=FAIR_SECONDS)
        figures("seconds until another organization's large mail was taken in", mail_seconds, at_most=FAIR_SECONDS)
        figures("MB of memory at most", peak_bytes(web) / 1e6, below=MOST_MEMORY / 1e6)
    figures("mails of 34 MB taken in", target.statuses.count(200), at_least=1)
    assert set(target.statuses) <= {200, 429, 503}
    assert set(target.file_statuses) <= {303, 422, 503}  # kept; too many wait for their columns, or no turn; no turn
    assert await Email.of(acme).count() >= target.statuses.count(200)
    assert await Email.of(rival).count() == await ContactImport.of(rival).count() == 1
