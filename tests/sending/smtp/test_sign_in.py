"""Signing in where others get in, and never trying a password more often than need be."""

import pytest

from tests.fakes.smtp_server import HOST, SmtpServer
from tests.sending.conftest import LoginTo, deliver
from webapp.sending.outcomes import Blame, Delivered, Phase, TryLater
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool, try_login

USERS = {"ada": "secret"}
SIGNED_IN = {"username": "ada", "password": "secret"}


def mechanisms(server: SmtpServer) -> list[str]:
    """The mechanisms that were tried, in order."""
    return [command.line.split()[1] for command in server.commands if command.verb == "AUTH"]


@pytest.mark.parametrize(("users", "auth"), [(None, ()), (USERS, ("XOAUTH2",))])
async def test_a_server_without_a_login_for_us_is_a_persons_business(
    login_to: LoginTo, dialer: Dialer, users: dict[str, str] | None, auth: tuple[str, ...]
) -> None:
    async with SmtpServer(users=users, auth=auth) as server:
        outcome = await try_login(login_to(server, **SIGNED_IN), dialer)
        words = f"{HOST} does not support password sign-in"
        assert outcome == TryLater(None, words, Phase.LOGIN, Blame.MISCONFIGURED)


ALL = ("CRAM-MD5", "PLAIN", "LOGIN")


@pytest.mark.parametrize(
    ("auth", "refused", "tried"),
    [
        (ALL, (), ["CRAM-MD5"]),
        (ALL, ("CRAM-MD5",), ["CRAM-MD5", "PLAIN"]),
        (("LOGIN", "CRAM-MD5"), ("CRAM-MD5",), ["CRAM-MD5", "LOGIN"]),
    ],
)
async def test_a_private_server_that_refuses_cram_md5_lets_us_in_by_another_mechanism(
    login_to: LoginTo, dialer: Dialer, auth: tuple[str, ...], refused: tuple[str, ...], tried: list[str]
) -> None:
    async with SmtpServer(users=USERS, auth=auth, refused_auth=refused) as server:
        assert await try_login(login_to(server, **SIGNED_IN), dialer) is None
        assert mechanisms(server) == tried


@pytest.mark.parametrize(("auth", "refusals"), [(ALL, 2), (("CRAM-MD5",), 1), (("PLAIN", "LOGIN"), 1)])
async def test_a_wrong_password_is_refused_twice_at_most(
    login_to: LoginTo, dialer: Dialer, auth: tuple[str, ...], refusals: int
) -> None:
    async with SmtpServer(users=USERS, auth=auth) as server:
        outcome = await try_login(login_to(server, username="ada", password="wrong"), dialer)
        words = f"{HOST} rejected the login: 535 5.7.8 wrong user name or password"
        assert outcome == TryLater(535, words, Phase.LOGIN, Blame.MISCONFIGURED)
        assert len(server.logins) == refusals


async def test_a_mechanism_that_let_us_in_is_the_first_one_of_the_next_connections(
    pool: SmtpPool, login_to: LoginTo
) -> None:
    async with SmtpServer(users=USERS, auth=ALL, refused_auth=("CRAM-MD5",)) as server:
        server.close_after(1)
        for _ in range(3):
            assert isinstance(await deliver(pool, login_to(server, **SIGNED_IN)), Delivered)
        assert mechanisms(server) == ["CRAM-MD5", "PLAIN", "PLAIN", "PLAIN"]


@pytest.mark.parametrize("auth", [("LOGIN",), ("PLAIN",), ("PLAIN", "LOGIN")])
async def test_a_server_that_takes_no_initial_response_is_answered_its_challenges(
    login_to: LoginTo, dialer: Dialer, auth: tuple[str, ...]
) -> None:
    async with SmtpServer(tls="starttls", users=USERS, auth=auth, initial_responses=False) as server:
        assert await try_login(login_to(server, **SIGNED_IN), dialer) is None
        assert server.logins == [("ada", "secret")]
        outcome = await try_login(login_to(server, username="ada", password="wrong"), dialer)
        words = f"{HOST} rejected the login: 535 5.7.8 wrong user name or password"
        assert outcome == TryLater(535, words, Phase.LOGIN, Blame.MISCONFIGURED)
        assert server.logins == [("ada", "secret"), ("ada", "wrong")]


@pytest.mark.parametrize("reply", ["501 5.5.4 we sql no such thing", "504 5.5.4 not today", "502 never"])
async def test_a_login_that_fails_shows_the_servers_own_words(login_to: LoginTo, dialer: Dialer, reply: str) -> None:
    async with SmtpServer(tls="starttls", users=USERS) as server:
        server.reply("AUTH", reply)
        outcome = await try_login(login_to(server, **SIGNED_IN), dialer)
        words = f"{HOST} rejected the login: {reply}"
        assert outcome == TryLater(int(reply[:3]), words, Phase.LOGIN, Blame.MISCONFIGURED)
