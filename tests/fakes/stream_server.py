"""A server of streams on 127.0.0.1 and a free port, which leaves no connection open however late one came."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

HOST = "127.0.0.1"
TURNS = 4  # of the loop, until a connection that was accepted right before the port closed is served

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class StreamServer:
    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._served: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> int:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self, **options: Any) -> int:
        """Listen, and return the port."""
        self._server = await asyncio.start_server(self._accept, HOST, 0, **options)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Known before its task begins: one that is cancelled sooner would never close the connection."""
        task = asyncio.create_task(self._run(reader, writer))
        self._served[task] = writer
        task.add_done_callback(self._end)

    async def _run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        finally:
            writer.transport.abort()

    def _end(self, task: "asyncio.Task[None]") -> None:
        self._served.pop(task).transport.abort()
        if not task.cancelled():
            task.result()  # its error is reported by the loop

    def cut(self) -> None:
        """End every connection."""
        for task in self._served:
            task.cancel()

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        for _ in range(TURNS):
            await asyncio.sleep(0)
        self.cut()
        await asyncio.gather(*self._served, return_exceptions=True)
        await asyncio.sleep(0)  # for the transports, which close in the next turn
