"""Serves the SMTP door on its ports until the process stops."""

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from typing import NamedTuple

from webapp.acceptor import Acceptor, max_connections
from webapp.config import Settings
from webapp.smtp.connection import ClientConnection
from webapp.smtp.door import Door
from webapp.smtp.session import Session

MOST_SESSIONS = 4_000
GRACE_SECONDS = 8.0  # for messages that are being received when the process stops


class Listener(NamedTuple):
    socket: socket.socket
    is_tls: bool  # from the first byte (RFC 8314), instead of by STARTTLS


async def serve_smtp(
    settings: Settings, listeners: Sequence[Listener], stop: asyncio.Event, *, is_shared: bool = False
) -> None:
    """Raises ConfigError for an invalid certificate."""
    door, clients = Door(settings), set[_Client]()
    limit = max(1, min(MOST_SESSIONS, max_connections() // 2))
    async with door.opened():
        acceptors = [
            Acceptor(
                listener.socket,
                lambda acceptor, is_tls=listener.is_tls: _Client(acceptor, door, clients, is_tls=is_tls),  # type: ignore[misc]
                limit,
                is_shared=is_shared,
            )
            for listener in listeners
        ]
        try:
            await stop.wait()
        finally:
            for acceptor in acceptors:
                acceptor.close()
            for client in list(clients):
                client.shutdown()
            if tasks := [client.task for client in clients]:
                await asyncio.wait(tasks, timeout=GRACE_SECONDS)
            for task in tasks:
                task.cancel()
            for listener in listeners:
                listener.socket.close()


class _Client(ClientConnection):
    def __init__(self, acceptor: Acceptor, door: Door, clients: "set[_Client]", *, is_tls: bool) -> None:
        super().__init__()
        self._acceptor, self._door, self._clients, self._is_tls = acceptor, door, clients, is_tls
        self._is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._session = Session(self._door, self, _unmapped(peer[0]) if peer else "0.0.0.0", is_tls=self._is_tls)  # noqa: S104 - for a client that has gone
        self._clients.add(self)
        self.task = asyncio.create_task(self._session.run(lambda: self._acceptor.on_busy(self)))
        self.task.add_done_callback(lambda _: self._clients.discard(self))
        self._acceptor.on_idle(self, is_new=True)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        if not self._is_lost:
            self._is_lost = True
            self._acceptor.on_closed(self)

    def shutdown(self) -> None:
        self._session.stop()


def _unmapped(address: str) -> str:
    """The IPv4 address in an IPv4-mapped IPv6 address, which dual-stack sockets report; without a scope."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
