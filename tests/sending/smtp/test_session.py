"""One message over one connection: every step can break, and it is known which one did."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.world import until
from tests.sending.conftest import ADA, MESSAGE, LoginTo, open_session
from tests.sending.conftest import send as send_message
from tests.sending.mime.test_message import slots
from webapp.addresses import Address
from webapp.sending.mime.message import MessageContent, MessageTemplate
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater, Unknown
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.session import SmtpSession
from webapp.sending.smtp.transaction import Envelope, Transaction

THREE = Envelope("me@example.com", ("ada@example.org", "bob@example.org", "eve@example.org"))
BIG = b"Subject: big\r\n\r\n" + b"x" * 76 * 40_000 + b"\r\n"


@pytest.fixture
async def session(server: SmtpServer, dialer: Dialer, login_to: LoginTo) -> AsyncIterator[SmtpSession]:
    session = await open_session(login_to(server), dialer, host="mx.example.com")
    yield session
    session.close()
    await session.closed


async def send(session: SmtpSession, envelope: Envelope = ADA, message: bytes = MESSAGE) -> dict[str, Outcome]:
    return await send_message(session, envelope, message)


async def test_each_recipient_has_an_outcome_of_its_own(session: SmtpSession, server: SmtpServer) -> None:
    server.refuse("bob@example.org", "550 5.1.1 no such user")
    server.refuse("eve@example.org", "450 4.2.0 greylisted")
    assert await send(session, THREE) == {
        "ada@example.org": Delivered(250, "2.0.0 Ok: queued as 1"),
        "bob@example.org": Refused(550, "550 5.1.1 no such user", Phase.RCPT),
        "eve@example.org": TryLater(450, "450 4.2.0 greylisted", Phase.RCPT, Blame.MESSAGE),
    }
    assert server.recipients() == ["ada@example.org"]
    assert "RSET" not in server.verbs


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "DOT"])
@pytest.mark.parametrize(
    ("reply", "blame"),
    [
        ("451 4.3.0 later", Blame.MESSAGE),
        ("421 4.7.0 too fast", Blame.THROTTLED),
        ("530 5.7.0 sign in first", Blame.MISCONFIGURED),
        ("550 5.7.1 not welcome", None),
    ],
)
@pytest.mark.parametrize("pipelining", [True, False])
async def test_an_answer_is_classified_in_its_phase(
    session: SmtpSession, server: SmtpServer, step: str, reply: str, blame: Blame | None, *, pipelining: bool
) -> None:
    if not pipelining:
        del session._extensions["pipelining"]
    server.reply(step, reply)
    code, phase = int(reply[:3]), Phase(step.lower())
    if blame is Blame.MISCONFIGURED and phase is not Phase.MAIL:
        blame = Blame.SIGN_IN
    expected = TryLater(code, reply, phase, blame) if blame else Refused(code, reply, phase)
    assert await send(session, THREE) == dict.fromkeys(THREE.recipients, expected)
    assert session.is_usable == (code != 421)
    assert server.messages == [] or step == "DOT"


@pytest.mark.parametrize(
    ("step", "blame"),
    [("MAIL", Blame.UNREACHABLE), ("RCPT", Blame.UNREACHABLE), ("DATA", Blame.MESSAGE), ("DOT", None)],
)
async def test_a_drop_before_the_dot_is_later_and_after_it_unknown(
    session: SmtpSession, server: SmtpServer, step: str, blame: Blame | None
) -> None:
    server.drop(step)
    words, phase = "mx.example.com closed the connection", Phase(step.lower())
    expected = TryLater(None, words, phase, blame) if blame else Unknown(words, phase)
    assert await send(session) == {"ada@example.org": expected}
    assert not session.is_usable


async def test_a_drop_in_a_big_body_is_no_doubt(session: SmtpSession, server: SmtpServer) -> None:
    server.drop("BODY")
    outcome = (await send(session, message=BIG))["ada@example.org"]
    assert (type(outcome), outcome.phase) == (TryLater, Phase.DATA)


async def test_an_early_refusal_of_a_big_body_is_heard(session: SmtpSession, server: SmtpServer) -> None:
    server.reply("BODY", "552 5.3.4 too big", close=False)
    outcome = (await send(session, message=BIG))["ada@example.org"]
    assert outcome == Refused(552, "552 5.3.4 too big", Phase.DATA)


@pytest.mark.parametrize("pipelining", [True, False])
async def test_a_stop_at_the_last_moment_hands_nothing_over(
    session: SmtpSession, server: SmtpServer, *, pipelining: bool
) -> None:
    if not pipelining:
        del session._extensions["pipelining"]

    server.refuse("bob@example.org")
    transaction = Transaction(THREE, MESSAGE)
    assert await session.begin(transaction)
    assert server.verbs[-1] == ("DATA" if pipelining else "RCPT")
    await session.abandon(transaction)
    refused = Refused(550, "550 5.1.1 no such user", Phase.RCPT)
    ada, bob, eve = THREE.recipients
    assert transaction.outcomes == {ada: Halted(), bob: refused, eve: Halted()}
    assert session.is_usable != pipelining  # in the middle of DATA there is no way but to hang up
    await until(lambda: server.open_connections == (0 if pipelining else 1))
    assert server.messages == []
    assert pipelining or server.verbs[-1] == "RSET"


async def test_smtputf8_is_said_where_it_is_offered(session: SmtpSession, server: SmtpServer) -> None:
    envelope = Envelope("me@example.com", ("josé@example.org",))
    assert isinstance((await send(session, envelope))["josé@example.org"], Delivered)
    assert "SMTPUTF8" in server.messages[0].options
    await send(session)
    assert "SMTPUTF8" not in server.messages[1].options


async def test_an_address_beyond_ascii_fails_plainly_where_it_is_not_offered(dialer: Dialer, login_to: LoginTo) -> None:
    async with SmtpServer(smtputf8=False) as server:
        session = await open_session(login_to(server), dialer, host="mx.example.com")
        outcomes = await send(session, Envelope("me@example.com", ("josé@example.org",)))
        reason = "mx.example.com does not accept non-ASCII addresses (no SMTPUTF8 support)"
        assert outcomes == {"josé@example.org": Refused(None, reason, Phase.MAIL)}
        assert server.verbs == ["EHLO"]
        session.close()


async def test_a_message_over_the_servers_size_is_not_even_offered(dialer: Dialer, login_to: LoginTo) -> None:
    async with SmtpServer(size=1000) as server:
        session = await open_session(login_to(server), dialer)
        (outcome,) = (await send(session, message=b"x" * 2000)).values()
        assert outcome == Refused(None, "the message has 2,000 bytes, but mx accepts at most 1,000", Phase.MAIL)
        await send(session)
        assert server.messages[0].options == [f"SIZE={len(MESSAGE)}"]
        session.close()


@pytest.mark.parametrize(
    "evil", ["a@x>\r\nRCPT TO:<e@y", "a@x> SIZE=1", "a\n@x", "a@x\0", "<a@x", "a b@x", "a@x\u2028", "a\ud800@x"]
)
async def test_an_address_says_no_commands(session: SmtpSession, server: SmtpServer, evil: str) -> None:
    for envelope in (Envelope(evil, ("ada@example.org",)), Envelope("me@example.com", (evil,))):
        (outcome,) = (await send(session, envelope)).values()
        assert isinstance(outcome, Refused)
    assert server.verbs == ["EHLO"]


LINE_ENDS = (b"\n", b"\r", b"\r\n")
ENDS = [b"\r\n\0.\r\n", *(before + b"." + after for before in LINE_ENDS for after in LINE_ENDS)]
SMUGGLED = b"MAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@example.org>\r\nDATA\r\nSubject: forged\r\n\r\nx\r\n.\r\n"


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("lenient", [True, False])
async def test_no_body_smuggles_a_second_message(
    dialer: Dialer, login_to: LoginTo, end: bytes, *, lenient: bool
) -> None:
    async with SmtpServer(lenient_ends=lenient) as server:
        session = await open_session(login_to(server), dialer)
        evil = b"Subject: x\r\n\r\nhello" + end + SMUGGLED
        content = MessageContent(Address("", "me@example.com"), "x", text=evil.decode(), html=evil.decode())
        for message in (evil, MessageTemplate(content).render(slots())):
            assert isinstance((await send(session, message=message))["ada@example.org"], Delivered)
        session.close()
        assert len(server.messages) == 2
        assert server.verbs == ["EHLO", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA"]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.sampled_from([b"\r", b"\n", b".", b"a", b"\r\n.", b"\r\nMAIL FROM:<x@y>"]), max_size=30))
async def test_any_bytes_arrive_as_one_message(session: SmtpSession, server: SmtpServer, pieces: list[bytes]) -> None:
    before = len(server.messages)
    message = b"".join(pieces)
    assert isinstance((await send(session, message=message))["ada@example.org"], Delivered)
    assert len(server.messages) == before + 1
    assert server.messages[-1].content.replace(b"\r\n", b"\n").rstrip(b"\n") == (
        message.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")
    )
    assert set(server.verbs) == {"EHLO", "MAIL", "RCPT", "DATA"}


async def test_a_big_message_arrives_whole(session: SmtpSession, server: SmtpServer) -> None:
    assert isinstance((await send(session, message=BIG))["ada@example.org"], Delivered)
    assert server.messages[0].content == BIG
