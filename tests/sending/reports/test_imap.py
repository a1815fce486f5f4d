"""A mailbox is not read, with a sentence, where its server, the network or the account fails."""

import asyncio
import contextlib
import datetime as dt
import socket
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from tests.fakes.imap_server import HOST, ImapServer
from tests.fakes.smtp_server import Certificate, client_context
from tests.faults.support.world import until
from tests.sending.conftest import lookup_of
from tests.sending.reports.samples import mail
from tests.sending.reports.samples.others import NO_REPORTS
from tests.sending.reports.test_parse import REPORTS, UNKNOWN_USER
from webapp.sending.host_policy import PRIVATE_REFUSED, HostPolicy
from webapp.sending.reports.imap import THREADS_EACH, check_imap, read_imap
from webapp.sending.reports.imap_session import ImapSession
from webapp.sending.reports.mailbox import MESSAGE_BYTES, ImapLogin, MailboxTrouble, MailboxUnreadable, Reading
from webapp.sending.reports.mime_parts import read_fields
from webapp.sending.reports.parse import may_be_report
from webapp.sending.smtp.connect import Dialer

LONG_AGO = dt.date(2026, 10, 1)
BEFORE = dt.date(2026, 1, 1)
LETTER = mail("From: Ann <ann@example.org>\nSubject: Hello\n\nHow are you?\n")
READS = {"LOGIN", "AUTHENTICATE", "EXAMINE", "SEARCH", "FETCH", "LOGOUT"}  # which change nothing, with BODY.PEEK
BUSY = 60.0  # seconds, on a busy machine
PROTOCOL, CLOSED = MailboxTrouble.PROTOCOL, MailboxTrouble.CLOSED
ODD_ANSWERS = {
    "another protocol": ("CONNECT", b"HTTP/1.1 400 Bad Request\r\n\r\n", PROTOCOL),
    "a refusal": ("CONNECT", b"* BYE too many connections from your address\r\n", MailboxTrouble.BUSY),
    "no version": ("CAPABILITY", b"* CAPABILITY\r\nTAG OK\r\n", PROTOCOL),
    "no numbers": ("EXAMINE", b"* OK [UIDNEXT x] ok\r\n* x EXISTS\r\nTAG OK done\r\n", PROTOCOL),
    "a long line": ("SEARCH", b"* SEARCH " + b"1 " * 600_000 + b"\r\nTAG OK done\r\n", PROTOCOL),
    "more than a part": ("FETCH", b"* 1 FETCH (UID 1 BODY[]<0> {%d}\r\n" % (MESSAGE_BYTES + 1), PROTOCOL),
    "a part that ends": ("FETCH", b"* 1 FETCH (UID 1 BODY[]<0> {5000}\r\nFrom: mailer-daemon", CLOSED),
    "no line": ("FETCH", b"x" * 2_000_000, PROTOCOL),
}


def login_to(server: ImapServer, **changes: Any) -> ImapLogin:
    values = {"security": "none", "policy": HostPolicy(allow_private=True), "username": "ann", "password": "secret"}
    return ImapLogin(HOST, server.port, **(values | changes))


async def read(server: ImapServer, dialer: Dialer, cursor: str | None = None, **options: Any) -> Reading:
    found = await read_imap(login_to(server), dialer, cursor, LONG_AGO, **({"within": BUSY} | options))
    assert set(server.verbs) <= READS
    assert [line for line in server.lines if "FETCH" in line and "BODY.PEEK[" not in line] == []
    return found


def uids(found: Reading) -> list[int]:
    return [int(one.id.partition(":")[2]) for one in found.messages]


async def refusal_of(work: Awaitable[object]) -> tuple[MailboxTrouble, str]:
    with pytest.raises(MailboxUnreadable) as caught:
        await work
    return caught.value.trouble, str(caught.value)


async def refusal(login: ImapLogin, dialer: Dialer) -> tuple[MailboxTrouble, str]:
    return await refusal_of(check_imap(login, dialer, within=BUSY))


