"""SMTP after aiosmtplib's sign-in, with pipelining, and telling a drop before the final dot from one after it."""

import asyncio
import math
import re
import time
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

REPLY_LIMIT = 32_768  # bytes per reply, ample for EHLO
CHUNK = 65_536
LINGER_SECONDS = 2.0
REPLY_LINE = re.compile(rb"([2-5]\d\d)([ -]?)(.*)", re.DOTALL)
ONE_LINE_REPLY = re.compile(rb"([2-5]\d\d) ([^\r\n]*)")
TIMED_OUT = "did not respond in time"
CACHED_BYTES, CACHED_REPLIES = 200, 128  # servers repeat their replies for each message


class Reply(NamedTuple):
    """A reply with its lines joined by spaces."""

    code: int
    text: str


class ConnectionLost(Exception):
    """The connection dropped, timed out or sent something that is not SMTP, after `replies`."""

    def __init__(self, text: str, replies: list[Reply]) -> None:
        super().__init__(text)
        self.replies = replies


class SmtpProtocol(asyncio.Protocol):
    def __init__(self, transport: asyncio.BaseTransport) -> None:
        """Takes over the transport from its protocol."""
        self._transport = cast("asyncio.Transport", transport)
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._lines: list[bytes] = []  # of an incomplete reply
        self._size = 0  # bytes of these lines
        self._replies: list[Reply] = []
        self._pending_replies = 0  # to the commands written so far
        self._failure: str | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline, self._timeout_failure = math.inf, ""  # of the current wait
        self._paused = False
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self._abort: asyncio.TimerHandle | None = None
        self._transport.set_protocol(self)
        # Writing is paused until all bytes have left this process, so that the dot is written last. With high=0, TLS
        # transports pause and never resume (asyncio and uvloop).
        self._transport.set_write_buffer_limits(high=1, low=0)

    @property
    def is_usable(self) -> bool:
        """True while another command may be written: nothing failed, and no unexpected bytes came."""
        return self._failure is None and not self._buffer and not self._transport.is_closing()

    async def command(self, data: bytes, seconds: float, replies: int = 1) -> list[Reply]:
        """Writes `data` and reads its `replies` within `seconds`. Raises ConnectionLost."""
        self.write(data, replies)
        return await self.read_replies(replies, seconds)

    def write(self, data: bytes, replies: int) -> None:
        """Writes `data`, to which so many `replies` will come. Raises ConnectionLost."""
        if not self.is_usable:
            raise ConnectionLost(self._failure or "closed the connection", [])
        self._pending_replies += replies
        self._transport.write(data)

    async def read_replies(self, replies: int, seconds: float) -> list[Reply]:
        """Returns the next `replies`. Raises ConnectionLost after `seconds`."""
        if len(self._replies) < replies:
            await self._wait_until(lambda: len(self._replies) >= replies, seconds, TIMED_OUT)
        received, self._replies = self._replies[:replies], self._replies[replies:]
        if len(received) < replies:
            raise ConnectionLost(self._failure or "closed the connection", received)
        return received

    async def transfer(self, message: bytes, seconds: float, deadline: float) -> None:
        """Writes a dot-stuffed message: `seconds` per chunk until the monotonic `deadline`. Raises ConnectionLost."""
        self._pending_replies = 1
        self.data_received(b"")  # a refusal may have come right behind the go-ahead
        for start in range(0, len(message), CHUNK):
            self._transport.write(message[start : start + CHUNK])
            left = max(0.0, min(seconds, deadline - time.monotonic()))
            await self._wait_until(lambda: not self._paused or bool(self._replies), left, "stopped reading the message")
            if self._replies or self._failure is not None:
                raise ConnectionLost(self._failure or "rejected the message before it was complete", self._replies)
        self._pending_replies = 0

    async def _wait_until(self, is_done: Callable[[], bool], seconds: float, failure: str) -> None:
        self._deadline, self._timeout_failure = self._loop.time() + seconds, failure
        if self._timer is None or self._timer.when() > self._deadline:
            self._set_timer()
        try:
            while not is_done() and self._failure is None:
                self._waiter = self._loop.create_future()
                await self._waiter
        finally:
            self._deadline = math.inf

    def _set_timer(self) -> None:
        # The timer outlives the wait and is reused, because a timer per wait would cost more than the wait.
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._deadline, self._check_deadline)

    def _check_deadline(self) -> None:
        self._timer = None
        if self._loop.time() >= self._deadline:
            self._break(self._timeout_failure)
        elif self._deadline < math.inf:
            self._set_timer()

    def close(self, *, politely: bool = False) -> None:
        """Closes immediately; `politely` sends QUIT without waiting for the reply."""
        self._failure = self._failure or "was disconnected"
        if politely and not self._transport.is_closing():
            self._transport.write(b"QUIT\r\n")
            self._transport.close()
            # A server that does not read or end TLS would keep the socket open.
            self._abort = self._loop.call_later(LINGER_SECONDS, self._transport.abort)
        else:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data  # unexpected bytes stay there and make the connection unusable
        if not self._lines:
            self._read_one_line_replies()
        while self._pending_replies and b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
            self._read_line(line.rstrip(b"\r"))
        if len(self._buffer) + self._size > REPLY_LIMIT:
            self._break("sent an endless response")
        self._wake()

    def eof_received(self) -> bool:
        self._break("closed the connection")
        return False  # closes the transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._break("closed the connection")
        for timer in (self._abort, self._timer):
            if timer is not None:
                timer.cancel()
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._wake()

    def _read_one_line_replies(self) -> None:
        *lines, remainder = self._buffer.split(b"\r\n", self._pending_replies)
        for number, line in enumerate(lines):
            reply = _one_line_reply(line) if len(line) <= CACHED_BYTES else None
            if reply is None:
                remainder = b"\r\n".join((*lines[number:], remainder))
                break
            self._replies.append(reply)
            self._pending_replies -= 1
        self._buffer = remainder

    def _read_line(self, line: bytes) -> None:
        match = REPLY_LINE.fullmatch(line)
        if match is None:
            self._break("sent a response that is not SMTP")
            return
        self._lines.append(match[3])
        self._size += len(line) + 2
        if match[2] != b"-":
            text = b" ".join(self._lines).decode("utf-8", "replace")
            self._replies.append(Reply(int(match[1]), text))
            self._pending_replies -= 1
            self._lines, self._size = [], 0

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _break(self, failure: str) -> None:
        self._failure = self._failure or failure
        self._wake()


@lru_cache(CACHED_REPLIES)
def _one_line_reply(line: bytes) -> Reply | None:
    match = ONE_LINE_REPLY.fullmatch(line)
    return None if match is None else Reply(int(match[1]), match[2].decode("utf-8", "replace"))
