"""Messages that follow each other on one connection, each begun behind the dot of the one before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.fakes.smtp_server import SmtpServer, client_context
from tests.fakes.stream_server import StreamServer
from tests.sending.conftest import MESSAGE, SHORT, LoginTo, deliver, open_session, until
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater
from webapp.sending.smtp.connect import Dialer, Unreachable
from webapp.sending.smtp.pool import SmtpPool
from webapp.sending.smtp.session import Discarded, SmtpSession, Stale
from webapp.sending.smtp.transaction import Envelope, Transaction

ADA, BOB, EVE = (Envelope("me@example.com", (f"{name}@example.org",)) for name in ("ada", "bob", "eve"))
DELIVERED = [Delivered(250, f"2.0.0 Ok: queued as {number}") for number in range(1, 4)]


@pytest.fixture
async def session(server: SmtpServer, dialer: Dialer, login_to: LoginTo) -> AsyncIterator[SmtpSession]:
    session = await open_session(login_to(server), dialer)
    yield session
    session.close()
    await session.closed


async def send(
    session: SmtpSession, *envelopes: Envelope, between: Callable[[], Awaitable[None]] | None = None
) -> list[Outcome]:
    """The outcomes of messages to these, each begun behind the one before; `between` happens before each goes on."""
    transactions = [Transaction(envelope, MESSAGE) for envelope in envelopes]
    outcomes = list[Outcome]()
    async with asyncio.timeout(20):
        for transaction, following in zip(transactions, [*transactions[1:], None], strict=True):
            assert following is None or session.can_pipeline(following)
            if await session.begin(transaction):
                await session.finish(transaction, following)
            outcomes += transaction.outcomes.values()
            if between is not None and following is not None:
                await between()
    return outcomes


async def test_the_next_message_is_begun_before_it_is_sent(session: SmtpSession, server: SmtpServer) -> None:
    async def see() -> None:
        sent = len(server.messages)
        await until(lambda: server.verbs[-3:] == ["MAIL", "RCPT", "DATA"] and server.verbs.count("DATA") == sent + 1)
        assert len(server.messages) == sent

    assert await send(session, ADA, BOB, EVE, between=see) == DELIVERED
    assert [message.recipients for message in server.messages] == [[*one.recipients] for one in (ADA, BOB, EVE)]
    assert server.verbs == ["EHLO", *["MAIL", "RCPT", "DATA"] * 3]
    assert session.is_usable


@pytest.mark.parametrize(
    ("step", "reply", "expected"),
    [
        ("MAIL", "451 4.3.0 later", TryLater(451, "451 4.3.0 later", Phase.MAIL, Blame.MESSAGE)),
        ("RCPT", "550 5.1.1 no such user", Refused(550, "550 5.1.1 no such user", Phase.RCPT)),
        ("DATA", "451 4.3.0 later", TryLater(451, "451 4.3.0 later", Phase.DATA, Blame.MESSAGE)),
    ],
)
async def test_what_follows_is_refused_for_itself(
    session: SmtpSession, server: SmtpServer, step: str, reply: str, expected: Outcome
) -> None:
    assert await send(session, EVE) == DELIVERED[:1]
    server.delay("DOT", 0.2, times=1)
    sending = asyncio.create_task(send(session, ADA, BOB))
    await until(lambda: len(server.messages) == 2)
    server.reply(step, reply, times=1)
    assert await sending == [DELIVERED[1], expected]
    assert await send(session, EVE) == DELIVERED[2:]


async def test_a_connection_that_ends_takes_nothing_with_it(session: SmtpSession, server: SmtpServer) -> None:
    server.close_after(1)
    first, second = Transaction(ADA, MESSAGE), Transaction(BOB, MESSAGE)
    assert await session.begin(first)
    await session.finish(first, second)
    assert [*first.outcomes.values()] == DELIVERED[:1]
    with pytest.raises(Stale):
        await session.begin(second)
    assert not session.is_usable


async def test_what_was_begun_behind_a_message_can_be_abandoned(session: SmtpSession, server: SmtpServer) -> None:
    first, second = Transaction(ADA, MESSAGE), Transaction(BOB, MESSAGE)
    assert await session.begin(first)
    await session.finish(first, second)
    assert not session.is_usable  # for any other message than the second
    assert await session.begin(second)
    await session.abandon(second)
    assert [*second.outcomes.values()] == [Halted()]
    await until(lambda: server.open_connections == 0)
    assert len(server.messages) == 1


class Scripted:
    """A server that answers each group with what it was given; `heard` is what came in."""

    def __init__(self, *answers: bytes) -> None:
        self.answers, self.heard = list(answers), b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(b"220 mx\r\n")
            while self.answers and (data := await reader.read(10_000)):
                self.heard += data
                writer.write(self.answers.pop(0))
            await reader.read(10_000)
        except ConnectionError:
            pass


async def test_data_that_is_allowed_for_nobody_is_ended_with_a_dot(dialer: Dialer, login_to: LoginTo) -> None:
    peer = Scripted(
        b"250-mx\r\n250 PIPELINING\r\n",
        b"250 ok\r\n550 5.1.1 no such user\r\n354 go on\r\n",
        b"554 5.5.1 no valid recipients\r\n",
        b"250 reset\r\n",
    )
    async with StreamServer(peer.serve) as port:
        login = login_to(SmtpServer(), port=port)
        session = await open_session(login, dialer)
        assert await send(session, ADA) == [Refused(550, "550 5.1.1 no such user", Phase.RCPT)]
        assert session.is_usable
        assert peer.heard.endswith(b"DATA\r\n.\r\nRSET\r\n")
        session.close()
        await session.closed


async def test_a_connection_carries_as_many_as_it_may(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool = SmtpPool(dialer, messages=2)
    session = await pool.connect(login_to(server))
    assert pool.may_continue(session, 1)
    await send(session, ADA)
    assert not pool.may_continue(session, 1)
    await send(session, BOB)
    pool.release(session)
    await until(lambda: server.open_connections == 0)
    await pool.close()


async def test_nothing_more_goes_by_a_login_that_was_edited(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    session = await pool.connect(login_to(server))
    other = await pool.connect(login_to(server, host="localhost"))
    assert not pool.may_continue(session, 1)
    assert pool.may_continue(other, 1)
    pool.release(session)
    assert not session.is_usable
    pool.release(other)
    assert other.is_usable


async def test_a_server_that_discards_what_is_behind_a_message_gets_the_next_one_by_itself(
    server: SmtpServer, login_to: LoginTo
) -> None:
    pool = SmtpPool(Dialer(SHORT, client_context))
    login = login_to(server)
    session = await pool.connect(login)
    first, second = Transaction(ADA, MESSAGE), Transaction(BOB, MESSAGE)
    assert await session.begin(first)
    server.discards = True
    await session.finish(first, second)
    with pytest.raises(Discarded) as discarded:
        await session.begin(second)
    pool.discard(session, discarded.value)
    outcomes = await deliver(pool, login, BOB, MESSAGE)
    assert all(isinstance(one, Delivered) for one in (*first.outcomes.values(), *outcomes.values()))
    assert (server.connections, len(server.messages)) == (2, 2)
    await pool.close()


async def test_a_closing_pool_cuts_what_is_begun(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool = SmtpPool(dialer)
    session = await pool.connect(login_to(server))
    first, second = Transaction(ADA, MESSAGE), Transaction(BOB, MESSAGE)
    assert await session.begin(first)
    await session.finish(first, second)
    await until(lambda: server.verbs.count("DATA") == 2)
    await pool.close(0.1)
    await until(lambda: server.open_connections == 0)
    with pytest.raises(Stale):
        await session.begin(second)
    pool.discard(session, Stale())
    with pytest.raises(Unreachable, match="shutting down"):
        await pool.connect(login_to(server))
    assert len(server.messages) == 1
