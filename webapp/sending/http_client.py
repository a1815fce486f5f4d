"""HTTP to the operator's providers, bounded in time and size: no redirects, no proxies, and always verified TLS."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webapp.sending.endpoint import Destination, retry_after
from webapp.sending.outcomes import Phase
from webapp.sending.smtp.connect import shared_tls_context

if TYPE_CHECKING:
    import httpx2  # 2 MB, which a worker that sends by SMTP alone does not need

CONNECT_SECONDS = 15.0  # with TLS
WRITE_SECONDS = 600.0  # for the request
READ_SECONDS = 120.0  # between two reads
TOTAL_SECONDS = 900.0
RESPONSE_BYTES = 1024 * 1024
IDLE_SECONDS = 5.0  # short, because a connection that dies while idle leaves the next request's outcome unknown
IDLE_CONNECTIONS = 20
HANDED_OVER = "http11.send_request_body.complete"
BEGUN = "http11.send_request_headers.started"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    status: int
    body: bytes
    retry_after: float = 0.0  # seconds

    def json(self) -> Mapping[str, Any]:
        """The body as a JSON object, or empty if it is anything else."""
        try:
            return object_of(json.loads(self.body))
        except (ValueError, RecursionError):
            return {}


def object_of(value: object) -> Mapping[str, Any]:
    """A JSON value if it is an object, or else an empty one."""
    return value if isinstance(value, dict) else {}


def objects_of(value: object) -> list[Mapping[str, Any]]:
    """The objects in a JSON value, if it is an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


class NoAnswer(Exception):
    """No answer came; the message is a sentence that names the host.

    `phase` is CONNECT until the request is begun, DATA until it is sent completely, then DOT.
    """

    def __init__(self, text: str, phase: Phase) -> None:
        super().__init__(text)
        self.phase = phase


class TooLong(NoAnswer):
    """The answer exceeds RESPONSE_BYTES."""


class HttpClient:
    def __init__(self) -> None:
        self._client: httpx2.AsyncClient | None = None
        self._active: set[asyncio.Timeout] = set()
        self._closed = False

    async def ask(
        self,
        url: str | Destination,
        headers: Mapping[bytes, bytes],
        content: bytes | None = None,
        *,
        within: float = TOTAL_SECONDS,
        may_cut: bool = False,
    ) -> HttpResponse:
        """GETs, or POSTs `content`. Raises NoAnswer, after `within` seconds at the latest, and TooLong.

        With `may_cut`, long answers are cut instead. A client that asks a Destination asks nothing else, because it
        reuses connections by their address, and they were verified for one host.
        """
        import httpx2

        to = url if isinstance(url, Destination) else _destination_of(url)
        host = to.server_name
        if self._closed:
            raise NoAnswer("the worker is shutting down", Phase.CONNECT)
        phase = Phase.CONNECT

        async def watch(event: str, _: Mapping[str, Any]) -> None:
            nonlocal phase
            phase = {BEGUN: Phase.DATA, HANDED_OVER: Phase.DOT}.get(event, phase)

        limit = asyncio.timeout(within)
        self._active.add(limit)
        try:
            async with limit, self._stream(to, headers, content, watch) as response:
                body = await _read_body(response)
                if len(body) > RESPONSE_BYTES and not may_cut:
                    raise TooLong(f"{host} sent a response larger than {RESPONSE_BYTES:,} bytes", phase)
                pause = retry_after(response.headers.get("retry-after", ""))
                return HttpResponse(response.status_code, body[:RESPONSE_BYTES], pause)
        except (TimeoutError, httpx2.TimeoutException):
            words = "the worker is shutting down" if self._closed else f"{host} did not respond in time"
            raise NoAnswer(words, phase) from None
        except (httpx2.HTTPError, OSError):
            words = f"could not connect to {host}" if phase is Phase.CONNECT else f"{host} closed the connection"
            raise NoAnswer(words, phase) from None
        finally:
            self._active.discard(limit)

    def _stream(
        self, to: Destination, headers: Mapping[bytes, bytes], content: bytes | None, watch: object
    ) -> "AbstractAsyncContextManager[httpx2.Response]":
        return self._opened().stream(
            "GET" if content is None else "POST",
            to.url,
            content=content,
            headers={b"Host": to.host.encode(), b"Accept-Encoding": b"identity", **headers},
            extensions={"trace": watch, "sni_hostname": to.server_name},
        )

    async def aclose(self) -> None:
        """Refuses new requests and aborts active ones."""
        self._closed = True
        for limit in self._active:
            if not limit.expired():
                limit.reschedule(0)
        if self._client is not None:
            await self._client.aclose()

    def _opened(self) -> "httpx2.AsyncClient":
        import httpx2

        if self._client is None:
            self._client = httpx2.AsyncClient(
                verify=shared_tls_context(),
                trust_env=False,
                follow_redirects=False,
                timeout=httpx2.Timeout(connect=CONNECT_SECONDS, write=WRITE_SECONDS, read=READ_SECONDS, pool=None),
                limits=httpx2.Limits(
                    max_connections=None, max_keepalive_connections=IDLE_CONNECTIONS, keepalive_expiry=IDLE_SECONDS
                ),
            )
        return self._client


def _destination_of(url: str) -> Destination:
    """The URL as it is, whose host is looked up when it is connected to."""
    parts = urlsplit(url)
    return Destination(url, parts.netloc, parts.hostname or url)


async def _read_body(response: "httpx2.Response") -> bytes:
    """The body, or a little more than RESPONSE_BYTES of it."""
    body = b""
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > RESPONSE_BYTES:
            break
    return body
