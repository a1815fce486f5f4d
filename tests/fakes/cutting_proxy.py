"""A relay to PostgreSQL that cuts a transaction's connection at a byte of either stream.

async with CuttingProxy(lambda: asyncio.open_connection("127.0.0.1", 5432)) as proxy:
    cut = proxy.cut_next(Side.CLIENT, 1, 100)  # 100 bytes after the BEGIN arrive at the server, and no more
    ...                                     # a transaction through 127.0.0.1, proxy.port
    await cut.is_over.wait()                # the server has done what it was asked, and ended the session
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Self

from tests.fakes.proxy import PIECE, Streams
from tests.fakes.stream_server import StreamServer

BEGIN, COMMIT = b"BEGIN;\0", b"COMMIT;\0"
TYPE, HEADER = 1, 5  # bytes: a type, and a length that counts itself
NEVER = 10**9  # bytes, more than a transaction has


class Side(StrEnum):
    CLIENT = "client"
    SERVER = "server"


class Cut:
    """A connection ends when a side has said so many bytes past the end of a message of the transaction."""

    def __init__(self, side: Side, message: int, after: int) -> None:
        self._side, self._message, self._after = side, message, after
        self._end = after if message == 0 else NEVER  # until the message has begun
        self.said = {Side.CLIENT: b"", Side.SERVER: b""}
        self.is_over = asyncio.Event()

    @property
    def is_due(self) -> bool:
        return len(self.said[self._side]) >= self._end

    @property
    def is_committed(self) -> bool:
        """True when all of the COMMIT has arrived at the server."""
        return self.said[Side.CLIENT].endswith(COMMIT)

    def allow(self, side: Side, piece: bytes) -> bytes:
        """As much of the piece as may pass."""
        if self.is_due:
            return b""
        said = self.said[side] + piece
        if side == self._side:
            ends = ends_of(said)
            if self._message < len(ends):
                self._end = ends[self._message] + self._after
            said = said[: self._end]
        piece, self.said[side] = said[len(self.said[side]) :], said
        return piece


def ends_of(said: bytes) -> list[int]:
    """Where the messages end that have begun, after a zero."""
    ends = [0]
    while ends[-1] + HEADER <= len(said):
        at = ends[-1] + TYPE
        ends.append(at + int.from_bytes(said[at : ends[-1] + HEADER]))
    return ends


class CuttingProxy:
    """Listens on a port of 127.0.0.1, and relays each connection to one that `dial` opens."""

    def __init__(self, dial: Callable[[], Awaitable[Streams]]) -> None:
        self._dial = dial
        self._server = StreamServer(self._serve)
        self._next: Cut | None = None
        self._begin = BEGIN
        self.port = 0

    async def __aenter__(self) -> Self:
        self.port = await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop()

    def cut_next(self, side: Side, message: int, after: int, begin: bytes = BEGIN) -> Cut:
        """Cut the next transaction, or what begins otherwise; the BEGIN and the answer to it are the first messages."""
        self._next, self._begin = Cut(side, message, after), begin
        return self._next

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await self._dial()
        session = _Session()
        copies = [
            asyncio.create_task(self._copy(session, Side.CLIENT, reader, back)),
            asyncio.create_task(self._copy(session, Side.SERVER, there, writer)),
        ]
        try:
            await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for copy in copies:
                copy.cancel()
            await asyncio.gather(*copies, return_exceptions=True)
            writer.close()
            await self._hang_up(there, back)
            if session.cut is not None:
                session.cut.is_over.set()

    async def _hang_up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError):
                writer.write_eof()
                while await reader.read(PIECE):
                    pass
        finally:
            writer.transport.abort()

    async def _copy(
        self, session: "_Session", side: Side, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Pass on what comes until its stream ends, or either is to be cut."""
        while piece := await reader.read(PIECE):
            if side == Side.CLIENT and session.cut is not None and session.cut.is_committed:
                session.cut = None
            if side == Side.CLIENT and self._next is not None and piece.endswith(self._begin):
                session.cut, self._next = self._next, None
            writer.write(piece if session.cut is None else session.cut.allow(side, piece))
            await writer.drain()
            if session.cut is not None and session.cut.is_due:
                return


class _Session:
    """A connection; with the cut of its transaction if that is the one to be cut."""

    cut: Cut | None = None
