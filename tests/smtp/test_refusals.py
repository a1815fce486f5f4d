"""What the SMTP door refuses, and with which words."""

import json
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from tests.factories import make_account
from tests.smtp.conftest import Door, key_of, opened
from webapp import config
from webapp.config import Settings
from webapp.domain.api_keys import revoke_named_key
from webapp.domain.auth.owners import set_plan
from webapp.models import Account, Email, Organization
from webapp.models.account import AccountStatus

CONTENT = b"From: Acme <hello@acme.example>\r\nSubject: Hi\r\n\r\nHi\r\n"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("RCPT TO:<not-an-address>", "501 5.1.3"),
        ("RCPT TO:ann@x.example", "501 5.1.3"),
        ("RCPT TO:<ann@x>", "501 5.1.3"),
        ("RCPT TO:<ann@x.example>\x00", "501 5.1.3"),
        ("RCPT TO:<a@x.example,b@x.example>", "501 5.1.3"),
        ("RCPT TO:<ann@x.example> NOTIFY=NEVER", "555 5.5.4"),
        ("MAIL FROM:<hello@acme.example>", "503 5.5.1"),
        ("DATA", "554 5.5.1"),
        ("DATA now", "501 5.5.4"),
        ("BDAT 5 LAST", "502 5.5.1"),
        ("__init__", "502 5.5.1"),
        ("AUTH PLAIN AGEAYg==", "503 5.5.1"),
        ("STARTTLS", "503 5.5.1"),
        ("VRFY ann", "252 2.5.0"),
        ("NOOP", "250 2.0.0"),
        ("RSET", "250 2.0.0"),
        ("HELP", "214 2.0.0"),
        ("QUIT", "221 2.0.0"),
        (b"NOOP \xff", "500 5.5.2"),
        ("RCPT TO:<müller@x.example>", "250 2.1.5"),
    ],
)
async def test_commands_after_mail(door: Door, key: str, command: str | bytes, reply: str) -> None:
    async with door.dialed(key) as client:
        await client.ask("MAIL FROM:<hello@acme.example>")
        assert (await client.ask(command)).startswith(reply)


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("MAIL FROM:<>", "250 2.1.0"),
        ("mail from: <hello@acme.example> size=100 body=8bitmime", "250 2.1.0"),
        ("MAIL FROM:<hello@>", "501 5.1.7"),
        ("MAIL TO:<hello@acme.example>", "501 5.1.7"),
        ("MAIL FROM:<hello@acme.example> SIZE=41943041", "552 5.3.4"),
        (f"MAIL FROM:<hello@acme.example> SIZE={'9' * 30}", "555 5.5.4"),
        ("MAIL FROM:<hello@acme.example> RET=FULL", "555 5.5.4"),
        ("RCPT TO:<ann@x.example>", "503 5.5.1"),
        ("DATA", "503 5.5.1"),
        ("EHLO", "501 5.5.4"),
        ("EHLO <script>", "501 5.5.4"),
    ],
)
async def test_commands_before_mail(door: Door, key: str, command: str, reply: str) -> None:
    async with door.dialed(key) as client:
        assert (await client.ask(command)).startswith(reply)


async def test_the_greeting_lists_the_extensions(door: Door) -> None:
    async with door.dialed() as client:
        client.writer.write(b"EHLO test.example\r\n")
        lines = [(await client.reader.readline()).decode().rstrip() for _ in range(7)]
    assert [line[4:] for line in lines[1:]] == [
        "PIPELINING",
        "SIZE 41943040",
        "8BITMIME",
        "SMTPUTF8",
        "ENHANCEDSTATUSCODES",
        "AUTH PLAIN LOGIN",
    ]
    assert lines[-1].startswith("250 ")


async def test_pipelined_commands_are_answered_in_order(door: Door, key: str, account: Account) -> None:
    async with door.dialed(key) as client:
        pipelined = b"MAIL FROM:<>\r\nRCPT TO:<a@x.example>\r\nRCPT TO:<bad>\r\nDATA\r\n"
        client.writer.write(pipelined)
        assert [(await client.answer())[:3] for _ in range(4)] == ["250", "250", "501", "354"]
        client.writer.write(CONTENT + b".\r\nQUIT\r\n")
        assert [(await client.answer())[:3] for _ in range(2)] == ["250", "221"]
        assert await client.answer() == ""


