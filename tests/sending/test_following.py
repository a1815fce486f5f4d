"""Messages that follow each other on one connection, each offered behind the dot of the one before."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.fakes.smtp_server import HOST, SmtpServer
from tests.sending.conftest import MESSAGE, SHORT, LoginTo, go, until
from webapp.sending.berth import Berth, MayFollow
from webapp.sending.dial import Dialer, dial
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater
from webapp.sending.pool import SmtpPool
from webapp.sending.smtp import Envelope, Session, Stale

ADA, BOB, EVE = (Envelope("me@example.com", (f"{name}@example.org",)) for name in ("ada", "bob", "eve"))
DELIVERED = [Delivered(250, f"2.0.0 Ok: queued as {number}") for number in range(1, 4)]


@pytest.fixture
async def session(server: SmtpServer, dialer: Dialer, login_to: LoginTo) -> AsyncIterator[Session]:
    session = Session("mx.example.com", await dial(login_to(server), dialer), SHORT)
    yield session
    session.close()
    await session.closed


async def send(session: Session, envelope: Envelope, following: Envelope | None = None) -> Outcome:
    found = None if following is None else (following, MESSAGE)
    (outcome,) = (await asyncio.wait_for(session.send(envelope, MESSAGE, go, lambda: found), 20)).values()
    return outcome


async def test_the_next_message_is_offered_before_it_is_sent(session: Session, server: SmtpServer) -> None:
    assert await send(session, ADA, BOB) == DELIVERED[0]
    await until(lambda: server.verbs[-3:] == ["MAIL", "RCPT", "DATA"] and server.verbs.count("DATA") == 2)
    assert session.has_begun
    assert len(server.messages) == 1
    assert await send(session, BOB, EVE) == DELIVERED[1]
    assert await send(session, EVE) == DELIVERED[2]
    assert not session.has_begun
    assert [message.recipients for message in server.messages] == [[*one.recipients] for one in (ADA, BOB, EVE)]
    assert server.verbs == ["EHLO", *["MAIL", "RCPT", "DATA"] * 3]


async def test_a_connection_with_a_message_offered_takes_no_other(session: Session, server: SmtpServer) -> None:
    await send(session, ADA, BOB)
    with pytest.raises(Stale):
        await send(session, EVE)
    assert not session.is_usable
    await until(lambda: server.open_connections == 0)
    assert len(server.messages) == 1


@pytest.mark.parametrize(
    ("step", "reply", "expected"),
    [
        ("MAIL", "451 4.3.0 later", TryLater(451, "451 4.3.0 later", Phase.MAIL, Blame.MESSAGE)),
        ("RCPT", "550 5.1.1 no such user", Refused(550, "550 5.1.1 no such user", Phase.RCPT)),
        ("DATA", "451 4.3.0 later", TryLater(451, "451 4.3.0 later", Phase.DATA, Blame.MESSAGE)),
    ],
)
async def test_what_follows_is_refused_for_itself(
    session: Session, server: SmtpServer, step: str, reply: str, expected: Outcome
) -> None:
    assert await send(session, EVE) == DELIVERED[0]
    server.delay("DOT", 0.2, times=1)
    sending = asyncio.create_task(send(session, ADA, BOB))
    await until(lambda: len(server.messages) == 2)
    server.reply(step, reply, times=1)
    assert await sending == DELIVERED[1]
    assert await send(session, BOB) == expected
    assert await send(session, EVE) == DELIVERED[2]


async def test_a_refused_message_says_nothing_of_what_follows(session: Session, server: SmtpServer) -> None:
    server.reply("DOT", "554 5.7.1 no", times=1)
    assert await send(session, ADA, BOB) == Refused(554, "554 5.7.1 no", Phase.DOT)
    assert isinstance(await send(session, BOB), Delivered)


async def test_a_connection_that_ends_meanwhile_takes_nothing_with_it(session: Session, server: SmtpServer) -> None:
    server.close_after(1)
    assert await send(session, ADA, BOB) == DELIVERED[0]
    with pytest.raises(Stale):
        await send(session, BOB)


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
        finally:
            writer.transport.abort()


async def test_data_that_is_allowed_for_nobody_is_ended_with_a_dot(dialer: Dialer, login_to: LoginTo) -> None:
    peer = Scripted(
        b"250-mx\r\n250 PIPELINING\r\n",
        b"250 ok\r\n550 5.1.1 no such user\r\n354 go on\r\n",
        b"554 5.5.1 no valid recipients\r\n",
        b"250 reset\r\n",
    )
    async with await asyncio.start_server(peer.serve, HOST, 0) as server:
        login = login_to(SmtpServer(), port=server.sockets[0].getsockname()[1])
        session = Session("mx", await dial(login, dialer), SHORT)
        assert await send(session, ADA) == Refused(550, "550 5.1.1 no such user", Phase.RCPT)
        assert session.is_usable
        assert peer.heard.endswith(b"DATA\r\n.\r\nRSET\r\n")
        session.close()
        await session.closed


class Line:
    """Envelopes that wait, for a berth."""

    def __init__(self, *envelopes: Envelope) -> None:
        self.waiting = list(envelopes)

    def next(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        if not self.waiting or not may_follow(self.waiting[0], MESSAGE):
            return None
        return self.waiting.pop(0), MESSAGE


async def test_who_has_a_berth_stays_on_the_connection(pool: SmtpPool, server: SmtpServer, login_to: LoginTo) -> None:
    berth = Berth(Line(BOB, EVE).next)
    for envelope in (ADA, BOB, EVE):
        (outcome,) = (await pool.deliver(login_to(server), envelope, MESSAGE, go, berth)).values()
        assert isinstance(outcome, Delivered)
    assert (server.connections, len(server.messages)) == (1, 3)
    assert server.verbs.count("RSET") == 0


async def test_who_leaves_a_berth_sends_nothing(pool: SmtpPool, server: SmtpServer, login_to: LoginTo) -> None:
    berth = Berth(Line(BOB).next)
    await pool.deliver(login_to(server), ADA, MESSAGE, go, berth)
    await until(lambda: server.verbs.count("DATA") == 2)
    berth.leave()
    await until(lambda: server.open_connections == 0)
    assert len(server.messages) == 1


async def test_a_halted_message_that_was_offered_is_not_sent(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    async def stop() -> bool:
        return False

    berth = Berth(Line(BOB).next)
    await pool.deliver(login_to(server), ADA, MESSAGE, go, berth)
    assert list((await pool.deliver(login_to(server), BOB, MESSAGE, stop, berth)).values()) == [Halted()]
    assert len(server.messages) == 1


async def test_an_offered_message_whose_connection_went_takes_a_new_one(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    berth = Berth(Line(BOB).next)
    server.close_after(1)
    await pool.deliver(login_to(server), ADA, MESSAGE, go, berth)
    (outcome,) = (await pool.deliver(login_to(server), BOB, MESSAGE, go, berth)).values()
    assert isinstance(outcome, Delivered)
    assert server.connections == 2


async def test_an_offered_message_leaves_by_the_edited_login(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    berth = Berth(Line(BOB).next)
    await pool.deliver(login_to(server), ADA, MESSAGE, go, berth)
    (outcome,) = (await pool.deliver(login_to(server, host="localhost"), BOB, MESSAGE, go, berth)).values()
    assert isinstance(outcome, Delivered)
    assert (server.connections, len(server.messages)) == (2, 2)


async def test_a_closing_pool_cuts_a_berth(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool, line = SmtpPool(dialer), Line(BOB)
    berth = Berth(line.next)
    await pool.deliver(login_to(server), ADA, MESSAGE, go, berth)
    await pool.close(0.1)
    await until(lambda: server.open_connections == 0)
    berth.leave()
    assert len(server.messages) == 1
