"""A relay between a client and a server that can be slow, silent, or cut.

async with Proxy(lambda: asyncio.open_connection("127.0.0.1", port)) as proxy:
    ...                      # dial 127.0.0.1, proxy.port
    proxy.delay = 2.0        # seconds that each piece from the server is late
    proxy.cut()              # every connection ends now
    proxy.silence()          # nothing passes any more, and nobody is told: a firewall that drops packets
"""

import asyncio
from collections.abc import Awaitable, Callable

from tests.fakes.stream_server import StreamServer

PIECE = 65_536

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
SeesReply = Callable[[bytes], None]


class Proxy(StreamServer):
    """Listens on a port of 127.0.0.1, and relays each connection to one that `dial` opens.

    `sees` is told what comes from the server, before it is passed on.
    """

    def __init__(self, dial: Callable[[], Awaitable[Streams]], sees: SeesReply = lambda _: None) -> None:
        super().__init__(self._relay)
        self._dial, self._sees = dial, sees
        self._is_silent = False
        self.delay = 0.0

    def silence(self) -> None:
        """Drop whatever comes from now on, from either side, with all connections open."""
        self._is_silent = True

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await self._dial()
        except OSError:  # nobody answers there
            return
        copies = {asyncio.create_task(self._copy(reader, back)), asyncio.create_task(self._answer(there, writer))}
        try:
            await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        finally:
            back.transport.abort()
            for copy in copies:
                copy.cancel()
            await asyncio.gather(*copies, return_exceptions=True)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            if not self._is_silent:
                writer.write(piece)
                await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            self._sees(piece)
            await asyncio.sleep(self.delay)
            if not self._is_silent:
                writer.write(piece)
                await writer.drain()
