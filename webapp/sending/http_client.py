"""HTTP to the providers that the operator's settings name: bounded in time and size, and clear about how far it came.

No redirect is followed, no proxy of the environment taken, every certificate verified.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webapp.sending.outcomes import Phase
from webapp.sending.smtp.connect import shared_tls_context

if TYPE_CHECKING:
    import httpx2  # two MB, which a worker that sends by SMTP alone need not carry

RESPONSE_BYTES = 1024 * 1024
IDLE_SECONDS = 5.0  # that a connection is kept: short, for what dies while it waits leaves a request in doubt
IDLE_CONNECTIONS = 20
CLOSE_SECONDS = 5.0
HANDED_OVER = "http11.send_request_body.complete"
BEGUN = "http11.send_request_headers.started"


@dataclass(frozen=True, slots=True)
class HttpTimeouts:
    """Seconds: to connect (TLS too), to write a request, between two pieces of the answer, for all of it."""

    connect: float = 15
    write: float = 600
    read: float = 120
    message: float = 900


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    body: bytes

    def json(self) -> Mapping[str, Any]:
        """The body as a JSON object; an empty one for whatever else it is."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class NoAnswer(Exception):
    """There is no answer; `str()` of it is a sentence that names the host.

    `phase`: CONNECT while nothing was written, DATA while the request was not yet whole, DOT when the server may have
    all of it.
    """

    def __init__(self, text: str, phase: Phase) -> None:
        super().__init__(text)
        self.phase = phase


class TooLong(NoAnswer):
    """The answer has over RESPONSE_BYTES."""


class HttpClient:
    """Asks servers over connections that are kept for a moment; one per process and purpose."""

    def __init__(
        self, timeouts: HttpTimeouts | None = None, tls: Callable[[], SSLContext] = shared_tls_context
    ) -> None:
        """Connect when first asked to."""
        self._timeouts, self._tls = timeouts or HttpTimeouts(), tls
        self._client: httpx2.AsyncClient | None = None
        self._under_way: set[asyncio.Timeout] = set()
        self._idle = asyncio.Event()
        self._closed = False

    async def post(
        self, url: str, content: bytes, headers: Mapping[bytes, bytes], *, within: float | None = None
    ) -> Answer:
        """The answer to one request, whatever its status; `within` so many seconds. Raises NoAnswer."""
        return await self._ask("POST", url, content, headers, within)

    async def get(self, url: str, headers: Mapping[bytes, bytes], *, within: float | None = None) -> Answer:
        """As `post`, for a request that changes nothing."""
        return await self._ask("GET", url, None, headers, within)

    async def _ask(
        self, method: str, url: str, content: bytes | None, headers: Mapping[bytes, bytes], within: float | None
    ) -> Answer:
        import httpx2

        host = urlsplit(url).hostname or url
        if self._closed:
            raise NoAnswer("the worker is stopping", Phase.CONNECT)
        phase = Phase.CONNECT

        async def watch(event: str, _: Mapping[str, Any]) -> None:
            nonlocal phase
            phase = {BEGUN: Phase.DATA, HANDED_OVER: Phase.DOT}.get(event, phase)

        try:
            async with (
                self._bounded(within),
                self._opened().stream(
                    method,
                    url,
                    content=content,
                    headers={b"Accept-Encoding": b"identity", **headers},
                    extensions={"trace": watch},
                ) as response,
            ):
                return Answer(response.status_code, await _body(response))
        except (TimeoutError, httpx2.TimeoutException):
            words = "the worker is stopping" if self._closed else f"{host} did not answer in time"
            raise NoAnswer(words, phase) from None
        except (httpx2.HTTPError, OSError):
            words = f"no connection to {host}" if phase is Phase.CONNECT else f"{host} closed the connection"
            raise NoAnswer(words, phase) from None
        except _TooLongError:
            raise TooLong(f"{host} answered with over {RESPONSE_BYTES:,} bytes", phase) from None

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Take no more requests, give those under way `seconds` to end, and cut the rest."""
        self._closed = True
        end = asyncio.get_running_loop().time() + seconds
        for limit in self._under_way:
            if not limit.expired() and (limit.when() or end) >= end:
                limit.reschedule(end)
        if self._under_way:
            self._idle.clear()
            try:
                async with asyncio.timeout(seconds + 1):
                    await self._idle.wait()
            except TimeoutError:
                return  # whoever runs them cancels them
        if self._client is not None:
            await self._client.aclose()

    def _opened(self) -> "httpx2.AsyncClient":
        import httpx2

        if self._client is None:
            times = self._timeouts
            self._client = httpx2.AsyncClient(
                verify=self._tls(),
                trust_env=False,
                follow_redirects=False,
                timeout=httpx2.Timeout(connect=times.connect, write=times.write, read=times.read, pool=None),
                limits=httpx2.Limits(
                    max_connections=None, max_keepalive_connections=IDLE_CONNECTIONS, keepalive_expiry=IDLE_SECONDS
                ),
            )
        return self._client

    @asynccontextmanager
    async def _bounded(self, seconds: float | None) -> AsyncIterator[None]:
        """A time for all of it, which `close` may cut."""
        async with asyncio.timeout(self._timeouts.message if seconds is None else seconds) as limit:
            self._under_way.add(limit)
            try:
                yield
            finally:
                self._under_way.discard(limit)
                if not self._under_way:
                    self._idle.set()


class _TooLongError(Exception):
    """The answer is larger than any that would be meant for us."""


async def _body(response: "httpx2.Response") -> bytes:
    body = b""
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > RESPONSE_BYTES:
            raise _TooLongError
    return body
