"""The HTTP server itself: what a caller's connection may and may not do."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest
from quart import Quart, Response, request

from tests.conftest import free_port
from tests.fakes.served import served
from tests.fakes.worker import eventually
from webapp.acceptor import Acceptor
from webapp.config import Settings
from webapp.http.body.admission import BoundedRequest
from webapp.http.body.finish_on_disconnect import FinishingConnection
from webapp.server import MAX_HEAD_BYTES, listen

LARGE, PIECE = 16 * 1024 * 1024, 64 * 1024  # bytes of an answer, more than the system takes for a caller

Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


@pytest.fixture
def done() -> list[str]:
    """What the handlers below have come to the end of."""
    return []


def impatient(done: list[str]) -> type[FinishingConnection]:
    """A connection that notes what it gives up, after a moment."""

    class Impatient(FinishingConnection):
        send_seconds = 0.2

        def _give_up(self) -> None:
            if self._is_answering:
                done.append("given up")
            super()._give_up()

    return Impatient


@pytest.fixture
async def connect(done: list[str], settings: Settings) -> AsyncIterator[Connect]:
    """Connections to a small app behind our server."""
    app = Quart(__name__)

    app.asgi_http_class, app.request_class = impatient(done), BoundedRequest

    @app.get("/pieces")
    async def pieces() -> Response:
        async def each() -> AsyncIterator[bytes]:
            for _ in range(0, LARGE, PIECE):
                yield bytes(PIECE)

        return Response(each(), content_type="text/plain")

    @app.post("/slow")
    async def slow() -> str:
        await request.get_data()
        done.append("begun")
        await asyncio.sleep(0.3)
        done.append("slow")
        return "done"

    @app.get("/stream")
    async def stream() -> Response:
        async def endless() -> AsyncIterator[bytes]:
            try:
                while not app.shutdown_event.is_set():
                    yield b"data: x\n\n"
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(app.shutdown_event.wait(), 0.05)
            finally:
                done.append("stream")

        response = Response(endless(), content_type="text/event-stream")
        response.timeout = None
        return response

    async with served(app) as address:
        where = urlsplit(address)
        yield lambda: asyncio.open_connection(where.hostname, where.port)


async def test_a_caller_who_hangs_up_does_not_cut_a_handler_short(connect: Connect, done: list[str]) -> None:
    _, writer = await connect()
    writer.write(b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
    await eventually(lambda: has_come_to(done, "begun"))
    writer.transport.abort()
    await eventually(lambda: has_come_to(done, "slow"))


async def test_a_caller_who_reads_no_answer_is_given_up(connect: Connect, done: list[str]) -> None:
    reader, writer = await connect()
    writer.write(b"GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
    await eventually(lambda: has_come_to(done, "given up"))
    assert len(await reader.read()) < 2 * LARGE
    writer.close()


async def has_come_to(done: list[str], step: str) -> bool:
    return step in done


async def test_a_stream_ends_with_its_connection(connect: Connect, done: list[str]) -> None:
    reader, writer = await connect()
    writer.write(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readuntil(b"data: x")
    writer.transport.abort()
    await eventually(lambda: has_come_to(done, "stream"))


async def test_endless_headers_are_refused(connect: Connect) -> None:
    reader, writer = await connect()
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
    for _ in range(MAX_HEAD_BYTES // 1024 + 1):
        writer.write(b"x" * 1024)
        await asyncio.sleep(0)
    assert (await reader.readline()).startswith(b"HTTP/1.1 400")
    writer.close()


async def test_what_is_no_request_is_refused_in_words_and_not_logged(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    for sent in (
        b"\x16\x03\x01 hello\r\n\r\n",
        b"GET /v1 HTTP/1.1\r\nHost: \0\r\n\r\n",
        b"GET /v1 HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
    ):
        reader, writer = await connect()
        writer.write(sent)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert b"server:" not in head.lower()
        assert b"X-Request-Id: " in head
        refusal = {"error": "ValidationError", "message": "the request could not be read", "details": []}
        assert json.loads(body) == refusal
        writer.close()
    assert caplog.records == []


@contextlib.asynccontextmanager
async def accepting(most: int) -> AsyncIterator[tuple[int, list["Guest"]]]:
    """An acceptor for so many: its port, and who came in."""
    came: list[Guest] = []

    def protocol(acceptor: Acceptor) -> Guest:
        came.append(Guest(acceptor))
        return came[-1]

    port = free_port()
    listener = listen("127.0.0.1", port, "PENNYPOST_PORT")
    opened = Acceptor(listener, protocol, most)
    yield port, came
    opened.close()
    listener.close()
    for guest in came:
        guest.transport.abort()


class Guest(asyncio.Protocol):
    """A connection that works from its first byte on until it is told to wait again."""

    transport: asyncio.Transport

    def __init__(self, acceptor: Acceptor) -> None:
        self.acceptor, self.is_in, self.is_at_work = acceptor, False, False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        self.transport, self.is_in = transport, True
        self.acceptor.on_idle(self, is_new=True)

    def shutdown(self) -> None:
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self.is_at_work = True
        self.acceptor.on_busy(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_in = self.is_at_work = False
        self.acceptor.on_closed(self)


async def guests(came: list[Guest], *, inside: set[int], at_work: set[int]) -> bool:
    return {number for number, guest in enumerate(came) if guest.is_in} == inside and {
        number for number, guest in enumerate(came) if guest.is_at_work
    } == at_work


async def test_whoever_waits_longest_without_a_request_makes_room_for_the_next() -> None:
    async with accepting(3) as (port, came):
        writers = [(await asyncio.open_connection("127.0.0.1", port))[1] for _ in range(3)]
        for number in (0, 1):
            writers[number].write(b"GET")
        await eventually(lambda: guests(came, inside={0, 1, 2}, at_work={0, 1}))
        came[1].is_at_work = False
        came[1].acceptor.on_idle(came[1], is_new=False)
        writers.append((await asyncio.open_connection("127.0.0.1", port))[1])
        writers[3].write(b"GET")
        await eventually(lambda: guests(came, inside={0, 1, 3}, at_work={0, 3}))
        writers.append((await asyncio.open_connection("127.0.0.1", port))[1])
        await eventually(lambda: guests(came, inside={0, 3, 4}, at_work={0, 3}))
        for writer in writers:
            writer.transport.abort()


async def test_who_comes_while_all_are_at_work_waits_until_one_leaves() -> None:
    async with accepting(2) as (port, came):
        writers = []
        for number in range(3):
            writers.append((await asyncio.open_connection("127.0.0.1", port))[1])
            writers[number].write(b"GET")
            expected = set(range(number + 1))
            await eventually(lambda expected=expected: guests(came, inside=expected, at_work=expected))
        writers += [(await asyncio.open_connection("127.0.0.1", port))[1] for _ in range(2)]
        for writer in writers[3:]:
            writer.write(b"GET")
        came[0].acceptor.on_idle(came[0], is_new=False)
        await eventually(lambda: guests(came, inside={1, 2, 3}, at_work={1, 2, 3}))
        writers[1].transport.abort()
        await eventually(lambda: guests(came, inside={2, 3, 4}, at_work={2, 3, 4}))
        for writer in writers:
            writer.transport.abort()
