"""The SMTP door under attack: smuggling, floods, half-open sessions, guessed keys and large messages."""

import asyncio
import base64
import contextlib
import gc
import socket
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_account
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all, eventually
from tests.smtp.conftest import HOST, Client, Door, key_of, opened
from webapp.config import Settings, read_settings
from webapp.models import Account, Email, Organization
from webapp.smtp.door import NEW_OF_NETWORK, admits

CONTENT = b"From: Acme <hello@acme.example>\r\nSubject: Hi\r\n\r\nHi\r\n"
SMUGGLED = b"MAIL FROM:<ceo@acme.example>\r\nRCPT TO:<victim@x.example>\r\nDATA\r\nFrom: ceo@acme.example\r\n\r\nPay me\r\n.\r\n"
LARGEST = 4 * 1024 * 1024
LEAVING = 20


@pytest.fixture
async def door(settings: Settings, database: str) -> AsyncIterator[Door]:
    async with opened(settings, max_bytes=LARGEST) as door:
        yield door


@pytest.fixture
async def key(acme: Organization) -> str:
    return await key_of(acme)


@pytest.mark.parametrize(
    "end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r.\r\n", b"\n.\r", b"\r\n.\r", b"\r\n\0.\r\n"]
)
async def test_no_other_line_ends_end_a_message(
    door: Door, key: str, account: Account, acme: Organization, end: bytes
) -> None:
    async with door.dialed(key) as client:
        assert (await client.submit(CONTENT + b"x" + end + SMUGGLED.removesuffix(b".\r\n"))).startswith("550 5.6.")
        assert (await client.ask("NOOP")).startswith("250 ")  # nothing of it was read as a command
    assert not await Email.of(acme).exists()


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\r\n", b"\n\r\n", b"\n\n", b"\r\n\n"])
@pytest.mark.parametrize("before", [65_535, 65_536, 65_537, 200_000])  # bytes; line ends are compared 65,536 at a time
async def test_bare_line_ends_far_into_a_message_are_refused(
    door: Door, key: str, account: Account, acme: Organization, end: bytes, before: int
) -> None:
    async with door.dialed(key) as client:
        start = (CONTENT + b"x\r\n" * before)[:before].rstrip(b"\r\n").ljust(before, b"x")
        assert await client.submit(start + end + b"y\r\n" * 100) == (
            "550 5.6.11 the message has a bare CR or LF: lines must end with CRLF"
        )
        assert (await client.submit(start + b"\r\n" + b"y\r\n" * 100)).startswith("250 ")
    assert await Email.of(acme).count() == 1


@pytest.mark.parametrize("lines", [b".\r\n.MAIL FROM:<>\r\n", b".\r\n" * 100_000, b"." * 100_000 + b"\r\n.\r\n"])
async def test_a_dot_at_the_start_of_a_line_is_stuffed_again_on_its_way(
    door: Door, key: str, acme: Organization, smtp_server: SmtpServer, settings: Settings, lines: bytes
) -> None:
    await account_on(smtp_server, acme)
    async with door.dialed(key) as client:
        assert (await client.submit((CONTENT + lines).replace(b"\n.", b"\n.."))).startswith("250 ")
    await deliver_all(settings)
    (arrived,) = smtp_server.messages
    assert arrived.content.endswith(CONTENT + lines)


@pytest.mark.parametrize("line", [b"MAIL FROM:<>\nRCPT TO:<a@x.example>", b"NOOP\rNOOP", b"NOOP " + b"x" * 100_000])
async def test_a_command_that_is_too_long_or_ends_oddly_ends_the_session(door: Door, key: str, line: bytes) -> None:
    async with door.dialed(key) as client:
        assert (await client.ask(line)).startswith("500 5.5.2 ")
        assert await client.answer() == ""


async def test_nonsense_ends_the_session(door: Door, key: str) -> None:
    async with door.dialed(key) as client:
        replies = [await client.ask("NONSENSE") for _ in range(100)]
        assert replies == ["502 5.5.1 the command is not known"] * 100
        assert await client.answer() == "421 4.7.0 too many errors"


async def test_ten_thousand_recipients_get_a_hundred_accepted(door: Door, key: str, account: Account) -> None:
    async with door.dialed(key) as client:
        await client.ask("MAIL FROM:<>")
        client.writer.write(b"".join(b"RCPT TO:<r%d@x.example>\r\n" % number for number in range(10_000)))
        replies = [(await client.answer())[:3] for _ in range(10_000)]
    assert replies == ["250"] * 100 + ["452"] * 9_900


