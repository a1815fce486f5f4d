"""An endpoint of a webhook on loopback, which keeps what it gets and answers as it is told."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from tests.fakes.smtp_server import Certificate, server_context
from tests.fakes.stream_server import StreamServer

LINE_END = b"\r\n"


class Received(NamedTuple):
    """A request: its path, its headers by lower-case name, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float  # by the loop's clock

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


class Reply(NamedTuple):
    status: int = 200
    text: bytes = b"ok"
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0  # before it is written; the connection is closed instead where it is negative
    after: asyncio.Event | None = None  # it is not written before


@dataclass
class Endpoint(StreamServer):
    """`reply` decides by the request; `in_flight` is the most requests that were open at once; TLS by a certificate."""

    reply: Callable[[Received], Reply] = lambda _: Reply()
    received: list[Received] = field(default_factory=list)
    in_flight: int = 0
    certificate: Certificate | None = None
    _open: int = 0

    def __post_init__(self) -> None:
        super().__init__(self._serve)

    async def __aenter__(self) -> Self:
        await self.start(ssl=self.certificate and server_context(self.certificate))
        return self

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.port}/hooks?from=pennypost"

    @property
    def types(self) -> list[str]:
        return [one.event["type"] for one in self.received]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                request, *lines = (await reader.readuntil(LINE_END * 2)).decode().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                self._open += 1
                self.in_flight = max(self.in_flight, self._open)
                try:
                    got = Received(request.split()[1], headers, body, asyncio.get_running_loop().time())
                    self.received.append(got)
                    said = self.reply(got)
                    await asyncio.sleep(abs(said.seconds))
                    if said.after:
                        await said.after.wait()
                finally:
                    self._open -= 1
                if said.seconds < 0:
                    return
                writer.write(_as_bytes(said))
                await writer.drain()


def _as_bytes(said: Reply) -> bytes:
    given = "".join(f"{name}: {value}\r\n" for name, value in said.headers)
    return f"HTTP/1.1 {said.status} Said\r\n{given}Content-Length: {len(said.text)}\r\n\r\n".encode() + said.text
