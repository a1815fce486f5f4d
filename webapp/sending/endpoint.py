"""HTTP/1.1 client for webhook endpoints that bounds time, bytes and work.

httpx reads informational responses without a limit, so this uses h11 and yields to the event loop every 4 KiB.
"""

import asyncio
import os
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from string import printable
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import h11

from webapp import clock
from webapp.sending.outcomes import clean, clean_text
from webapp.sending.smtp.connect import certificate_error, shared_tls_context

RESPONSE_SECONDS = 15.0  # to connect, post and read
ANSWER_BYTES = 64 * 1024  # with its head; the connection is closed instead of reading on
HEAD_BYTES = 16 * 1024
PARSED_AT_ONCE = 4 * 1024  # bytes, which take a few milliseconds
MOST_INFORMATIONAL = 8  # 1xx answers before the final one
SHOWN_BYTES = 2 * 1024  # of a body
MOST_IDLE, IDLE_SECONDS = 4, 5.0  # of connections
LONGEST_PAUSE = 24 * 3600.0  # seconds that an endpoint may ask for
USER_AGENT = b"Pennypost webhooks (+https://www.standardwebhooks.com)"
BUSY, GONE = (429, 503), 410
IN_TARGETS = "".join(character for character in printable if "!" <= character <= "~")