@pytest.fixture
async def server() -> AsyncIterator[ImapServer]:
    async with ImapServer() as server:
        yield server


class TestHosts:
    async def test_a_private_host_is_refused_before_a_connection(self, server: ImapServer, dialer: Dialer) -> None:
        found = await refusal(login_to(server, policy=HostPolicy(networks=())), replace(dialer, lookup=lookup_of(HOST)))
        assert found == (MailboxTrouble.HOST, f"the port {server.port} of 127.0.0.1 must be 143 or 993")
        login = replace(login_to(server), policy=HostPolicy(), host="imap.example.org", port=993)
        assert await refusal(login, replace(dialer, lookup=lookup_of(HOST))) == (
            MailboxTrouble.HOST,
            f"imap.example.org {PRIVATE_REFUSED}",
        )
        assert server.lines == []

    async def test_the_name_is_looked_up_once_and_its_certificate_checked(self, dialer: Dialer) -> None:
        async with ImapServer(tls="implicit") as server:
            login = login_to(server, security="tls")
            pinned = replace(dialer, lookup=lookup_of(HOST))
            await check_imap(replace(login, host="mx.example.com"), pinned, within=BUSY)
            trouble, words = await refusal(replace(login, host="mx.example.org"), pinned)
            assert trouble is MailboxTrouble.TLS
            assert words.startswith("the certificate of mx.example.org is not valid: Hostname mismatch")


class TestShares:
    async def test_an_organization_that_has_its_threads_waits_and_others_do_not(self, dialer: Dialer) -> None:
        ours, theirs = (HostPolicy(allow_private=True, caller=uuid4()) for _ in range(2))
        async with ImapServer() as hanging, ImapServer() as server, asyncio.TaskGroup() as group:
            hanging.hang("LOGIN")
            login = login_to(hanging, policy=ours)
            tasks = [group.create_task(check_imap(login, dialer, within=BUSY)) for _ in range(THREADS_EACH)]
            await until(lambda: hanging.verbs.count("LOGIN") == THREADS_EACH)
            tasks.append(group.create_task(check_imap(login_to(server, policy=ours), dialer, within=0.1)))
            await check_imap(login_to(server, policy=theirs), dialer, within=BUSY)
            await asyncio.sleep(0.2)
            assert not tasks[-1].done()  # its time has not begun
            assert server.verbs.count("LOGIN") == 1
            for task in tasks:
                task.cancel()


class TestSecurity:
    @pytest.mark.parametrize("tls", ["implicit", "starttls"])
    @pytest.mark.parametrize(
        ("certificate", "words"),
        [("wrong-name", "mismatch"), ("expired", "expired"), ("untrusted", "self-signed certificate|issuer")],
    )
    async def test_a_bad_certificate_is_refused(
        self, dialer: Dialer, tls: Any, certificate: Certificate, words: str
    ) -> None:
        async with ImapServer(tls=tls, certificate=certificate) as server:
            security = "tls" if tls == "implicit" else "starttls"
            found = await refusal(login_to(server, security=security), dialer)
            assert found[0] is MailboxTrouble.TLS
            assert found[1].startswith("the certificate of 127.0.0.1 is not valid")
            assert server.logins == []

    async def test_no_tls_where_it_was_asked_for_sends_no_password(self, server: ImapServer, dialer: Dialer) -> None:
        words = (MailboxTrouble.TLS, "127.0.0.1 does not offer STARTTLS")
        assert await refusal(login_to(server, security="starttls"), dialer) == words
        words = (MailboxTrouble.TLS, "127.0.0.1 ended the TLS handshake")
        assert await refusal(login_to(server, security="tls"), dialer) == words
        assert server.logins == []

    async def test_a_server_that_takes_starttls_back_gets_no_password(self, dialer: Dialer) -> None:
        async with ImapServer(tls="starttls") as server:
            server.answer("STARTTLS", "NO not today")
            found = await refusal(login_to(server, security="starttls"), dialer)
            assert found == (MailboxTrouble.TLS, "127.0.0.1 did not start TLS")
            assert server.logins == []

    async def test_a_greeting_that_signs_in_by_itself_ends_starttls(self, dialer: Dialer) -> None:
        async with ImapServer(tls="starttls") as server:
            server.send("CONNECT", b"* PREAUTH welcome\r\n")
            trouble, _ = await refusal(login_to(server, security="starttls"), dialer)
            assert trouble in (MailboxTrouble.TLS, MailboxTrouble.CLOSED)
            assert server.logins == []

    async def test_no_password_goes_to_a_public_host_in_clear(self, server: ImapServer) -> None:
        sock = socket.create_connection((HOST, server.port))
        session = ImapSession(login_to(server), sock, client_context(), BUSY, is_private_peer=False)
        with pytest.raises(MailboxUnreadable, match=r"the password was not sent to 127\.0\.0\.1 without TLS"):
            await asyncio.to_thread(session.run, lambda one: one.open())
        assert server.logins == []


