"""One client's connection: reads command lines and messages within bounds of size and time, and writes replies.

aiosmtpd reads messages line by line, refuses long lines, and lets a slow client take as long as it likes, so that only
the sandbox uses it.
"""

import asyncio
import ssl
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import cast

LINE_BYTES = 12_288  # of a command; the answers of AUTH may have as many (RFC 4954, 4)
UNSTUFFED_BYTES = 64 * 1024  # of a message at a time, because other sessions wait meanwhile
AHEAD_BYTES = 128 * 1024  # buffered before the client has to wait
MOST_REPLIES = 1_000  # lines before they are written and other clients are served
END, DOT = b"\r\n.\r\n", b".\r\n"
DATA_SECONDS, BYTES_A_SECOND = 60.0, 256 * 1024  # a message has a minute, and longer if it is large
HANDSHAKE_SECONDS = 20.0
CLOSE_SECONDS = 5.0

Slot = AbstractAsyncContextManager[None]


class Closed(Exception):
    """The client closed the connection, or it was closed because the process stops."""


class TooSlow(Exception):
    """The client took longer than it may."""


class BadLine(ValueError):
    """A command is too long or does not end with CRLF; it has been read."""


class TooLarge(ValueError):
    """A message is larger than allowed; it has been read."""


class ClientConnection(asyncio.Protocol):
    """A byte stream, of which one coroutine reads."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._replies: list[bytes] = []  # written together before the next read, for pipelining (RFC 2920, 3.2)
        self._waiter: asyncio.Future[None] | None = None
        self._error: Exception | None = None
        self._is_paused = self._is_full = False
        self._deadline, self._timer = 0.0, None  # type: float, asyncio.TimerHandle | None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # of a stream

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        is_read = self._waiter is not None and not self._is_full
        if len(self._buffer) > AHEAD_BYTES and not is_read:
            self._pause()
        self._wake()

    def eof_received(self) -> None:
        self.end(Closed())

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - whatever it was, the client has gone
        self.end(Closed())
        if self._timer is not None:
            self._timer.cancel()

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        self._wake()

    def end(self, error: Exception) -> None:
        """Raises the error in the next read, or in the one that waits."""
        self._error = self._error or error
        self._wake()

    def reply(self, line: str) -> None:
        self._replies.append(line.encode("utf-8", "replace") + b"\r\n")

    def flush(self) -> None:
        if self._replies and not self.transport.is_closing():
            self.transport.write(b"".join(self._replies))
        self._replies.clear()

    def close(self) -> None:
        """Writes what is left; a client that does not read it is cut off. Call it when nothing is read any more."""
        self.flush()
        self._buffer.clear()  # now, as errors that were raised refer to their frames and so to this, until collected
        if not self.transport.is_closing():
            self.transport.close()
            self._loop.call_later(CLOSE_SECONDS, self.transport.abort)

    async def start_tls(self, context: ssl.SSLContext, *, is_begun: bool) -> None:
        """`is_begun`: what has come begins the handshake; else an attacker may have injected it. Raises OSError."""
        handshake = asyncio.ensure_future(
            self._loop.start_tls(
                self.transport, self, context, server_side=True, ssl_handshake_timeout=HANDSHAKE_SECONDS
            )
        )
        try:
            await asyncio.sleep(0)  # until nothing more is read but by the handshake, which begins in the next round
            self.flush()
            early = bytes(self._buffer) if is_begun else b""
            self._buffer.clear()
            self._loop.call_soon(_feed, self.transport, early)
            secured = await handshake
        except BaseException:
            handshake.cancel()
            self.transport.abort()
            self.connection_lost(None)  # of which a protocol hears nothing if its handshake fails
            raise
        if secured is None:
            raise Closed
        self.transport = secured

    async def read_line(self, seconds: float) -> bytes:
        """A command without its CRLF. Raises BadLine, Closed, TooSlow."""
        self._set_deadline(seconds)
        if len(self._replies) >= MOST_REPLIES:
            await self._write()
        searched, is_too_long = 0, False
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > LINE_BYTES:
                self._buffer.clear()
                searched, is_too_long = 0, True
            await self._more()
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        if is_too_long or len(line) > LINE_BYTES:
            raise BadLine("the line is too long")
        if not line.endswith(b"\r\n") or line.count(b"\r") > 1:
            raise BadLine("lines must end with CRLF")
        return line[:-2]

    async def read_message(self, tiers: Sequence[tuple[int, Slot]], held: AsyncExitStack) -> bytes:
        """A message without dot-stuffing, which only CRLF.CRLF ends. Raises TooLarge, Closed, TooSlow, and as slots do.

        `tiers` are growing numbers of bytes with the slots that are entered on `held` before these are read.
        """
        for max_bytes, slot in tiers:
            await held.enter_async_context(slot)
            self._set_deadline(DATA_SECONDS + max_bytes / BYTES_A_SECOND)
            length = await self._find_length(max_bytes)
            if length is not None and length <= max_bytes:
                return await self._pop_message(length)
            self._pause()
        while (end := self._buffer.find(END)) < 0:  # without the DOT of an empty message, as its beginning is gone
            del self._buffer[: 1 - len(END)]
            await self._more()
        del self._buffer[: end + len(END)]
        raise TooLarge

    async def _find_length(self, enough: int) -> int | None:
        """The length of the message, or None once more than `enough` bytes have come without its end."""
        searched = 0
        while (length := self._length(searched)) is None and len(self._buffer) <= enough + len(END):
            searched = max(0, len(self._buffer) - len(END))
            await self._more()
        return length

    def _length(self, searched: int = 0) -> int | None:
        if searched == 0 and self._buffer.startswith(DOT):  # an empty message: the CRLF before is that of DATA
            return 0
        end = self._buffer.find(END, searched)
        return None if end < 0 else end + len(END) - len(DOT)

    async def _pop_message(self, length: int) -> bytes:
        message = bytes(memoryview(self._buffer)[:length])
        del self._buffer[: length + len(DOT)]
        if message.startswith(b"."):
            message = message[1:]
        if b"\r\n." not in message:
            return message
        pieces, start = [], 0
        while (end := message.find(b"\r\n", start + UNSTUFFED_BYTES)) >= 0:
            pieces.append(message[start:end].replace(b"\r\n.", b"\r\n"))
            start = end
            await asyncio.sleep(0)
        return b"".join([*pieces, message[start:].replace(b"\r\n.", b"\r\n")])

    async def _more(self) -> None:
        """Waits until more has come and replies can be written. Raises Closed, TooSlow."""
        self.flush()
        if self._error is not None:
            raise self._error
        if self._is_paused:
            self._is_paused = False
            self.transport.resume_reading()
        size = len(self._buffer)
        while len(self._buffer) == size or self._is_full:
            await self._wait()

    def _pause(self) -> None:
        """Until the next read that needs more; a closed transport would raise RuntimeError."""
        if not self._is_paused and self._error is None:
            self._is_paused = True
            self.transport.pause_reading()

    async def _write(self) -> None:
        """Writes replies, and waits while the client does not read them. Raises Closed, TooSlow."""
        self.flush()
        await asyncio.sleep(0)
        while self._is_full:
            await self._wait()

    async def _wait(self) -> None:
        """Until something has happened. Raises Closed, TooSlow."""
        if self._error is None:
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if self._error is not None:
            raise self._error

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _set_deadline(self, seconds: float) -> None:
        """One timer, set again when it is due: to set it for each command would take as long as the command."""
        self._deadline = self._loop.time() + seconds
        if self._timer is None or self._timer.when() > self._deadline:
            self._start_timer()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._deadline, self._check_deadline)

    def _check_deadline(self) -> None:
        self._timer = None
        if self._waiter is None:  # it waits for us; the next read starts another timer
            return
        if self._loop.time() >= self._deadline:
            self.end(TooSlow())
        else:
            self._start_timer()


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Gives its protocol what was read before; uvloop reads on although `connection_made` pauses it."""
    protocol = cast("asyncio.BufferedProtocol", transport.get_protocol())
    while data and not transport.is_closing():
        buffer = memoryview(protocol.get_buffer(len(data)))
        size = min(len(buffer), len(data))
        buffer[:size], data = data[:size], data[size:]
        protocol.buffer_updated(size)
