"""The SMTP door on ports of its own, and programs that submit email to it."""

import asyncio
import base64
import smtplib
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import trustme

from tests.conftest import free_port
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import Organization
from webapp.server import listen
from webapp.smtp.service import Listener, serve_smtp

HOST = "127.0.0.1"
SECONDS = 30


async def key_of(org: Organization, role: str = "sender", **scope: list[str]) -> str:
    return (await issue_key(org, NewKey.model_validate({"name": "smtp", "role": role, **scope}))).secret


def letter(**headers: str) -> EmailMessage:
    """A message with text, HTML and a file, with these headers besides or instead of its own."""
    message = EmailMessage()
    for name, value in (
        {"From": "Acme <hello@acme.example>", "To": "Ann <ann@x.example>", "Subject": "Hi"} | headers
    ).items():
        message[name.replace("_", "-")] = value
    message.set_content("Grüße\n.\n..two dots\n")
    message.add_alternative("<p>Grüße</p>", subtype="html")
    message.add_attachment(bytes(range(256)), maintype="application", subtype="pdf", filename="Rechnung März.pdf")
    message.as_bytes()  # which chooses the boundaries
    return message


@dataclass(frozen=True)
class Door:
    port: int
    tls_port: int | None = None
    authority: trustme.CA | None = None

    async def send(self, key: str, message: EmailMessage, to: Sequence[str] | None = None, user: str = "any") -> UUID:
        """Submits by smtplib, as programs do; the email's id, from the reply."""
        return await asyncio.to_thread(self._send, key, message, to, user)

    def _send(self, key: str, message: EmailMessage, to: Sequence[str] | None, user: str) -> UUID:
        replies: list[tuple[int, bytes]] = []

        class Client(smtplib.SMTP):
            def data(self, msg: Any) -> tuple[int, bytes]:
                replies.append(super().data(msg))
                return replies[-1]

        with Client(HOST, self.port, timeout=SECONDS) as client:
            if self.authority is not None:
                client.starttls(context=self.context())
            client.login(user, key)
            client.send_message(message, to_addrs=to)
        status, identifier = replies[0][1].decode().split()
        assert (replies[0][0], status) == (250, "2.0.0")
        return UUID(identifier)

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self.authority is not None:
            self.authority.configure_trust(context)
        return context

    @asynccontextmanager
    async def dialed(self, key: str | None = None, user: str = "any") -> AsyncIterator["Client"]:
        """A connection in clear text on which a test writes what it likes, greeted, and signed in with a key."""
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=2**20)
        client = Client(reader, writer)
        try:
            assert (await client.answer()).startswith("220 ")
            if key is not None:
                await client.ask("EHLO test.example")
                assert (await client.sign_in(key, user)).startswith("235 ")
            yield client
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


@dataclass(frozen=True)
class Client:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self, command: str | bytes) -> str:
        self.writer.write((command if isinstance(command, bytes) else command.encode()) + b"\r\n")
        return await self.answer()

    async def answer(self) -> str:
        """The last line of the next reply; empty once the connection is closed."""
        async with asyncio.timeout(SECONDS):
            try:
                while (line := await self.reader.readline())[3:4] == b"-":
                    pass
            except ConnectionResetError:
                return ""
        return line.decode().rstrip()

    async def sign_in(self, key: str, user: str = "any") -> str:
        return await self.ask("AUTH PLAIN " + base64.b64encode(f"\0{user}\0{key}".encode()).decode())

    async def begin(self, *recipients: str, sender: str = "hello@acme.example", options: str = "") -> str:
        """Up to the go-ahead for the message."""
        assert (await self.ask(f"MAIL FROM:<{sender}>{options}")).startswith("250 ")
        for recipient in recipients or ("ann@x.example",):
            assert (await self.ask(f"RCPT TO:<{recipient}>")).startswith("250 ")
        return await self.ask("DATA")

    async def submit(self, content: bytes, *recipients: str, options: str = "") -> str:
        assert (await self.begin(*recipients, options=options)).startswith("354 ")
        self.writer.write(content)
        return await self.ask(".")


@asynccontextmanager
async def opened(settings: Settings, folder: Path | None = None, **changes: Any) -> AsyncIterator[Door]:
    """With a certificate if there is a folder for it."""
    authority, certificate = None, None
    if folder is not None:
        authority = trustme.CA()
        certificate = write_certificate(authority, folder)
    submission = replace(settings.submission, host=HOST, port=free_port(), certificate=certificate, **changes)
    if certificate is not None:
        submission = replace(submission, tls_port=free_port())
    settings = replace(settings, submission=submission)
    ports = ((submission.port, False), (submission.tls_port, True))
    listeners = [Listener(listen(HOST, port, "PENNYPOST_SMTP_PORT"), is_tls) for port, is_tls in ports if port]
    stop = asyncio.Event()
    serving = asyncio.create_task(serve_smtp(settings, listeners, stop))
    try:
        yield Door(submission.port or 0, submission.tls_port, authority)
    finally:
        stop.set()
        await asyncio.wait_for(serving, SECONDS)


def write_certificate(authority: trustme.CA, folder: Path) -> tuple[Path, Path]:
    issued, paths = authority.issue_cert(HOST), (folder / "smtp.pem", folder / "smtp.key")
    issued.cert_chain_pems[0].write_to_path(str(paths[0]))
    issued.private_key_pem.write_to_path(str(paths[1]))
    return paths


@pytest.fixture
async def door(settings: Settings, database: str) -> AsyncIterator[Door]:
    async with opened(settings) as door:
        yield door


@pytest.fixture
async def key(acme: Organization) -> str:
    return await key_of(acme)


@pytest.fixture
def secure(settings: Settings, database: str, tmp_path: Path) -> Callable[[], Any]:
    return partial(opened, settings, tmp_path)
