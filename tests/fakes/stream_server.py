"""A server of streams on 127.0.0.1 and a free port, which leaves no connection open however late one came.

asyncio's own would: one that it has accepted when its port is closed gets no protocol, and stays.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Self, cast

HOST = "127.0.0.1"
LIMIT = 2**16  # bytes that a client may be ahead of what is read

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class StreamServer:
    """`connections` counts those that came; `most_connections` is how many were open at once."""

    def __init__(self, serve: Serve) -> None:
        self._serve_one = serve
        self.port = self.connections = self.open_connections = self.most_connections = 0
        self._listener: socket.socket | None = None
        self._served: dict[asyncio.Task[None], Callable[[], None]] = {}  # what ends the connection of each

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self, *, ssl: ssl.SSLContext | None = None, limit: int = LIMIT) -> None:
        """Listen on `port`."""
        # asyncio sets TCP_NODELAY where the protocol is named.
        self._listener = listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setblocking(False)
        listener.bind((HOST, 0))
        listener.listen()
        asyncio.get_running_loop().add_reader(listener, self._accept, listener, ssl, limit)
        self.port = listener.getsockname()[1]

    def _accept(self, listener: socket.socket, context: ssl.SSLContext | None, limit: int) -> None:
        connection, _ = listener.accept()
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._run(connection, context, limit))
        self._served[task] = connection.close
        task.add_done_callback(self._end)

    async def _run(self, connection: socket.socket, context: ssl.SSLContext | None, limit: int) -> None:
        writers: list[asyncio.StreamWriter] = []
        reader = asyncio.StreamReader(limit)
        protocol = asyncio.StreamReaderProtocol(reader, lambda _, writer: writers.append(writer))
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection, ssl=context)
        except OSError:  # its TLS came to nothing
            return
        (writer,) = writers
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._served[task] = lambda: writer.transport.abort()  # noqa: PLW0108 - STARTTLS replaces its transport
        self.connections += 1
        self.open_connections += 1
        self.most_connections = max(self.most_connections, self.open_connections)
        try:
            await self._serve_one(reader, writer)
        finally:
            self.open_connections -= 1
            writer.transport.abort()

    def _end(self, task: "asyncio.Task[None]") -> None:
        self._served.pop(task)()
        if not task.cancelled():
            task.result()  # its error is reported by the loop

    def cut(self) -> None:
        """End every connection."""
        for task in self._served:
            task.cancel()

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._listener is None:
            return
        asyncio.get_running_loop().remove_reader(self._listener)
        self._listener.close()
        self._listener = None
        self.cut()
        await asyncio.gather(*self._served, return_exceptions=True)
        await asyncio.sleep(0)  # for the transports, which close in the next turn