class TestLogin:
    @pytest.mark.parametrize(
        ("answer", "trouble"),
        [
            ("NO [AUTHENTICATIONFAILED] Authentication failed.", MailboxTrouble.LOGIN),
            ("NO LOGIN failed.", MailboxTrouble.LOGIN),
            ("NO [UNAVAILABLE] Try again later", MailboxTrouble.BUSY),
            ("NO [ALERT] Too many simultaneous connections. (Failure)", MailboxTrouble.BUSY),
        ],
    )
    async def test_a_refusal_has_the_servers_words(
        self, server: ImapServer, dialer: Dialer, answer: str, trouble: MailboxTrouble
    ) -> None:
        server.answer("LOGIN", answer)
        said = answer.partition(" ")[2]
        assert await refusal(login_to(server), dialer) == (trouble, f"127.0.0.1 rejected the login: {said}")

    @pytest.mark.parametrize(
        ("username", "password", "verb"),
        [
            ("ann@example.org", 'se"cr\\et with spaces', "LOGIN"),
            ("corp\\ann", "secret", "AUTHENTICATE"),
            ("ann", "Geheimnis für Ännchen", "AUTHENTICATE"),
        ],
    )
    async def test_every_name_and_password_arrives(
        self, dialer: Dialer, username: str, password: str, verb: str
    ) -> None:
        async with ImapServer(users={username: password}) as server:
            await check_imap(login_to(server, username=username, password=password), dialer, within=BUSY)
            assert (server.logins, server.verbs[0]) == ([(username, password)], verb)

    @pytest.mark.parametrize(
        ("username", "password"), [("ann\r\nA1 DELETE INBOX", "x"), ("ann", "x\r\nA1 DELETE INBOX"), ("ann", "\x00")]
    )
    async def test_no_command_hides_in_a_login(
        self, server: ImapServer, dialer: Dialer, username: str, password: str
    ) -> None:
        found = await refusal(login_to(server, username=username, password=password), dialer)
        assert found == (MailboxTrouble.LOGIN, "127.0.0.1 accepts no such user name or password")
        assert server.verbs == []