async def test_a_message_above_the_limit_is_refused_and_not_kept(
    door: Door, key: str, account: Account, acme: Organization
) -> None:
    async with door.dialed(key) as client:
        line = b"x" * 998 + b"\r\n"
        assert (await client.begin()).startswith("354 ")
        for _ in range(LARGEST // 100_000 + 20):
            client.writer.write(line * 100)
            await client.writer.drain()
        assert (await client.ask("\r\n.")).startswith("552 5.3.4 a message may have 4,194,304 bytes at most")
        assert (await client.submit(CONTENT)).startswith("250 ")
    assert await Email.of(acme).count() == 1


async def test_large_messages_of_one_organization_leave_room_for_another(
    door: Door, key: str, account: Account, rival: Organization, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, rival)
    async with contextlib.AsyncExitStack() as held:
        for _ in range(4):  # each waits in the middle of a message
            client = await held.enter_async_context(door.dialed(key))
            await client.begin()
            client.writer.write(b"x" * 998 + b"\r\n" + b"y" * 2_000_000)
        theirs = await held.enter_async_context(door.dialed(await key_of(rival)))
        began = monotonic()
        whole = CONTENT + b"".join(b"z" * 998 + b"\r\n" for _ in range(2_000))
        assert (await theirs.submit(whole)).startswith("250 ")
        assert monotonic() - began < 15


async def test_messages_of_clients_that_left_free_their_memory_without_the_collector(door: Door, key: str) -> None:
    """Errors refer to frames and these to connections, so that only the collector would free them, minutes later."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(LEAVING):
            async with door.dialed(key) as client:
                await client.begin()
                client.writer.write(b"x" * 998 + b"\r\n" + b"y" * 900_000)
                await client.writer.drain()

        async def is_freed() -> bool:
            return tracemalloc.get_traced_memory()[0] - before < LEAVING * 900_000 / 4

        await eventually(is_freed, seconds=10)
    finally:
        tracemalloc.stop()
        gc.enable()


async def test_half_open_sessions_give_way_to_those_who_sign_in(door: Door, key: str, account: Account) -> None:
    sockets = []
    try:
        async with door.dialed(key) as before:
            for _ in range(1_000):
                one = socket.socket()
                one.setblocking(False)
                sockets.append(one)
                with contextlib.suppress(BlockingIOError):
                    one.connect((HOST, door.port))
                await asyncio.sleep(0)
            async with door.dialed(key) as client:
                assert (await client.submit(CONTENT)).startswith("250 ")
            assert (await before.submit(CONTENT)).startswith("250 ")

        async def have_ended() -> bool:
            return sum(map(_has_ended, sockets)) >= 1_000 - NEW_OF_NETWORK

        await eventually(have_ended)
    finally:
        for one in sockets:
            one.close()


def _has_ended(client: socket.socket) -> bool:
    """Reads what the door said, to its end."""
    try:
        while client.recv(1_000):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


async def test_guessed_keys_are_slowed_down_and_a_valid_one_still_works(door: Door, key: str, account: Account) -> None:
    replies: list[str] = []
    while len(replies) < 100:
        async with door.dialed() as client:
            await client.ask("EHLO test.example")
            for _ in range(3):
                replies.append(await client.sign_in(f"svc_live_{len(replies)}"))
                if replies[-1].startswith("421"):
                    break
    assert {reply[:9] for reply in replies[:60]} == {"535 5.7.8"}
    assert set(replies[60:]) == {"421 4.7.0 too many requests without a valid API key"}

    async def is_signed_in() -> bool:
        async with door.dialed() as client:
            await client.ask("EHLO test.example")
            return (await client.sign_in(key)).startswith("235 ")

    await eventually(is_signed_in, seconds=10)  # as five unknown keys of the network are checked each second


async def test_a_client_that_reads_no_replies_is_read_no_further(door: Door, key: str) -> None:
    async with door.dialed(key) as client:
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # of a socket
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_write_endlessly(client), 3)


async def _write_endlessly(client: Client) -> None:
    while True:
        client.writer.write(b"HELP\r\n" * 10_000)
        await client.writer.drain()


@pytest.mark.parametrize(
    ("networks", "address", "is_admitted"),
    [
        ("0", "127.0.0.1", True),
        ("0", "::1", True),
        ("0", "10.1.2.3", False),
        ("1", "10.1.2.3", True),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "192.168.1.1", False),
        ("1", "203.0.113.7", False),
        ("1", "2001:db8::1", False),
    ],
)
def test_without_a_certificate_only_near_clients_are_served(
    networks: str, address: str, tmp_path: Path, *, is_admitted: bool
) -> None:
    """No public address can be dialled from in a test."""
    environ = {"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_ALLOW_PRIVATE_HOSTS": networks}
    assert admits(read_settings(environ), address) is is_admitted


async def test_a_loop_of_the_service_with_itself_ends(
    door: Door, key: str, acme: Organization, settings: Settings
) -> None:
    """An account whose server is this door: each email becomes another until the Received headers are too many."""
    fields = {"smtp_port": door.port, "smtp_security": "none", "smtp_username": "any"}
    await make_account(acme, password=key, **fields)
    async with door.dialed(key) as client:
        assert (await client.submit(b"Received: x\r\n" * 47 + CONTENT)).startswith("250 ")
    await deliver_all(settings)
    assert await Email.of(acme).count() <= 5


@pytest.mark.parametrize("charset", ["-punycode", "_PUNYCODE", "punycode", "idna", ".unicode-escape", "none-such"])
async def test_a_charset_that_is_none_of_mail_is_read_as_utf8(
    door: Door, key: str, account: Account, api: Api, charset: str
) -> None:
    """Python's own takes minutes for punycode of this length."""
    text = base64.encodebytes(b"Gr\xc3\xbc\xc3\x9fe" + b"a" * 700_000).replace(b"\n", b"\r\n")
    content = (
        b"From: hello@acme.example\r\nSubject: =?%(charset)s?q?Gr=C3=BC=C3=9Fe?=\r\n"
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain; charset=%(charset)s\r\nContent-Transfer-Encoding: base64\r\n\r\n%(text)s\r\n"
        b"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename*=%(charset)s''%%C3%%BC\r\n\r\nx\r\n"
        b"--b--\r\n"
    ) % {b"charset": charset.encode(), b"text": text}
    async with door.dialed(key) as client:
        reply = await client.submit(content)  # within 30 seconds
    assert reply.startswith("250 ")
    _, shown = await api.get(f"/v1/emails/{reply.split()[-1]}")
    email = shown["data"]
    assert (email["subject"], email["text"][:6], email["attachments"][0]["filename"]) == ("Grüße", "Grüßea", "ü")