class PostRefused(Exception):
    """The URL is not allowed or gave no answer; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    status: int
    text: str  # of its first 2 KiB
    pause: float = 0.0  # seconds that the endpoint asks for


class Destination(NamedTuple):
    """A URL whose host is replaced by the address to connect to."""

    url: str
    host: str  # with the port unless it is the scheme's default
    server_name: str  # for the certificate


class EndpointClient:
    """Posts to one endpoint; connections are not shared, because each was verified for its own host."""

    def __init__(self, tls: Callable[[], ssl.SSLContext] = shared_tls_context) -> None:
        self._tls = tls
        self._idle: list[_EndpointConnection] = []

    async def post(self, to: Destination, headers: Mapping[bytes, bytes], body: bytes) -> WebhookAnswer:
        """Raises PostRefused unless a complete answer comes within RESPONSE_SECONDS; follows no redirects."""
        connection = None
        try:
            async with asyncio.timeout(RESPONSE_SECONDS):
                connection = await self._idle_connection(to) or await self._connect(to)
                return await connection.post(headers, body)
        except TimeoutError:
            raise PostRefused(f"{to.host} did not answer within {RESPONSE_SECONDS:.0f} seconds") from None
        except h11.RemoteProtocolError as error:
            raise PostRefused(clean(f"{to.host} sent an answer that is not valid HTTP: {error}")) from None
        except EOFError as error:
            raise PostRefused(f"{to.host} closed the connection {error}") from None
        except OSError:
            raise PostRefused(f"{to.host} closed the connection without an answer") from None
        finally:
            if connection is not None and len(self._idle) < MOST_IDLE and connection.finish_cycle():
                self._idle.append(connection)
            elif connection is not None:
                connection.close()

    async def _idle_connection(self, to: Destination) -> "_EndpointConnection | None":
        while self._idle:
            connection = self._idle.pop()
            if connection.to == to and await connection.is_usable():
                return connection
            connection.close()
        return None

    async def _connect(self, to: Destination) -> "_EndpointConnection":
        parts = urlsplit(to.url)
        is_tls = parts.scheme == "https"
        try:
            reader, writer = await asyncio.open_connection(
                parts.hostname,
                parts.port,
                limit=PARSED_AT_ONCE,
                ssl=self._tls() if is_tls else None,
                server_hostname=to.server_name if is_tls else None,
            )
        except (OSError, ValueError) as error:  # ValueError: TLS cannot carry the server name
            raise PostRefused(_why_unconnected(to, error)) from None
        return _EndpointConnection(to, reader, writer)

    def close(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()


class _EndpointConnection:
    def __init__(self, to: Destination, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.to = to
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
        self._bytes_left = 0
        self._idle_since = 0.0

    async def post(self, headers: Mapping[bytes, bytes], body: bytes) -> WebhookAnswer:
        parts = urlsplit(self.to.url)
        target = quote(parts.path + (f"?{parts.query}" if parts.query else ""), safe=IN_TARGETS)
        own = {
            b"Host": self.to.host.encode(),
            b"Content-Type": b"application/json",
            b"Content-Length": str(len(body)).encode(),
            b"Accept": b"*/*",
            b"Accept-Encoding": b"identity",
            b"User-Agent": USER_AGENT,
        }
        request = h11.Request(method=b"POST", target=target.encode(), headers=[*own.items(), *headers.items()])
        for part in (request, h11.Data(data=body), h11.EndOfMessage()):
            self._writer.write(self._http.send(part) or b"")
        await self._writer.drain()
        self._bytes_left = ANSWER_BYTES
        return await self._read_answer(await self._read_head())

    async def _read_head(self) -> h11.Response:
        for _ in range(MOST_INFORMATIONAL + 1):
            event = await self._next_event()
            if event is None:
                raise PostRefused(f"{self.to.host} sent a head of more than {ANSWER_BYTES:,} bytes")
            if isinstance(event, h11.Response):
                return event
        raise PostRefused(f"{self.to.host} sent more than {MOST_INFORMATIONAL} informational answers")

    async def _read_answer(self, response: h11.Response) -> WebhookAnswer:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in response.headers}
        body = b""
        try:
            while isinstance(event := await self._next_event(), h11.Data):
                body += event.data[: SHOWN_BYTES - len(body)]
        except (h11.RemoteProtocolError, OSError, EOFError):
            raise PostRefused(f"{self.to.host} answered {response.status_code}, but broke the answer off") from None
        encoding = headers.get("content-encoding", "identity").strip().lower()
        text = (
            clean_text(body.decode("utf-8", "replace"))
            if encoding == "identity"
            else f"(encoded as {clean(encoding)[:20]}, not shown)"
        )
        pause = retry_after(headers.get("retry-after", "")) if response.status_code in BUSY else 0.0
        return WebhookAnswer(response.status_code, text, pause)

    async def _next_event(self) -> h11.Event | None:
        """The next event of the answer, or None after ANSWER_BYTES."""
        while not isinstance(event := self._http.next_event(), h11.Event):
            if self._bytes_left <= 0:
                return None
            piece = await self._reader.read(min(PARSED_AT_ONCE, self._bytes_left))
            if not piece and self._http.their_state is h11.SEND_RESPONSE:
                raise EOFError("without an answer" if self._bytes_left == ANSWER_BYTES else "in the head of its answer")
            self._bytes_left -= len(piece)
            self._http.receive_data(piece)
            await asyncio.sleep(0)  # reading buffered bytes does not yield to other tasks
        return event

    def finish_cycle(self) -> bool:
        """Prepares for another post; False if the answer was not read to its end or more bytes followed it."""
        is_done = self._http.our_state is self._http.their_state is h11.DONE
        if not is_done or self._http.trailing_data[0]:
            return False
        self._http.start_next_cycle()
        self._idle_since = clock.elapsed()
        return True

    async def is_usable(self) -> bool:
        """False if the endpoint closed the connection or sent bytes that belong to no answer."""
        with suppress(OSError):  # which includes TimeoutError
            async with asyncio.timeout(0) as limit:  # reads only what has arrived
                await self._reader.read(1)
        return limit.expired() and clock.elapsed() - self._idle_since < IDLE_SECONDS

    def close(self) -> None:
        with suppress(OSError):
            self._writer.transport.abort()  # TLS would wait for the other side to close


def _why_unconnected(to: Destination, error: Exception) -> str:
    certificate = certificate_error(error)
    if certificate is not None:
        return clean(f"the certificate of {to.server_name} is not valid: {certificate.verify_message}")
    if isinstance(error, ssl.SSLError):
        return clean(f"{to.host} did not complete the TLS handshake: {error.reason or error}")
    number = error.errno if isinstance(error, OSError) else None
    reason = os.strerror(number) if number and number > 0 else error  # negative if the host was not found
    return clean(f"could not connect to {to.host}: {reason}")


def retry_after(text: str) -> float:
    """The seconds of a Retry-After header (RFC 9110, 10.2.3); 0 if it is missing or invalid."""
    try:
        at = float(text) if text.strip().isdigit() else (parsedate_to_datetime(text) - clock.now()).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(at, 0.0), LONGEST_PAUSE)
