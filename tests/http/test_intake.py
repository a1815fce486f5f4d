"""Bodies come in by turns: whoever holds some back costs the others little, and the process next to no memory."""

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from urllib.parse import urlsplit

import pytest
from quart import Quart

from tests.factories import make_account
from tests.fakes.served import served
from tests.fakes.worker import eventually
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.http.body.admission import (
    FREE_BYTES,
    LARGE_AT_ONCE,
    MIDDLE_BYTES,
    PATIENCE_SECONDS,
    POLL_SECONDS,
    BodyAdmission,
)
from webapp.models import Email, Organization

MIB = 1024 * 1024
PATIENCE = 0.5  # seconds that a body waits for its turn in these tests
KERNEL_BYTES = 8 * MIB  # what a connection holds on its way, at most


class Caller:
    """A connection that sends a body as slowly as it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def begin(self, key: str, size: int, path: str = "/v1/emails", content: bytes = b"") -> None:
        """Send the head of a request with so large a body, and the beginning of that."""
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        self.writer.write(f"{head}Content-Length: {size}\r\n\r\n".encode() + content)
        await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str]]:
        """Status and headers."""
        status = int((await asyncio.wait_for(self.reader.readline(), 30)).split()[1])
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        return status, dict(line.lower().split(": ", 1) for line in head.split("\r\n") if line)

    def hang_up(self) -> None:
        self.writer.transport.abort()


class Place:
    """The service, and who calls it."""

    def __init__(self, app: Quart, address: str) -> None:
        self.app, self._where = app, urlsplit(address)
        self._callers: list[Caller] = []

    async def caller(self) -> Caller:
        found = Caller(*await asyncio.open_connection(self._where.hostname, self._where.port))
        self._callers.append(found)
        return found

    async def ask(self, key: str, content: bytes, path: str = "/v1/emails") -> tuple[int, dict[str, str]]:
        caller = await self.caller()
        await caller.begin(key, len(content), path, content)
        return await caller.answer()

    async def healthz(self) -> float:
        """Seconds to an answer."""
        began, caller = monotonic(), await self.caller()
        caller.writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert (await caller.answer())[0] == 200
        return monotonic() - began

    def hang_up(self) -> None:
        for caller in self._callers:
            caller.hang_up()


@pytest.fixture
async def place(settings: Settings, database: str) -> AsyncIterator[Place]:
    app = create_app(settings)
    app.extensions["body_admission"] = BodyAdmission(PATIENCE)
    async with served(app) as address:
        found = Place(app, address)
        yield found
        found.hang_up()


async def key_of(org: Organization) -> str:
    return (await issue_key(org, NewKey(name="robot", role="sender"))).secret


async def mail_of(org: Organization, size: int) -> bytes:
    """A request of about this size that sends a mail."""
    account = await make_account(org)
    mail = {"account_key": account.account_key, "from": "hello@acme.example", "to": ["ada@example.org"]}
    return json.dumps(mail | {"subject": "Hello", "text": "x" * size}).encode()


async def are_turns_taken(place: Place, *, all_of_them: bool) -> bool:
    admission: BodyAdmission = place.app.extensions["body_admission"]
    return admission.large.locked() is all_of_them


async def hold_all_turns(place: Place, key: str) -> list[Caller]:
    """Callers who begin a large body each and go no further."""
    callers = [await place.caller() for _ in range(LARGE_AT_ONCE)]
    for caller in callers:
        await caller.begin(key, 40 * MIB, content=b" " * FREE_BYTES * 2)
    await eventually(lambda: are_turns_taken(place, all_of_them=True))
    return callers


async def test_a_large_body_waits_for_its_turn_and_small_ones_do_not(
    place: Place, acme: Organization, rival: Organization
) -> None:
    holding = await hold_all_turns(place, await key_of(acme))
    key, large = await key_of(rival), await mail_of(rival, 2 * MIB)
    status, headers = await place.ask(key, large)
    assert (status, headers["retry-after"]) == (503, "5")
    assert (await place.ask(key, await mail_of(rival, 10)))[0] == 200
    assert (await place.ask(key, await mail_of(rival, MIDDLE_BYTES // 2)))[0] == 200
    assert await place.healthz() < 1
    for caller in holding:
        caller.hang_up()
    await eventually(lambda: are_turns_taken(place, all_of_them=False))
    assert (await place.ask(key, large))[0] == 200
    assert (await Email.of(acme).count(), await Email.of(rival).count()) == (0, 3)


async def test_slow_senders_with_two_keys_keep_nobody_waiting(
    place: Place, acme: Organization, rival: Organization
) -> None:
    place.app.extensions["body_admission"].wait_seconds = 20.0
    keys = [await key_of(acme), await key_of(acme)]
    slow = [await place.caller() for _ in range(8)]
    for number, caller in enumerate(slow):
        await caller.begin(keys[number % 2], 40 * MIB, content=b" " * FREE_BYTES * 2)
    await eventually(lambda: are_turns_taken(place, all_of_them=True))
    began = monotonic()
    assert (await place.ask(await key_of(rival), await mail_of(rival, 2 * MIB)))[0] == 200
    assert monotonic() - began < 15
    answers = await asyncio.wait_for(asyncio.gather(*(caller.answer() for caller in slow[:2])), 30)
    assert [status for status, _ in answers] == [408, 408]
    assert (await Email.of(acme).count(), await Email.of(rival).count()) == (0, 1)


async def test_a_slow_sender_whom_nobody_waits_for_is_left_in_peace(place: Place, acme: Organization) -> None:
    key, mail = await key_of(acme), await mail_of(acme, 2 * MIB)
    caller = await place.caller()
    await caller.begin(key, len(mail), content=mail[:MIB])
    await asyncio.sleep(PATIENCE_SECONDS + 2 * POLL_SECONDS)
    caller.writer.write(mail[MIB:])
    assert (await caller.answer())[0] == 200


async def test_a_body_that_waits_stays_with_its_sender(place: Place, acme: Organization) -> None:
    key = await key_of(acme)
    place.app.extensions["body_admission"].wait_seconds = 5.0
    await hold_all_turns(place, key)
    caller = await place.caller()
    await caller.begin(key, 40 * MIB)
    sent = 0
    while sent < 40 * MIB:
        caller.writer.write(b" " * MIB)
        try:
            await asyncio.wait_for(caller.writer.drain(), 0.5)
        except TimeoutError:
            break
        sent += MIB
    assert sent < KERNEL_BYTES


async def test_a_body_without_a_length_waits_when_it_has_become_large(place: Place, acme: Organization) -> None:
    key = await key_of(acme)
    await hold_all_turns(place, key)
    caller = await place.caller()
    head = f"POST /v1/emails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
    caller.writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
    for _ in range(2 * MIDDLE_BYTES // FREE_BYTES):
        caller.writer.write(b"%x\r\n%b\r\n" % (FREE_BYTES, b" " * FREE_BYTES))
    assert (await caller.answer())[0] == 503


async def test_strangers_take_no_turn(place: Place, acme: Organization) -> None:
    for _ in range(2 * LARGE_AT_ONCE):
        caller = await place.caller()
        await caller.begin("svc_live_nobody", 40 * MIB, content=b" " * FREE_BYTES * 2)
        assert (await caller.answer())[0] == 401
    assert (await place.ask(await key_of(acme), await mail_of(acme, 2 * MIB)))[0] == 200


async def test_a_form_is_no_larger_than_a_mebibyte(place: Place, database: str) -> None:
    caller = await place.caller()
    caller.writer.write(
        b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: %d\r\n\r\n" % (MIB + 1)
    )
    assert (await caller.answer())[0] == 413
