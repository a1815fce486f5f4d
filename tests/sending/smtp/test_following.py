"""Messages that follow each other on one connection, each offered behind the dot of the one before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from tests.fakes.smtp_server import HOST, SmtpServer, client_context
from tests.sending.conftest import MESSAGE, SHORT, LoginTo, go, until
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater
from webapp.sending.smtp.connect import Dialer, SmtpLogin, dial
from webapp.sending.smtp.pool import SmtpPool
from webapp.sending.smtp.session import Envelope, MayFollow, Proceed, Session, Stale

ADA, BOB, EVE = (Envelope("me@example.com", (f"{name}@example.org",)) for name in ("ada", "bob", "eve"))
DELIVERED = [Delivered(250, f"2.0.0 Ok: queued as {number}") for number in range(1, 4)]


@pytest.fixture
async def session(server: SmtpServer, dialer: Dialer, login_to: LoginTo) -> AsyncIterator[Session]:
    session = Session("mx.example.com", await dial(login_to(server), dialer), SHORT)
    yield session
    session.close()
    await session.closed


async def nothing() -> None:
    pass


class Line:
    """Envelopes that wait, and what became of those that went: a Relay. `meanwhile` happens before each goes on."""

    def __init__(self, *envelopes: Envelope, meanwhile: Callable[[], Awaitable[None]] = nothing) -> None:
        self.waiting, self.outcomes = list(envelopes), list[Outcome]()
        self._meanwhile = meanwhile

    def following(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        if not self.waiting or not may_follow(self.waiting[0], MESSAGE):
            return None
        return self.waiting.pop(0), MESSAGE

    async def concluded(self, outcomes: dict[str, Outcome]) -> None:
        self.outcomes += outcomes.values()
        await self._meanwhile()


async def send(session: Session, line: Line) -> list[Outcome]:
    """What became of all that go one after another."""
    first = line.waiting.pop(0)
    last = await asyncio.wait_for(session.send(first, MESSAGE, go, line), 20)
    return [*line.outcomes, *last.values()]


async def test_the_next_message_is_offered_before_it_is_sent(session: Session, server: SmtpServer) -> None:
    async def see() -> None:
        sent = len(server.messages)
        await until(lambda: server.verbs[-3:] == ["MAIL", "RCPT", "DATA"] and server.verbs.count("DATA") == sent + 1)
        assert len(server.messages) == sent

    assert await send(session, Line(ADA, BOB, EVE, meanwhile=see)) == DELIVERED
    assert [message.recipients for message in server.messages] == [[*one.recipients] for one in (ADA, BOB, EVE)]
    assert server.verbs == ["EHLO", *["MAIL", "RCPT", "DATA"] * 3]
    assert session.is_usable


async def test_what_is_offered_when_the_caller_gives_up_is_never_sent(session: Session, server: SmtpServer) -> None:
    async def fail() -> None:
        await until(lambda: server.verbs.count("DATA") == 2)
        raise OSError("the caller's own trouble")

    with pytest.raises(OSError, match="own trouble"):
        await send(session, Line(ADA, BOB, meanwhile=fail))
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
    assert await send(session, Line(EVE)) == DELIVERED[:1]
    server.delay("DOT", 0.2, times=1)
    sending = asyncio.create_task(send(session, Line(ADA, BOB)))
    await until(lambda: len(server.messages) == 2)
    server.reply(step, reply, times=1)
    assert await sending == [DELIVERED[1], expected]
    assert await send(session, Line(EVE)) == DELIVERED[2:]


async def test_a_refused_message_says_nothing_of_what_follows(session: Session, server: SmtpServer) -> None:
    server.reply("DOT", "554 5.7.1 no", times=1)
    refused, delivered = await send(session, Line(ADA, BOB))
    assert refused == Refused(554, "554 5.7.1 no", Phase.DOT)
    assert isinstance(delivered, Delivered)


async def test_a_connection_that_ends_meanwhile_takes_nothing_with_it(session: Session, server: SmtpServer) -> None:
    server.close_after(1)
    line = Line(ADA, BOB)
    with pytest.raises(Stale):
        await send(session, line)
    assert line.outcomes == DELIVERED[:1]


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
        outcomes = await asyncio.wait_for(session.send(ADA, MESSAGE, go), 20)
        assert outcomes == {"ada@example.org": Refused(550, "550 5.1.1 no such user", Phase.RCPT)}
        assert session.is_usable
        assert peer.heard.endswith(b"DATA\r\n.\r\nRSET\r\n")
        session.close()
        await session.closed


async def deliver(pool: SmtpPool, login: SmtpLogin, line: Line, proceed: Proceed = go) -> list[Outcome]:
    """What became of all that go one after another over a pool."""
    first = line.waiting.pop(0)
    last = await asyncio.wait_for(pool.deliver(login, first, MESSAGE, proceed, line), 20)
    return [*line.outcomes, *last.values()]


async def test_who_sends_many_stays_on_the_connection(pool: SmtpPool, server: SmtpServer, login_to: LoginTo) -> None:
    assert await deliver(pool, login_to(server), Line(ADA, BOB, EVE)) == DELIVERED
    assert (server.connections, len(server.messages)) == (1, 3)
    assert server.verbs.count("RSET") == 0


async def test_a_connection_carries_as_many_as_it_may(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool, line = SmtpPool(dialer, messages=2), Line(ADA, BOB, EVE)
    assert await deliver(pool, login_to(server), line) == DELIVERED[:2]
    assert line.waiting == [EVE]
    await pool.close()


async def test_a_halted_message_that_was_offered_is_not_sent(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    answers = [True, False]

    async def stop() -> bool:
        return answers.pop(0)

    assert await deliver(pool, login_to(server), Line(ADA, BOB), stop) == [DELIVERED[0], Halted()]
    await until(lambda: server.open_connections == 0)
    assert len(server.messages) == 1


async def test_an_offered_message_whose_connection_went_takes_a_new_one(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    server.close_after(1)
    assert all(isinstance(one, Delivered) for one in await deliver(pool, login_to(server), Line(ADA, BOB, EVE)))
    assert (server.connections, len(server.messages)) == (3, 3)


async def test_a_server_that_discards_what_is_behind_a_message_gets_the_next_one_by_itself(
    server: SmtpServer, login_to: LoginTo
) -> None:
    pool = SmtpPool(Dialer(replace(SHORT, command=0.5), client_context))

    async def begin_to_discard() -> bool:
        server.discards = True
        return True

    outcomes = await deliver(pool, login_to(server), Line(ADA, BOB), begin_to_discard)
    assert all(isinstance(one, Delivered) for one in outcomes)
    assert (server.connections, len(server.messages)) == (2, 2)
    await pool.close()


async def test_nothing_more_is_offered_by_a_login_that_was_edited(
    pool: SmtpPool, server: SmtpServer, login_to: LoginTo
) -> None:
    async def edit() -> None:
        await pool.deliver(login_to(server, host="localhost"), ADA, MESSAGE, go)

    line = Line(ADA, BOB, EVE, meanwhile=edit)
    assert len(await deliver(pool, login_to(server), line)) == 2
    assert line.waiting == [EVE]


async def test_a_closing_pool_cuts_who_keeps_outcomes(dialer: Dialer, server: SmtpServer, login_to: LoginTo) -> None:
    pool, kept = SmtpPool(dialer), asyncio.Event()

    async def keep() -> None:
        await kept.wait()

    delivering = asyncio.create_task(deliver(pool, login_to(server), Line(ADA, BOB, meanwhile=keep)))
    await until(lambda: server.verbs.count("DATA") == 2)
    await pool.close(0.1)
    await until(lambda: server.open_connections == 0)
    kept.set()
    first, second = await delivering
    assert isinstance(first, Delivered)
    assert isinstance(second, TryLater)
    assert len(server.messages) == 1