async def test_the_101st_recipient_is_refused_for_now_and_the_others_get_the_email(
    door: Door, key: str, account: Account, acme: Organization
) -> None:
    async with door.dialed(key) as client:
        await client.ask("MAIL FROM:<>")
        replies = [await client.ask(f"RCPT TO:<r{number}@x.example>") for number in range(101)]
        assert (replies[99][:9], replies[100][:9]) == ("250 2.1.5", "452 4.5.3")
        await client.ask("DATA")
        client.writer.write(CONTENT)
        assert (await client.ask(".")).startswith("250 2.0.0 ")
    email = await Email.of(acme).get()
    assert len(email.addresses["bcc"]) == 100


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
async def test_both_mechanisms_ask_for_what_the_command_lacks(door: Door, key: str, mechanism: str) -> None:
    answers = [f"\0any\0{key}"] if mechanism == "PLAIN" else ["any", key]
    prompts = ["334"] if mechanism == "PLAIN" else ["334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6"]
    async with door.dialed() as client:
        await client.ask("EHLO test.example")
        replies = [await client.ask(f"AUTH {mechanism}")]
        replies += [await client.ask(b64encode(answer.encode())) for answer in answers]
        assert replies == [*prompts, "235 2.7.0 signed in"]


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("AUTH CRAM-MD5", "504 5.5.4"),
        ("AUTH PLAIN *", "501 5.5.2"),
        ("AUTH PLAIN !!!!", "501 5.5.2"),
        ("AUTH PLAIN AAAA", "501 5.5.2"),
        ("AUTH PLAIN AGEAc3ZjX2xpdmVfYQ==", "535 5.7.8 the password must be a valid API key"),
        ("AUTH", "504 5.5.4"),
        ("MAIL FROM:<hello@acme.example>", "530 5.7.0"),
    ],
)
async def test_logins_that_are_refused(door: Door, answer: str, reply: str) -> None:
    async with door.dialed() as client:
        await client.ask("EHLO test.example")
        assert (await client.ask(answer)).startswith(reply)


async def test_a_login_needs_a_senders_key_and_an_account_of_its_own(
    door: Door, acme: Organization, rival: Organization, key: str
) -> None:
    own, theirs = await make_account(acme), await make_account(rival)
    viewer = await key_of(acme, "viewer")
    async with door.dialed() as client:
        await client.ask("EHLO test.example")
        assert await client.sign_in(viewer) == "535 5.7.8 the key has the role viewer: sending needs the role sender"
        unknown = await client.sign_in(key, "acc_" + "x" * 24)
        assert unknown.startswith("535 5.7.8 account_key: no account has this key")
        assert await client.sign_in(key, theirs.account_key) == unknown
        assert await client.answer() == ""  # three failures end the session
    async with door.dialed(key, own.account_key) as client:
        assert (await client.submit(CONTENT)).startswith("250 ")
    assert (await Email.of(acme).get()).account_id == own.id
    assert not await Email.of(rival).exists()


async def test_a_keys_scope_binds_what_it_submits(door: Door, acme: Organization, account: Account) -> None:
    other = await make_account(acme, name="Other", from_email="hello@other.example")
    by_from = await key_of(acme, allowed_from=["@acme.example"])
    async with door.dialed(by_from) as client:
        assert (await client.submit(CONTENT)).startswith("250 ")
        assert (await client.submit(CONTENT.replace(b"acme", b"other"))).startswith("550 5.7.1 this API key may not")
    by_account = await key_of(acme, allowed_account_ids=[str(other.id)])
    by_network = await key_of(acme, allowed_networks=["203.0.113.0/24"])
    async with door.dialed() as client:
        await client.ask("EHLO test.example")
        refused = await client.sign_in(by_account, account.account_key)
        assert refused.startswith("535 5.7.8 this API key may not use the account Main, only Other")
        refused = await client.sign_in(by_network)
        assert refused.startswith("535 5.7.8 this API key may not be used from 127.0.0.1, only from 203.0.113.0/24")
        assert (await client.sign_in(by_account)).startswith("235 ")
        assert (await client.submit(CONTENT.replace(b"acme", b"other"))).startswith("250 ")
    emails = await Email.of(acme).order_by("id")
    assert [email.account_id for email in emails] == [account.id, other.id]


async def test_a_revoked_key_ends_its_sessions(door: Door, key: str, account: Account) -> None:
    async with door.dialed(key) as client:
        assert (await client.submit(CONTENT)).startswith("250 ")
        await revoke_named_key(key)
        reply = "250"
        while reply.startswith("250"):  # for less than a second
            reply = await client.ask("MAIL FROM:<>")
            await client.ask("RSET")
        assert reply.startswith("421 4.7.0")
        assert await client.answer() == ""


