"""Connecting, securing and signing in: what is promised about certificates and passwords (F27, S41 to S43)."""

import asyncio
import socket
from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.smtp_server import HOST, SmtpServer, client_context
from tests.sending.conftest import SHORT, LoginTo, deliver, lookup_of
from webapp.sending import host_policy
from webapp.sending.host_policy import HostPolicy, ResolvedAddress
from webapp.sending.outcomes import Blame, Delivered, Phase, TryLater
from webapp.sending.smtp.connect import Dialer, SmtpLogin
from webapp.sending.smtp.pool import SmtpPool, try_login

USERS = {"ada": "secret"}
SIGNED_IN = {"username": "ada", "password": "secret"}


@pytest.mark.parametrize(
    ("tls", "security"),
    [("none", "auto"), ("none", "none"), ("starttls", "auto"), ("starttls", "starttls"), ("implicit", "tls")],
)
@pytest.mark.parametrize("users", [None, USERS])
async def test_every_way_to_a_server(
    pool: SmtpPool, login_to: LoginTo, tls: Any, security: str, users: dict[str, str] | None
) -> None:
    async with SmtpServer(tls=tls, users=users) as server:
        login = login_to(server, security=security, **(SIGNED_IN if users else {}))
        assert isinstance(await deliver(pool, login), Delivered)
        (message,) = server.messages
        assert (message.is_secure, message.user) == (tls != "none", "ada" if users else None)


async def test_auto_begins_with_tls_on_port_465_and_on_no_other(login_to: LoginTo) -> None:
    async with SmtpServer(tls="implicit") as implicit, SmtpServer(tls="starttls") as starttls:
        servers = {465: implicit, 587: starttls, 2525: starttls}

        async def lookup(_host: str, port: int) -> list[ResolvedAddress]:
            """The test's server stands where the named one would: no port below 1024 is a test's to take."""
            return [ResolvedAddress(socket.AF_INET, (HOST, servers[port].port))]

        dialer = Dialer(tls=client_context, lookup=lookup)
        for port, server in servers.items():
            login = login_to(server, host="mx.example.com", port=port, security="auto")
            assert await try_login(login, dialer) is None
        assert "STARTTLS" not in implicit.verbs
        assert starttls.verbs.count("STARTTLS") == 2


async def test_a_certificate_is_judged_by_the_name_not_by_the_address(login_to: LoginTo) -> None:
    dialer = Dialer(tls=client_context, lookup=lookup_of(HOST))
    async with SmtpServer(tls="starttls") as server:
        assert await try_login(login_to(server, host="mx.example.com"), dialer) is None
        assert await try_login(login_to(server, host="mx.example.com."), dialer) is None
        outcome = await try_login(login_to(server, host="mail.example.com"), dialer)
        assert outcome is not None
        assert "mail.example.com" in outcome.text
        assert outcome.blame is Blame.MISCONFIGURED


async def test_starttls_that_is_wanted_and_not_offered_is_a_persons_business(pool: SmtpPool, login_to: LoginTo) -> None:
    async with SmtpServer(users=USERS) as server:
        outcome = await deliver(pool, login_to(server, security="starttls", **SIGNED_IN))
        assert outcome == TryLater(None, f"{HOST} does not offer STARTTLS", Phase.TLS, Blame.MISCONFIGURED)
        assert server.logins == []


