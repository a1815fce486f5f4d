"""Messages that follow each other on one connection, each begun behind the dot of the one before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.world import until
from tests.sending.conftest import MESSAGE, LoginTo, open_session
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.session import SmtpSession, Stale
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
