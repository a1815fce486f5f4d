"""Idle connections: reused, replaced without blame, never more than allowed."""

import asyncio
from dataclasses import replace

import pytest

from tests.fakes.smtp_server import SmtpServer, client_context
from tests.faults.support.world import until
from tests.sending.conftest import MESSAGE, SHORT, LoginTo, deliver
from webapp.sending.outcomes import Blame, Delivered, Outcome, Phase, TryLater, Unknown
from webapp.sending.smtp.connect import Dialer, SmtpLogin
from webapp.sending.smtp.pool import SmtpPool

USERS = {"ada": "secret"}


async def deliver_many(pool: SmtpPool, login: SmtpLogin, count: int) -> list[Outcome]:
    return await asyncio.gather(*(deliver(pool, login) for _ in range(count)))


def all_delivered(outcomes: list[Outcome]) -> bool:
    return all(isinstance(outcome, Delivered) for outcome in outcomes)


async def test_accounts_have_connections_of_their_own(pool: SmtpPool, server: SmtpServer, login_to: LoginTo) -> None:
    await deliver(pool, login_to(server, account_id="one"))
    await deliver(pool, login_to(server, account_id="two"))
    assert server.connections == 2


BIG = b"Subject: big\r\n\r\n" + b"x" * 76 * 2_000 + b"\r\n"


@pytest.mark.parametrize("message", [MESSAGE, BIG])
async def test_a_server_that_discards_what_is_pipelined_hears_one_command_at_a_time(
    login_to: LoginTo, message: bytes
) -> None:
    pool = SmtpPool(Dialer(SHORT, client_context))
    async with SmtpServer(discards=True) as server, SmtpServer() as other:
        began = asyncio.get_running_loop().time()
        for _ in range(3):
            assert isinstance(await deliver(pool, login_to(server), message), Delivered)
        assert asyncio.get_running_loop().time() - began < 2 * SHORT.command + 1
        assert (len(server.messages), server.connections) == (3, 2)
        login = login_to(other, account_id="other")
        assert all_delivered(await deliver_many(pool, login, 2))
        await pool.close()


@pytest.mark.parametrize("fault", ["drop", "421"])
async def test_a_connection_that_went_while_idle_is_replaced_without_blame(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo, fault: str
) -> None:
    login = login_to(server, concurrency=1)
    await deliver(pool, login)
    if fault == "drop":
        server.drop("MAIL", times=1)
    else:
        server.reply("MAIL", "421 4.4.2 idle for too long", times=1, close=True)
    for _ in range(2):
        assert isinstance(await deliver(pool, login), Delivered)
    assert (server.connections, len(server.messages)) == (2, 3)


async def test_what_was_in_doubt_is_never_repeated(pool: SmtpPool, server: SmtpServer, login_to: LoginTo) -> None:
    login = login_to(server)
    await deliver(pool, login)
    server.drop("DOT", times=1)
    assert isinstance(await deliver(pool, login), Unknown)
    assert len(server.messages) == 2
    assert server.verbs.count("MAIL") == 2


async def test_a_wrong_password_is_tried_once_by_many(pool: SmtpPool, login_to: LoginTo) -> None:
    async with SmtpServer(users=USERS) as server:
        login = login_to(server, username="ada", password="wrong")
        outcomes = await deliver_many(pool, login, 20)
        assert {outcome.blame for outcome in outcomes if isinstance(outcome, TryLater)} == {Blame.MISCONFIGURED}
        assert len(outcomes) == 20
        assert server.logins == [("ada", "wrong")]
        assert server.connections == 1
        await deliver(pool, login)  # who comes later tries again
        assert len(server.logins) == 2


async def test_the_first_connection_signs_in_alone(pool: SmtpPool, login_to: LoginTo) -> None:
    async with SmtpServer(users=USERS) as server:
        server.delay("AUTH", 0.3, times=1)
        server.delay("DOT", 0.05)
        sending = asyncio.create_task(deliver_many(pool, login_to(server, username="ada", password="secret"), 4))
        await until(lambda: "AUTH" in server.verbs)
        assert server.open_connections == 1
        assert all_delivered(await sending)
        assert server.most_connections == 4


async def test_an_edited_login_drops_the_old_connections(pool: SmtpPool, login_to: LoginTo) -> None:
    async with SmtpServer(users={"ada": "secret", "bob": "secret"}) as server:
        login = login_to(server, username="ada", password="secret")
        await deliver(pool, login)
        await deliver(pool, replace(login, username="bob"))
        assert [message.user for message in server.messages] == ["ada", "bob"]
        await until(lambda: server.open_connections == 1)


async def test_close_waits_for_what_is_in_flight_and_no_longer(
    dialer: Dialer, server: SmtpServer, login_to: LoginTo
) -> None:
    pool = SmtpPool(dialer)
    server.delay("DOT", 0.3, times=1)
    server.hang("DOT")
    quick = asyncio.create_task(deliver(pool, login_to(server)))
    await until(lambda: len(server.messages) == 1)
    slow = asyncio.create_task(deliver(pool, login_to(server)))
    await until(lambda: len(server.messages) == 2)
    async with asyncio.timeout(30):
        await pool.close(3)
        assert isinstance(await quick, Delivered)
        assert isinstance(await slow, Unknown)
    later = await deliver(pool, login_to(server))
    assert later == TryLater(None, "the worker is shutting down", Phase.CONNECT, Blame.UNREACHABLE)


async def test_a_connection_ends_after_its_messages(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool = SmtpPool(dialer, messages=3)
    for _ in range(7):
        await deliver(pool, login_to(server))
    await until(lambda: server.verbs.count("QUIT") == 2)
    assert server.connections == 3
    await pool.close()


async def test_an_idle_connection_is_ended(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool = SmtpPool(dialer, idle_seconds=0.05)
    await deliver(pool, login_to(server))
    await until(lambda: server.open_connections == 0)
    assert server.verbs[-1] == "QUIT"
    assert isinstance(await deliver(pool, login_to(server)), Delivered)
    await pool.close()
