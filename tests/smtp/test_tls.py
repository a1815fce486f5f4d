"""TLS of the SMTP door: STARTTLS and from the first byte, and certificates that change."""

import asyncio
import smtplib
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.smtp.conftest import HOST, SECONDS, Door, letter, opened, write_certificate
from webapp.config import Settings
from webapp.errors import ConfigError
from webapp.models import Account, Email, Organization
from webapp.smtp.certificate import Certificate

Secure = Callable[[], Any]


async def test_email_is_submitted_after_starttls(
    secure: Secure, key: str, account: Account, acme: Organization
) -> None:
    async with secure() as door:
        email_id = await door.send(key, letter())
    source = (await Email.of(acme).get(id=email_id)).source
    assert source is not None
    assert b" with ESMTPSA id " in bytes(source)


async def test_email_is_submitted_with_tls_from_the_first_byte(
    secure: Secure, key: str, account: Account, acme: Organization
) -> None:
    def send(door: Door) -> None:
        with smtplib.SMTP_SSL(HOST, door.tls_port or 0, timeout=SECONDS, context=door.context()) as client:
            client.login("any", key)
            client.send_message(letter())

    async with secure() as door:
        await asyncio.gather(*(asyncio.to_thread(send, door) for _ in range(3)))
    assert await Email.of(acme).count() == 3


@pytest.mark.parametrize(
    "command", ["AUTH PLAIN AGEAYg==", "MAIL FROM:<>", "RCPT TO:<ann@x.example>", "DATA", "VRFY ann"]
)
async def test_nothing_is_accepted_before_tls_where_there_is_a_certificate(secure: Secure, command: str) -> None:
    async with secure() as door, door.dialed() as client:
        client.writer.write(b"EHLO test.example\r\n")
        offered = [(await client.reader.readline()).decode().rstrip()[4:] for _ in range(7)]
        assert (offered[-1], "AUTH PLAIN LOGIN" in offered) == ("STARTTLS", False)
        assert await client.ask(command) == "530 5.7.0 send STARTTLS first"


async def test_commands_injected_before_the_handshake_are_dropped(secure: Secure, key: str) -> None:
    async with secure() as door, door.dialed() as client:
        await client.ask("EHLO test.example")
        client.writer.write(b"STARTTLS\r\nEHLO attacker.example\r\n")
        assert (await client.answer()).startswith("220 ")
        await client.writer.start_tls(door.context(), server_hostname=HOST)
        assert (await client.ask("NOOP")).startswith("250 2.0.0")
        assert (await client.ask("AUTH LOGIN")).startswith("503 ")  # the greeting before TLS does not count
        await client.ask("EHLO test.example")
        assert (await client.sign_in(key)).startswith("235 ")


async def test_a_changed_certificate_is_used_for_the_next_connection(
    settings: Settings, database: str, tmp_path: Path, key: str, account: Account
) -> None:
    async with opened(settings, tmp_path) as door:
        await door.send(key, letter())
        (tmp_path / "smtp.key").write_text("half written")
        await door.send(key, letter())  # by the earlier one
        renewed = trustme.CA()
        write_certificate(renewed, tmp_path)
        with pytest.raises(ssl.SSLCertVerificationError):
            await door.send(key, letter())
        await Door(door.port, door.tls_port, renewed).send(key, letter())


@pytest.mark.parametrize("content", [b"", b"not a certificate"])
def test_an_invalid_certificate_is_refused_at_the_start(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "smtp.pem").write_bytes(content)
    with pytest.raises(ConfigError, match="PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY"):
        Certificate(tmp_path / "smtp.pem", tmp_path / "smtp.pem")