@pytest.mark.parametrize("security", ["auto", "none"])
async def test_no_password_in_clear_but_to_an_allowed_private_address(
    pool: SmtpPool, login_to: LoginTo, security: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The one address of the tests stands for a public one here: no other can be dialled.
    monkeypatch.setattr(host_policy, "is_private", lambda _: False)
    async with SmtpServer(users=USERS) as server:
        outcome = await deliver(pool, login_to(server, security=security, **SIGNED_IN))
        assert isinstance(outcome, TryLater)
        assert outcome.blame is Blame.MISCONFIGURED
        assert outcome.text.startswith(f"the password was not sent to {HOST} without TLS: ")
        assert (server.logins, server.verbs) == ([], ["EHLO"])


@pytest.mark.parametrize("reply", ["454 4.7.0 TLS not available", "502 5.5.1 not today", "220 ok"])
async def test_starttls_that_fails_never_falls_back_to_clear_text(login_to: LoginTo, reply: str) -> None:
    pool = SmtpPool(Dialer(SHORT, client_context))
    async with SmtpServer(tls="starttls") as server:
        server.reply("STARTTLS", reply)
        outcome = await deliver(pool, login_to(server))
        assert isinstance(outcome, TryLater)
        assert outcome.phase is Phase.TLS
        assert outcome.blame is (Blame.MISCONFIGURED if reply.startswith("502") else Blame.UNREACHABLE)
        assert "MAIL" not in server.verbs


async def test_the_banner_of_another_service_is_not_shown(login_to: LoginTo, dialer: Dialer) -> None:
    async with SmtpServer() as server:
        server.reply("GREETING", "SSH-2.0-OpenSSH_9.6 internal")
        outcome = await try_login(login_to(server), dialer)
        words = f"{HOST} did not respond like an SMTP server"
        assert outcome == TryLater(None, words, Phase.CONNECT, Blame.UNREACHABLE)


async def test_closed_and_silent_ports_fail_in_the_same_words_after_the_same_time(login_to: LoginTo) -> None:
    uniform_failure_delay, took = 0.3, []
    async with SmtpServer() as server:
        closed = login_to(server)
    silent, filling = socket.socket(), [socket.socket() for _ in range(4)]
    silent.bind((HOST, 0))
    silent.listen(0)
    for one in filling:  # whoever comes when its queue is full gets no answer
        one.setblocking(False)
        one.connect_ex(silent.getsockname())
    try:
        for port in (closed.port, silent.getsockname()[1]):
            login, began = replace(closed, port=port), asyncio.get_running_loop().time()
            outcome = await try_login(login, Dialer(uniform_failure_delay=uniform_failure_delay))
            took.append(asyncio.get_running_loop().time() - began)
            words = f"could not connect to {HOST}:{port}. Check the host and port"
            assert outcome == TryLater(None, words, Phase.CONNECT, Blame.UNREACHABLE)
    finally:
        for one in (silent, *filling):
            one.close()
    assert min(took) >= uniform_failure_delay
    assert max(took) < uniform_failure_delay + 0.5


async def test_a_name_that_changes_its_mind_is_refused_at_the_next_dial() -> None:
    answers = ["8.8.8.8", "127.0.0.1"]

    async def lookup(_host: str, port: int) -> list[ResolvedAddress]:
        return [ResolvedAddress(socket.AF_INET, (answers.pop(0), port))]

    await host_policy.resolve("mx.example.com", 587, HostPolicy(), lookup=lookup)
    outcome = await try_login(SmtpLogin("a", "mx.example.com", 587), Dialer(lookup=lookup))
    words = f"mx.example.com {host_policy.PRIVATE_REFUSED}"
    assert outcome == TryLater(None, words, Phase.CONNECT, Blame.MISCONFIGURED)
    assert answers == []


async def test_the_next_address_is_tried_where_the_first_is_dead(login_to: LoginTo) -> None:
    async def lookup(_host: str, port: int) -> list[ResolvedAddress]:
        families = (
            (socket.AF_INET, ("127.0.0.2", 1)),
            (socket.AF_INET6 + 9_999, (HOST, port)),
            (socket.AF_INET, (HOST, port)),
        )
        return [ResolvedAddress(*one) for one in families]

    async with SmtpServer() as server:
        assert await try_login(login_to(server, host="mx.example.com"), Dialer(lookup=lookup)) is None


def test_a_login_keeps_its_password_to_itself() -> None:
    assert "secret" not in repr(SmtpLogin("a", HOST, 25, "auto", "ada", "secret"))
