"""F24 to F28: servers that hang, drip, vanish, hang up, lie about who they are, and names that do not resolve."""

import asyncio
import contextlib
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.factories import account_on, make_account, make_mail
from tests.fakes.proxy import Proxy, Streams
from tests.fakes.smtp_server import HOST, SmtpServer, authority
from tests.fakes.stream_server import StreamServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet, impatient
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.senders import sending, sockets_to
from tests.faults.support.world import queue_mails, until, until_received, until_sent
from tests.figures import Figures
from tests.sending.conftest import PATIENT
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Content, Email, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT
from webapp.sending import host_policy
from webapp.sending.host_policy import ResolvedAddress

PATIENCE = 50.0  # seconds
LARGE = 10_000_000  # bytes; no buffer of a socket holds them
AT_ONCE = 3  # so many messages of this size are in the memory of a worker at once; others wait for their turn
SIGNED_IN = {"smtp_username": "acme", "password": "secret"}
pytestmark = pytest.mark.timeout(180)


async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say one byte of a greeting in a second."""
    with contextlib.suppress(OSError):
        for letter in b"220-" + 600 * b"a":
            writer.write(bytes([letter]))
            await writer.drain()
            await asyncio.sleep(1)


async def make_large_mail(org: Organization, account: Account) -> None:
    (row_id,) = await make_mail(org, account)
    content_id = (await MailLog.get(id=row_id)).content_id
    await Content.filter(id=content_id).update(html="<p>" + "a " * (LARGE // 2) + "</p>", text="Hello")
    await Email.filter(id=row_id).update(size=LARGE)


async def have_been_tried(accounts: Sequence[Account]) -> bool:
    """Whether a try of every account has ended."""
    await asyncio.sleep(0.1)
    mails = MailLog.across_orgs().filter(account_id__in=[account.id for account in accounts])
    return len(set(await mails.filter(error__isnull=False).values_list("account_id", flat=True))) == len(accounts)


async def test_f24_servers_that_hang_in_every_way_hold_up_no_good_one(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    each = 2
    async with (
        SmtpServer() as silent,
        SmtpServer(users={"acme": "secret"}) as login,
        SmtpServer() as deaf,
        StreamServer(drip) as dripping,
    ):
        silent.hang("GREETING")
        login.hang("AUTH")
        deaf.hang("BODY")
        accounts = [await account_on(server, rival) for server in (silent, dripping) for _ in range(each)]
        accounts += [await account_on(login, rival, **SIGNED_IN) for _ in range(each)]
        for account in accounts * 5:
            await make_mail(rival, account)
        for _ in range(AT_ONCE):
            accounts.append(await account_on(deaf, rival))
            await make_large_mail(rival, accounts[-1])
        good = await account_on(smtp_server, acme)
        await queue_mails(acme, good, 50)
        began = clock.elapsed()
        async with Fleet(impatient(settings)) as fleet:
            await until_sent(acme, PATIENCE)
            figures("seconds until the good account's mails were sent", clock.elapsed() - began, at_most=60)
            await eventually(lambda: have_been_tried(accounts), PATIENCE)
            await fleet.end()
        most = max(server.most_connections for server in (silent, login, deaf, dripping))
        figures("sockets to a bad server for each account", most / each, at_most=4)
        assert not await MailLog.of(rival).exclude(status=PENDING).exists()
    assert await check_invariants(acme, smtp_server, rows=50) == {SENT: 50}


@pytest.mark.parametrize("tries", [12, pytest.param(200, marks=pytest.mark.soak)])
async def test_f25_connections_that_die_without_a_word_are_given_up_and_leave_no_socket(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures, tries: int
) -> None:
    async def dial() -> Streams:
        return await asyncio.open_connection(HOST, smtp_server.port)

    async with Proxy(dial, lambda piece: proxy.silence() if b"PIPELINING" in piece else None) as proxy:
        accounts = [await make_account(acme, smtp_port=proxy.port, smtp_security="none") for _ in range(tries)]
        for account in accounts:
            await make_mail(acme, account)
        async with Fleet(impatient(settings)) as fleet:
            await eventually(lambda: have_been_tried(accounts), PATIENCE)
            await until(lambda: proxy.open_connections == 0, PATIENCE)
            figures("sockets left after all tries", sockets_to(proxy.port), exactly=0)
            await fleet.end()
        figures("tries", proxy.connections, exactly=tries)
    assert await check_invariants(acme, smtp_server, rows=tries) == {PENDING: tries}


@pytest.mark.parametrize(("mails", "each"), [(60, 10), pytest.param(2_000, 100, marks=pytest.mark.soak)])
async def test_f26_a_server_that_closes_connections_now_and_then_fails_and_doubles_nothing(
    acme: Organization, settings: Settings, figures: Figures, mails: int, each: int
) -> None:
    async with SmtpServer() as server, Fleet(settings) as fleet:
        server.close_after(each)
        account = await account_on(server, acme, daily_mail_limit=2 * mails)
        await queue_mails(acme, account, mails // 2)
        await until_sent(acme, PATIENCE)
        server.dismiss("421 4.4.2 you have been idle for too long")
        await queue_mails(acme, account, mails // 2, "late")
        await until_sent(acme, PATIENCE)
        await fleet.end()
        figures("mails that were sent", (await check_invariants(acme, server, rows=mails))[SENT], exactly=mails)
        figures("mails that arrived twice", duplicates(server), exactly=0)
        figures("connections", server.connections, at_least=mails // each)
    assert await MailLog.of(acme).filter(attempts=0, crashes=0).count() == mails


LIARS: dict[str, dict[str, Any]] = {
    "expired": {"tls": "starttls", "certificate": "expired"},
    "self-signed": {"tls": "implicit", "certificate": "untrusted"},
    "wrong name": {"tls": "starttls", "certificate": "wrong-name"},
    "STARTTLS stripped": {"tls": "none"},
}


async def test_f27_no_login_and_no_mail_is_given_to_a_server_that_does_not_prove_who_it_is(
    acme: Organization, rival: Organization, settings: Settings, tmp_path: Path, figures: Figures
) -> None:
    trusted = tmp_path / "authority.pem"
    authority().cert_pem.write_to_path(str(trusted))
    async with AsyncExitStack() as stack:
        servers, accounts = list[SmtpServer](), list[Account]()
        for options in LIARS.values():
            server = await stack.enter_async_context(SmtpServer(users={"acme": "secret"}, **options))
            security = "tls" if server.tls == "implicit" else "starttls"
            servers.append(server)
            accounts.append(await account_on(server, acme, smtp_security=security, **SIGNED_IN))
            await make_mail(acme, accounts[-1])
        honest = await stack.enter_async_context(SmtpServer(users={"acme": "secret"}, tls="starttls"))
        await make_mail(rival, await account_on(honest, rival, smtp_security="starttls", **SIGNED_IN))
        async with Fleet(settings, SSL_CERT_FILE=str(trusted)) as fleet:
            await eventually(lambda: have_been_tried(accounts), PATIENCE)
            await until_sent(rival, PATIENCE)
            await fleet.end()
        for name, server in zip(LIARS, servers, strict=True):
            assert not {"AUTH", "MAIL", "DATA"} & set(server.verbs), name
            assert server.logins == []
        for account in accounts:
            found = await Account.one_of(acme, account.id)
            assert (found.status, bool(found.last_error)) == ("error", True)
        assert await check_invariants(acme, *servers, rows=len(LIARS)) == {PENDING: len(LIARS)}
        figures("liars that were told a password or a mail", sum(bool(one.logins) for one in servers), exactly=0)
        figures("mails that a liar accepted", sum(len(one.messages) for one in servers), exactly=0)


class Names:
    """A name server in the test: names that fail, one that is slow, and one that moves."""

    def __init__(self, home: SmtpServer) -> None:
        self.moved_to = home

    async def look_up(self, host: str, port: int) -> list[ResolvedAddress]:
        if host.startswith("nowhere"):
            raise socket.gaierror(socket.EAI_NONAME, "")
        if host.startswith("broken"):
            raise socket.gaierror(socket.EAI_AGAIN, "")
        if host.startswith("slow"):
            await asyncio.sleep(10)
        if host.startswith("moving"):
            return [ResolvedAddress(socket.AF_INET, (HOST, self.moved_to.port))]
        return await host_policy.system_lookup(HOST, port)


async def test_f28_names_that_fail_or_hang_or_move_are_each_their_own_trouble(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    mails, names = 60, Names(smtp_server)
    hosts = [f"{name}{number}.example" for name in ("nowhere", "broken", "slow") for number in range(5)]
    bad = [await make_account(rival, smtp_host=host, smtp_port=2525, smtp_security="none") for host in hosts]
    for account in bad:
        await make_mail(rival, account)
    moving = await make_account(acme, smtp_host="moving.example", smtp_port=2525, smtp_security="none")
    await queue_mails(acme, moving, mails)
    smtp_server.close_after(5)
    async with SmtpServer() as other, sending(settings, names.look_up, replace(PATIENT, connect=4)):
        await until_received(smtp_server, mails // 3, PATIENCE)
        names.moved_to = other
        await until_sent(acme, PATIENCE)
        await eventually(lambda: have_been_tried(bad), PATIENCE)
        assert await check_invariants(acme, smtp_server, other, rows=mails) == {SENT: mails}
        assert other.messages
        figures("mails to the name that moved", len(smtp_server.messages) + len(other.messages), exactly=mails)
    status = {account.smtp_host: account.status for account in await Account.of(rival)}
    assert {status[host] for host in hosts if host.startswith("nowhere")} == {"error"}
    assert {status[host] for host in hosts if not host.startswith("nowhere")} == {"active"}
    assert await MailLog.of(rival).filter(status=PENDING, attempts=0).count() == len(bad)
