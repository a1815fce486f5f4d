"""Large, slow and half bodies by the hundred against a real web process (S46): it answers, and stays small."""

import asyncio
import base64
import contextlib
import json
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from time import monotonic
from typing import Any

import pytest

from tests.api.mails import MAIL
from tests.attacks.conftest import target_of
from tests.factories import make_account
from tests.fakes.attacker import Target
from tests.faults.support.processes import FROM_NOTHING
from tests.faults.support.web import answer_times, client_of, peak_bytes, web_running, with_port
from tests.figures import Figures
from webapp.config import Settings
from webapp.models import ContactImport, Email, Organization

MIB = 1024 * 1024
AT_ONCE = 256 * 1024
LARGE, SLOW, HALF, FILES = 12, 100, 1_000, 8  # callers at once
ARRIVING_SECONDS = 10.0
SECONDS = 40.0  # that the slow ones go on, and the large ones come again
PROMPT = 1.0  # seconds
FAIR_SECONDS = 30.0  # for another organization's file and mail, which wait for their turn
MOST_MEMORY = 400e6  # bytes


class Caller:
    """Somebody who sends a mail of this size, and files, and what they were answered."""

    def __init__(self, target: Target, port: int, size: int) -> None:
        self.key, self.port = target.key, port
        self.session, self.csrf_token = target.session, target.csrf_token
        self.body = make_body(target.account_key, size)
        self.until = monotonic() + SECONDS
        self.statuses: list[int] = []
        self.file_statuses: list[int] = []

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    def head(self, size: int) -> bytes:
        """The head of a mail."""
        return head_of("/v1/emails", f"Authorization: Bearer {self.key}", "application/json", size)

    def page_head(self, size: int) -> bytes:
        """The head of a form with a file, of somebody who is signed in."""
        return head_of("/imports", f"Cookie: session={self.session}", "multipart/form-data; boundary=XX", size)

    def form_head(self) -> bytes:
        """The form up to the file: its second row is the first that has no end."""
        parts = (f'name="csrf_token"\r\n\r\n{self.csrf_token}', 'name="file"; filename="a.csv"\r\n\r\nemail,x\n')
        return "\r\n".join(f"--XX\r\nContent-Disposition: form-data; {part}" for part in parts).encode()

    async def post(self, head: bytes, pieces: Iterable[bytes]) -> int:
        """Send a request piece by piece; the status."""
        async with self.connection() as (reader, writer):
            writer.write(head)
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            return int((await reader.readuntil(b"\r\n")).split()[1])


def head_of(path: str, permission: str, kind: str, size: int) -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: x", permission, f"Content-Type: {kind}", f"Content-Length: {size}")
    return "\r\n".join([*lines, "", ""]).encode()


def make_body(account_key: str, size: int) -> bytes:
    """A mail with a file of this size."""
    file = {"filename": "film.mp4", "content": base64.b64encode(os.urandom(size)).decode()}
    return json.dumps(MAIL | {"account_key": account_key, "attachments": [file]}).encode()


async def arrive() -> None:
    """Come at some time in the first seconds: a thousand requests at the same moment are another matter."""
    await asyncio.sleep(random.uniform(0, ARRIVING_SECONDS))


async def again_and_again(caller: Caller, send: Callable[[], Awaitable[int]], statuses: list[int]) -> None:
    while monotonic() < caller.until:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            statuses.append(await send())


async def send_large(caller: Caller) -> None:
    """Send a mail of nearly 40 MiB, again and again."""
    await again_and_again(caller, lambda: send_mail(caller), caller.statuses)


async def send_mail(caller: Caller) -> int:
    """Send the mail; the status."""
    pieces = (caller.body[start : start + AT_ONCE] for start in range(0, len(caller.body), AT_ONCE))
    return await caller.post(caller.head(len(caller.body)), pieces)


async def send_slowly(caller: Caller) -> None:
    """Send the beginning of a body, and a byte of it each second."""
    await arrive()
    with contextlib.suppress(ConnectionError):
        async with caller.connection() as (_, writer):
            writer.write(caller.head(40 * MIB) + b" " * 60 * 1024)
            while monotonic() < caller.until:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(1)


async def send_files(caller: Caller) -> None:
    """Send a file to be imported, of 50 MB of quotes that never end, again and again."""
    await again_and_again(caller, lambda: send_file(caller, b'x","\n', 49 * MIB), caller.file_statuses)


async def send_file(caller: Caller, line: bytes, size: int) -> int:
    """Send a file of about this size, all of it such lines; the status."""
    head, end, lines = caller.form_head(), b"\r\n--XX--\r\n", line * (AT_ONCE // len(line))
    times = size // len(lines)
    length = len(head) + len(lines) * times + len(end)
    return await caller.post(caller.page_head(length), [head, *[lines] * times, end])


async def until_taken(send: Callable[[], Coroutine[Any, Any, int]], status: int) -> float:
    """Send something again and again as the attackers go on, until it is answered so; the seconds that took."""
    await asyncio.sleep(ARRIVING_SECONDS)
    began = monotonic()
    while True:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            if await send() == status:
                return monotonic() - began
        await asyncio.sleep(1)


async def send_half(caller: Caller) -> None:
    """Send half of a head, or half of a body, and wait."""
    await arrive()
    with contextlib.suppress(ConnectionError):
        async with caller.connection() as (_, writer):
            writer.write(caller.head(100_000)[: 60 if os.urandom(1)[0] % 2 else None])
            await asyncio.sleep(caller.until - monotonic())


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_large_slow_and_half_bodies_by_the_hundred(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    settings = with_port(settings)
    targets = [await target_of(settings, org, await make_account(org)) for org in (acme, rival)]
    async with web_running(settings, program=FROM_NOTHING) as web:
        target, other = Caller(targets[0], settings.port, 25 * MIB), Caller(targets[1], settings.port, 2 * MIB)
        works: list[Callable[[Caller], Coroutine[Any, Any, None]]] = [send_half] * HALF
        works += [send_slowly] * SLOW + [send_large] * LARGE + [send_files] * FILES
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
