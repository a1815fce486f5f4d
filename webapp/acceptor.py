"""Accepts connections, up to as many as leave file descriptors for the rest of the process."""

import asyncio
import logging
import resource
import socket
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 10_000  # each takes memory too
ACCEPT_BATCH = 100  # accepted before other callbacks run
SHARED_BATCH = 2  # before a pause if other processes accept too, so that one with fewer connections gets the next
PAUSE_SECONDS, LONGEST_PAUSE = 0.00005, 0.001  # for each connection that is open, and at most
RETRY_SECONDS = 1.0  # after no file descriptor was left


def max_connections() -> int:
    """Half of the file descriptors, because databases, Redis and mail servers need the others."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if files == resource.RLIM_INFINITY else max(1, min(MAX_CONNECTIONS, files // 2))


class AcceptedConnection(Protocol):
    @property
    def transport(self) -> asyncio.Transport: ...

    def shutdown(self) -> None: ...


class Acceptor:
    """Accepts up to `limit` connections; beyond that it closes the oldest idle one, or lets new ones wait."""

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[["Acceptor"], asyncio.Protocol],
        limit: int | None = None,
        *,
        is_shared: bool = False,
    ) -> None:
        self._is_shared = is_shared
        self._listener, self._limit = listener, limit or max_connections()
        self._make = lambda: protocol(self)
        self._loop = asyncio.get_running_loop()
        self._open = 0
        self._aborted: set[AcceptedConnection] = set()  # until uvicorn reports them as closed
        self._new: dict[AcceptedConnection, None] = {}  # without a request so far, oldest first
        self._idle: dict[AcceptedConnection, None] = {}
        self._entering: set[asyncio.Task[None]] = set()
        self._is_shut = self._is_closed = False
        self._loop.add_reader(listener, self._accept)

    def close(self) -> None:
        self._shut()
        self._is_shut, self._is_closed = False, True

    async def wait_closed(self) -> None:
        pass

    def on_idle(self, connection: AcceptedConnection, *, is_new: bool) -> None:
        if is_new:
            self._evict()  # earlier connections may not have been reported yet when this one was accepted
            if self._is_closed:  # uvicorn has already shut down the connections that it knew
                self._loop.call_soon(connection.shutdown)
        (self._new if is_new else self._idle)[connection] = None
        if not is_new:
            self._settle()

    def on_busy(self, connection: AcceptedConnection) -> None:
        self._new.pop(connection, None)
        self._idle.pop(connection, None)

    def on_closed(self, connection: AcceptedConnection) -> None:
        self.on_busy(connection)
        self._aborted.discard(connection)
        self._open -= 1
        self._settle()

    def _accept(self) -> None:
        for _ in range(SHARED_BATCH if self._is_shared else ACCEPT_BATCH):
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as error:  # no file descriptor is left
                log.warning("no connection can be accepted just now: %s", error)
                self._shut()
                self._loop.call_later(RETRY_SECONDS, self._reopen)
                return
            self._open += 1
            task = self._loop.create_task(self._enter(connection))
            self._entering.add(task)
            task.add_done_callback(self._entering.discard)
            if self._open > self._limit:
                self._shut()
                self._evict()
                return
        if self._is_shared:
            self._shut()
            self._loop.call_later(min(self._open * PAUSE_SECONDS, LONGEST_PAUSE), self._settle)

    async def _enter(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        try:
            await self._loop.connect_accepted_socket(self._make, connection)
        except OSError:  # the caller has gone
            connection.close()
            self._open -= 1
            self._settle()

    def _settle(self) -> None:
        self._evict()
        if self._open <= self._limit:
            self._reopen()

    def _evict(self) -> None:
        if self._open - len(self._aborted) <= self._limit:
            return
        # The oldest connection that never sent a request, else the one that has been idle longest.
        connection = next(iter(self._new), None) or next(iter(self._idle), None)
        if connection is not None:
            self.on_busy(connection)
            self._aborted.add(connection)
            connection.transport.abort()

    def _shut(self) -> None:
        self._is_shut = True
        self._loop.remove_reader(self._listener)

    def _reopen(self) -> None:
        if self._is_shut:
            self._is_shut = False
            self._loop.add_reader(self._listener, self._accept)