@pytest.mark.parametrize(
    ("content", "reply"),
    [
        (b"\r\nno headers\r\n", "550 5.7.1 from is required"),
        (b"Subject: Hi\r\n\r\nHi\r\n", "550 5.7.1 from is required"),
        (b"", "550 5.7.1 from is required"),
        (b"From: a@acme.example\r\nFrom: b@acme.example\r\n\r\n\r\n", "550 5.7.1 from must be a single header"),
        (b"From: a@acme.example, b@acme.example\r\n\r\n\r\n", "550 5.7.1 from must be one address"),
        (b'From: b@y.example, "A" <a@acme.example>\r\n\r\n\r\n', "550 5.7.1 from must be one address"),
        (b"From: Shop <not an address>\r\n\r\n\r\n", "550 5.7.1 from must be one address"),
        (b"From: =?utf-8?q?a=40acme.example?=\r\n\r\n\r\n", "550 5.7.1 from must be one address"),
        (b"From : a@acme.example\r\n\r\n\r\n", "550 5.6.0 the message has a header that is not `Name: value`"),
        (b"hello\r\nFrom: a@acme.example\r\n\r\n\r\n", "550 5.6.0 the message has a header that is not"),
        (b"From: a@acme.example\r\nX: \xff\r\n\r\n\r\n", "550 5.6.0 the message has headers that are neither"),
        (b"From: a@acme.example\r\nX-A: a\0b\r\n\r\n\r\n", "550 5.6.0 the message has a NUL"),
        (b"From: a@acme.example\r\nX-Pennypost-Tag: a b\r\n\r\n\r\n", "550 5.6.0 X-Pennypost-Tag must be name=value"),
        (b"From: a@acme.example\r\n" + b"X-Pennypost-Tag: a=b\r\n" * 76 + b"\r\n", "550 5.6.0 X-Pennypost-Tag may occur"),
        (b"From: a@acme.example\r\n" + b"Received: x\r\n" * 51 + b"\r\n", "550 5.6.0 the message has 50 Received"),
        (b"From: a@acme.example\r\n" + b"X: y\r\n" * 1_001 + b"\r\n", "550 5.6.0 the message has more than 1,000"),
        (b"From: a@acme.example\r\nX: " + b"y" * 140_000 + b"\r\n\r\n", "550 5.6.0 the message has more than 128 KiB"),
    ],
)  # fmt: skip
async def test_messages_that_are_refused(
    door: Door, key: str, account: Account, acme: Organization, content: bytes, reply: str
) -> None:
    async with door.dialed(key) as client:
        assert (await client.submit(content)).startswith(reply)
        assert not await Email.of(acme).exists()
        assert (await client.submit(CONTENT)).startswith("250 ")  # the session goes on


async def test_accounts_that_cannot_send_refuse_with_the_reason(door: Door, key: str, acme: Organization) -> None:
    async with door.dialed(key) as client:
        assert (await client.submit(CONTENT)).startswith(
            "550 5.7.1 account_key is required: there is no active account"
        )
    account = await make_account(acme, status=AccountStatus.PAUSED)
    async with door.dialed(key, account.account_key) as client:
        assert "is paused: resume it" in await client.submit(CONTENT)
    await Account.of(acme).filter(id=account.id).update(status=AccountStatus.ACTIVE)
    await Organization.filter(id=acme.id).update(strict_from=True)
    async with door.dialed(await key_of(acme)) as client:
        refused = await client.submit(CONTENT.replace(b"acme", b"elsewhere"))
    assert refused == "550 5.7.1 from must match the address or domain of one of the accounts"


async def test_the_monthly_quota_and_the_rate_refuse_for_now(
    settings: Settings, database: str, acme: Organization, account: Account, tmp_path: Path
) -> None:
    plans = tmp_path / "plans.json"
    plans.write_text(json.dumps({"tiny": {"monthly_email_quota": 1, "requests_per_second": 1, "burst": 3}}))
    changed = replace(settings, plans_file=plans, redis_url=None)
    config.configure(changed)
    await set_plan(acme, "tiny")
    async with opened(changed) as door, door.dialed(await key_of(acme)) as client:
        assert (await client.submit(CONTENT)).startswith("250 ")
        assert (await client.submit(CONTENT)).startswith("452 4.2.2 the tiny plan allows 1 recipients per month")
    assert await Email.of(acme).count() == 1


async def test_lines_of_a_message_that_is_too_large_are_no_commands(
    settings: Settings, database: str, key: str, account: Account, acme: Organization
) -> None:
    ends_with_a_dot = b"ab.\r\n"  # five bytes, so that what is read at once ends anywhere in it
    content = CONTENT + ends_with_a_dot * 2_000_000
    async with opened(settings, max_bytes=64 * 1024) as door, door.dialed(key) as client:
        assert (await client.submit(content)).startswith("552 5.3.4 a message may have 65,536 bytes")
        assert await client.ask("NOOP") == "250 2.0.0 OK"
        assert not await Email.of(acme).exists()
        assert (await client.submit(CONTENT)).startswith("250 ")


async def test_pipelined_commands_of_a_client_that_does_not_read_are_answered_later(door: Door, key: str) -> None:
    async with door.dialed(key) as client:
        client.writer.write(b"EHLO test.example\r\n" * 20_000 + b"QUIT\r\n")
        async with door.dialed(key) as other:
            assert await other.ask("NOOP") == "250 2.0.0 OK"
        assert {await client.answer() for _ in range(20_000)} == {"250 ENHANCEDSTATUSCODES"}
        assert await client.answer() == "221 2.0.0 bye"
