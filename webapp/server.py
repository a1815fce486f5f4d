"""Serves HTTP with uvicorn, on our own socket and with our own signal handling."""

import asyncio
import contextlib
import errno
import json
import logging
import os
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import uvicorn
from quart import Quart
from uvicorn.config import STARTUP_FAILURE, Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from webapp.acceptor import Acceptor
from webapp.errors import ConfigError
from webapp.http.body.finish_on_disconnect import IS_WHOLE
from webapp.tasks import in_background

GRACE_SECONDS = 8  # for open requests when the process stops
KEEP_ALIVE_SECONDS = 75  # longer than usual proxies wait, which must close first
MAX_HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 20
BACKLOG = 2048

# Invalid requests are answered but not logged, because a line for each could fill the disk.
_protocol_log = logging.getLogger("webapp.server.protocol")
_protocol_log.setLevel(logging.ERROR)


def listen(host: str, port: int, variable: str) -> socket.socket:
    """Raises ConfigError that names the `variable` for the port."""
    family, address = _resolve(host, port, variable)
    is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()  # then `::` is every address of the machine
    try:
        bound = socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=is_dual)
    except OSError as error:
        raise ConfigError(_why_not(error, host, port, variable)) from None
    # asyncio sets TCP_NODELAY only if the protocol is named. Without it bodies wait 40 ms for an acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=bound.detach())
    listener.setblocking(False)
    return listener


def _resolve(host: str, port: int, variable: str) -> tuple[socket.AddressFamily, Any]:
    try:
        candidates = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise ConfigError(
            f"{_of_host(variable)} {host} is not an address ({error.strerror}): use an address of this machine"
        ) from None
    family, _, _, _, address = min(candidates, key=lambda entry: entry[0] != socket.AF_INET)  # prefers IPv4
    return family, address


def _of_host(variable: str) -> str:
    return variable.replace("SMTPS_PORT", "SMTP_PORT").replace("PORT", "HOST")


def _why_not(error: OSError, host: str, port: int, variable: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use: stop the program that uses it or set {variable}"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} is not allowed for this user: set {variable} to one above 1023"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine: set {_of_host(variable)} to another"
    return f"port {port} on {host} cannot be opened ({os.strerror(error.errno or 0)}): set {variable}"


async def serve(
    app: Quart,
    listener: socket.socket,
    stop: asyncio.Event,
    greet: Callable[[], Awaitable[None]],
    *,
    is_shared: bool = False,
) -> None:
    """Serves until `stop`, then lets open requests finish within GRACE_SECONDS; calls `greet` once it answers."""
    server = _Server(app, greet, is_shared=is_shared)
    async with in_background(server.serve([listener]), stop.wait()) as tasks:
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            server.should_exit = True
            if server.started:
                app.shutdown_event.set()  # so that endless responses can end
            await tasks[0]
        finally:
            server.force_exit = True  # which matters if this was cancelled


class _Server(uvicorn.Server):
    """uvicorn with our own acceptor and without its signal handling, which ends the process before our clean-up."""

    def __init__(self, app: Quart, greet: Callable[[], Awaitable[None]], *, is_shared: bool) -> None:
        super().__init__(
            Config(
                app,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # http/ honours PENNYPOST_TRUSTED_PROXIES
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self._greet, self._is_shared = greet, is_shared

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        acceptors = [Acceptor(listener, self._protocol, is_shared=self._is_shared) for listener in sockets or ()]
        self.servers = acceptors  # type: ignore[assignment]  # Acceptor has the methods that uvicorn calls
        self.started = True
        await self._greet()

    def _protocol(self, acceptor: Acceptor) -> "_BoundedProtocol":
        return _BoundedProtocol(acceptor, self.config, self.server_state, self.lifespan.state)


class _BoundedProtocol(HttpToolsProtocol):
    """Limits the size and time of the request line and headers, which httptools does not."""

    def __init__(
        self, acceptor: Acceptor, config: Config, server_state: ServerState, app_state: dict[str, object]
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._acceptor = acceptor
        self.logger = _protocol_log
        self._in_head = True
        self._head_bytes = 0
        self._has_ended_request = False  # in the current data, which then has more than the head
        self._head_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # narrower, as uvicorn's own
        super().connection_made(transport)
        self._acceptor.on_idle(self, is_new=True)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        self._has_ended_request = False
        super().data_received(data)
        if not self._in_head or self._has_ended_request or self.transport.is_closing():
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES:
            self._refuse("the headers of the request are too large")
        elif self._head_deadline is None:
            self._set_deadline()

    def on_headers_complete(self) -> None:
        self._in_head, self._head_bytes = False, 0
        self._drop_deadline()
        self._acceptor.on_busy(self)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head = self._has_ended_request = True
        self.scope[IS_WHOLE] = True  # type: ignore[literal-required]  # our own key
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._acceptor.on_idle(self, is_new=False)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop_deadline()
        self._acceptor.on_closed(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's words
        self._refuse("the request could not be read")

    def _refuse(self, message: str) -> None:
        body = json.dumps({"error": "ValidationError", "message": message, "details": []}).encode()
        head = [
            b"HTTP/1.1 400 Bad Request",
            b"Content-Type: application/json",
            b"Content-Length: %d" % len(body),
            b"X-Request-Id: %b" % secrets.token_hex(16).encode(),
            b"X-Content-Type-Options: nosniff",
            b"Connection: close",
        ]
        self.transport.write(b"\r\n".join([*head, b"", body]))
        self.transport.close()

    def _set_deadline(self) -> None:
        self._head_deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _drop_deadline(self) -> None:
        if self._head_deadline is not None:
            self._head_deadline.cancel()
            self._head_deadline = None
