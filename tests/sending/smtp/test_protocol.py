"""Replies however a server writes them, and messages as they stand on the wire."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.smtp_server import HOST
from tests.fakes.stream_server import StreamServer
from tests.sending.conftest import ADA, MESSAGE, PATIENT, send
from webapp.sending.mime.line_endings import DOT, dot_stuff
from webapp.sending.outcomes import Phase, Refused
from webapp.sending.smtp.connect import SignedInConnection, SmtpLogin
from webapp.sending.smtp.protocol import ConnectionLost, SmtpProtocol
from webapp.sending.smtp.session import SmtpSession


class Peer:
    """A server that gives these answers, whatever it reads."""

    def __init__(self, *answers: bytes) -> None:
        self.answers, self.heard = list(answers), b""

    async def __aenter__(self) -> SmtpProtocol:
        self.server = StreamServer(self.serve)
        await self.server.start()
        transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, HOST, self.server.port)
        self.protocol = SmtpProtocol(transport)
        return self.protocol

    async def __aexit__(self, *_: object) -> None:
        self.protocol.close()
        await self.protocol.closed
        await self.server.stop()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (data := await reader.read(1000)) and self.answers:
                self.heard += data
                answer = self.answers.pop(0)
                step = 1 + len(answer) // 100
                for start in range(0, len(answer), step):
                    writer.write(answer[start : start + step])
                    await asyncio.sleep(0)
        except ConnectionError:
            pass


async def test_replies_are_put_together_however_they_arrive() -> None:
    async with Peer(b"250-mx\r\n250-PIPELINING\r\n250 SIZE 5\r\n250 ok\n550 5.1.1 n\xf6\r\n354\r\n") as protocol:
        replies = await protocol.command(b"x\r\n", 2, replies=4)
        assert replies == [(250, "mx PIPELINING SIZE 5"), (250, "ok"), (550, "5.1.1 n\ufffd"), (354, "")]
        assert protocol.is_usable


@pytest.mark.parametrize("answer", [b"hello\r\n", b"\r\n", b"999 x\r\n", b"25\r\n", b"HTTP/1.1 400 Bad Request\r\n"])
async def test_what_is_not_smtp_ends_the_connection(answer: bytes) -> None:
    async with Peer(answer) as protocol:
        with pytest.raises(ConnectionLost, match="not SMTP"):
            await protocol.command(b"x\r\n", 2)
        assert not protocol.is_usable


@pytest.mark.parametrize("answer", [b"250-" + b"x" * 40_000, b"250-x\r\n" * 9_000])
async def test_an_answer_without_end_is_cut_off(answer: bytes) -> None:
    async with Peer(answer) as protocol:
        with pytest.raises(ConnectionLost, match="endless"):
            await protocol.command(b"x\r\n", 5)


async def test_words_nobody_asked_for_make_a_connection_unusable() -> None:
    async with Peer(b"250 ok\r\n421 idle for too long\r\n") as protocol:
        await protocol.command(b"x\r\n", 2)
        await asyncio.sleep(0.05)
        assert not protocol.is_usable
        with pytest.raises(ConnectionLost):
            await protocol.command(b"x\r\n", 2)


async def test_data_that_is_allowed_for_nobody_is_ended_with_a_dot() -> None:
    peer = Peer(b"250 ok\r\n550 5.1.1 no such user\r\n354 go on\r\n", b"554 no recipients\r\n", b"250 reset\r\n")
    async with peer as protocol:
        connection = SignedInConnection(protocol, {"pipelining": ""}, None)
        session = SmtpSession(SmtpLogin("account", "mx", 25), connection, PATIENT)
        refused = Refused(550, "550 5.1.1 no such user", Phase.RCPT)
        assert await send(session, ADA, MESSAGE) == {"ada@example.org": refused}
        assert session.is_usable
        assert peer.heard.endswith(b"DATA\r\n.\r\nRSET\r\n")


@given(st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b".", b"..", b"a", b"\0"]), max_size=30).map(b"".join))
def test_a_message_on_the_wire_has_one_end_only(message: bytes) -> None:
    data = dot_stuff(message)
    assert b"\r\n" + DOT not in b"\r\n" + data
    assert data.count(b"\n") == data.count(b"\r") == data.count(b"\r\n")
    undone = (b"\r\n" + data).replace(b"\r\n..", b"\r\n.").removeprefix(b"\r\n")
    expected = message.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    assert undone in (expected, expected + b"\r\n")
