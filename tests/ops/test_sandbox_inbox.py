"""The sandbox inbox over a real SMTP connection: each mail lands with the organization whose account sent it."""

import asyncio
from collections.abc import AsyncIterator
from email import message_from_bytes
from email.message import EmailMessage

import aiosmtplib
import pytest

from webapp import db
from webapp.config import Settings
from webapp.domain.accounts import accounts, credentials
from webapp.domain.pagination import Page
from webapp.domain.sandbox import sandbox
from webapp.errors import NotFound
from webapp.models import Organization
from webapp.sandbox_inbox import SLOW_SECONDS, sandbox_inbox
from webapp.server import listen


@pytest.fixture
async def inbox(settings: Settings, database: str) -> AsyncIterator[None]:
    async with sandbox_inbox(listen("127.0.0.1", settings.sandbox_port, "PENNYPOST_SANDBOX_PORT")):
        yield


async def dial(settings: Settings) -> aiosmtplib.SMTP:
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=settings.sandbox_port, timeout=30, start_tls=False)
    await client.connect()
    return client


async def connect(settings: Settings, org: Organization) -> aiosmtplib.SMTP:
    """A connection signed in with the organization's sandbox account."""
    account, client = await accounts.sandbox_account(org), await dial(settings)
    await client.login(account.account_key, credentials.open_secret(account, "smtp_password") or "")
    return client


def letter(subject: str = "Hello") -> bytes:
    message = EmailMessage()
    message["Subject"] = subject
    message.set_content("Good morning.\n.\n..two dots\n")
    return message.as_bytes().replace(b"\n", b"\r\n")


async def test_a_mail_lands_with_its_organization(
    settings: Settings, inbox: None, acme: Organization, rival: Organization
) -> None:
    client = await connect(settings, acme)
    data = letter("Grüße aus Köln")
    await client.sendmail("a@acme.example", ["to@x.example", "bcc@x.example"], data)
    (row,) = (await sandbox.received_mails(acme, Page())).rows
    assert (row.mail_from, row.rcpt_tos) == ("a@acme.example", ["to@x.example", "bcc@x.example"])
    assert (row.subject, row.size) == ("Grüße aus Köln", len(data))
    assert (await sandbox.received_mail(acme, row.id)).data == data

    assert (await sandbox.received_mails(rival, Page())).total == 0
    with pytest.raises(NotFound):
        await sandbox.received_mail(rival, row.id)
    assert await sandbox.clear(rival) == 0
    assert await sandbox.clear(acme) == 1


@pytest.mark.parametrize(
    ("recipient", "code", "words"), [("Bounce+1@x.example", 550, "5.1.1"), ("tempfail+1@x.example", 451, "4.3.0")]
)
async def test_a_recipient_plays_its_part(
    settings: Settings, inbox: None, acme: Organization, recipient: str, code: int, words: str
) -> None:
    client = await connect(settings, acme)
    refused, _ = await client.sendmail("a@acme.example", [recipient, "ok@x.example"], letter())
    assert [(answer[0], answer[1].split()[0]) for answer in refused.values()] == [(code, words)]
    assert [row.rcpt_tos for row in (await sandbox.received_mails(acme, Page())).rows] == [["ok@x.example"]]


async def test_a_slow_recipient_takes_its_time(settings: Settings, inbox: None, acme: Organization) -> None:
    client, quick = await connect(settings, acme), await connect(settings, acme)
    started = asyncio.get_running_loop().time()
    slow = asyncio.create_task(client.sendmail("a@acme.example", ["slow+1@x.example"], letter()))
    await quick.sendmail("a@acme.example", ["ok@x.example"], letter())
    assert not slow.done()
    await slow
    assert asyncio.get_running_loop().time() - started >= SLOW_SECONDS


async def test_nobody_hands_in_mail_without_a_login(settings: Settings, inbox: None, acme: Organization) -> None:
    account, client = await accounts.sandbox_account(acme), await dial(settings)
    with pytest.raises(aiosmtplib.SMTPSenderRefused) as refused:
        await client.sendmail("a@acme.example", ["x@x.example"], letter())
    assert refused.value.code == 530
    for name, password in ((account.account_key, "guess"), ("acc_nobody", "guess")):
        with pytest.raises(aiosmtplib.SMTPAuthenticationError) as denied:
            await client.auth_plain(name, password)
        assert denied.value.code == 535


async def test_after_a_mail_that_cannot_be_kept_the_next_one_begins_anew(
    settings: Settings, inbox: None, database: str, acme: Organization, rival: Organization
) -> None:
    client = await connect(settings, acme)
    await client.mail("a@acme.example")
    await client.rcpt("lost@x.example")
    await db.disconnect()
    with pytest.raises(aiosmtplib.SMTPDataError) as refused:
        await client.data(letter())
    assert refused.value.code == 451
    await db.connect(settings.database_url)
    await client.mail("a@acme.example")
    await client.rcpt("ok@x.example")
    await client.data(letter())
    assert [row.rcpt_tos for row in (await sandbox.received_mails(acme, Page())).rows] == [["ok@x.example"]]
    assert (await sandbox.received_mails(rival, Page())).total == 0


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (b"SUBJECT:  =?utf-8?q?caf=C3=A9?=\r\n", "café"),
        (b"Subject: \x00\xff\x1b[31m\r\n", "� [31m"),
        (b"From: nobody\r\n", ""),
    ],
)
def test_the_subject_in_one_printable_line(head: bytes, line: str) -> None:
    assert sandbox.line_of(message_from_bytes(head + b"\r\nbody"), "subject") == line