class TestReading:
    async def test_what_is_no_report_is_not_read(self, server: ImapServer, dialer: Dialer) -> None:
        for message in (LETTER, UNKNOWN_USER, LETTER):
            server.add(message)
        assert uids(await read(server, dialer)) == [2]
        assert server.verbs == ["LOGIN", "EXAMINE", "SEARCH", "FETCH", "LOGOUT"]
        assert uids(await read(server, dialer, everything=True)) == [1, 2, 3]

    async def test_a_server_that_cannot_search_is_asked_for_headers(self, dialer: Dialer) -> None:
        async with ImapServer(searches=False) as server:
            for sample in REPORTS + NO_REPORTS:
                server.add(sample.message)
            samples = enumerate(REPORTS + NO_REPORTS, 1)
            may_be = [uid for uid, sample in samples if may_be_report(read_fields(sample.message))]
            assert uids(await read(server, dialer)) == may_be

    async def test_a_new_uidvalidity_begins_anew(self, dialer: Dialer) -> None:
        async with ImapServer(validity=7) as server:
            server.add(UNKNOWN_USER, BEFORE)
            server.add(UNKNOWN_USER)
            found = await read(server, dialer, "7:1")
            assert (uids(found), found.cursor) == ([2], "7:2")
            server.validity = 8
            found = await read(server, dialer, "7:2")
            assert (uids(found), found.cursor) == ([2], "8:2")

    @pytest.mark.parametrize("cursor", ["", "7:-1", f"7:{'9' * 5_000}"])
    async def test_a_cursor_that_is_none_begins_anew(self, dialer: Dialer, cursor: str) -> None:
        async with ImapServer(validity=7) as server:
            server.add(UNKNOWN_USER)
            assert uids(await read(server, dialer, cursor)) == [1]

    async def test_a_message_that_the_server_cannot_give_is_passed_over(
        self, server: ImapServer, dialer: Dialer
    ) -> None:
        for _ in range(3):
            server.add(UNKNOWN_USER)
        server.answer("FETCH", "NO [SERVERBUG] cannot read it", at=2)
        found = await read(server, dialer)
        assert (uids(found), found.cursor, found.has_more) == ([1, 3], "1:3", False)

    async def test_what_was_read_before_a_connection_is_lost_counts(self, server: ImapServer, dialer: Dialer) -> None:
        for _ in range(4):
            server.add(UNKNOWN_USER)
        server.close_at("FETCH", at=3)
        found = await read(server, dialer)
        assert (uids(found), found.cursor, found.has_more) == ([1, 2], "1:2", True)
        rest = await read(server, dialer, found.cursor)
        assert (uids(rest), rest.has_more) == ([3, 4], False)


class TestBadServers:
    @pytest.mark.parametrize("verb", ["CONNECT", "LOGIN", "FETCH"])
    async def test_a_connection_that_closes_is_told_apart(self, server: ImapServer, dialer: Dialer, verb: str) -> None:
        server.add(UNKNOWN_USER)
        server.close_at(verb)
        trouble, words = await refusal_of(read(server, dialer))
        assert (trouble, trouble.passes, words) == (CLOSED, True, "127.0.0.1 closed the connection")

    @pytest.mark.parametrize("verb", ["CONNECT", "FETCH"])
    async def test_a_server_that_hangs_is_left(self, server: ImapServer, dialer: Dialer, verb: str) -> None:
        server.add(UNKNOWN_USER)
        server.hang(verb)
        found = await refusal_of(read(server, dialer, within=0.5))
        assert found == (MailboxTrouble.UNREACHABLE, "127.0.0.1 did not respond in time")

    @pytest.mark.parametrize("tls", ["none", "implicit"])
    async def test_a_reading_that_is_cancelled_ends_its_connection(self, dialer: Dialer, tls: Any) -> None:
        async with ImapServer(tls=tls) as server:
            server.hang("EXAMINE")
            login = login_to(server, security="tls" if tls == "implicit" else "none")
            task = asyncio.create_task(check_imap(login, dialer, within=BUSY))
            await until(lambda: "EXAMINE" in server.verbs)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await until(lambda: server.open_connections == 0)

    @pytest.mark.parametrize("name", list(ODD_ANSWERS))
    async def test_no_bytes_break_the_reading(self, server: ImapServer, dialer: Dialer, name: str) -> None:
        verb, data, trouble = ODD_ANSWERS[name]
        server.add(UNKNOWN_USER)
        server.send(verb, data)
        found, words = await refusal_of(read(server, dialer))
        assert found is trouble, words
        assert words.startswith("127.0.0.1 ")
        assert not {"HTTP", "ESMTP"} & set(words.split())
