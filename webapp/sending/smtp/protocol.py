"""SMTP lines over a transport that is connected, secured and signed in already: commands out, replies in.

aiosmtplib does all of that and then hands its transport over (`transport.set_protocol`): its own protocol knows no
pipelining, cannot tell a drop before the final dot from one after it, and spends 89 µs per message on line endings.
"""

import asyncio
import math
import re
import time
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

REPLY_LIMIT = 32_768  # bytes of one reply: generous for an EHLO, and a bound for a server that never ends
CHUNK = 65_536
LINGER_SECONDS = 2.0
REPLY_LINE = re.compile(rb"([2-5]\d\d)([ -]?)(.*)", re.DOTALL)
USUAL_LINE = re.compile(rb"([2-5]\d\d) ([^\r\n]*)")  # a whole reply
TIMED_OUT = "did not answer in time"  # what a Lost says then
USUAL_BYTES, USUAL_REPLIES = 200, 128  # a server says the same a few times for each message


class Reply(NamedTuple):
    """A server's answer, its lines joined by spaces."""

    code: int
    text: str


class Lost(Exception):
    """No answer: the connection dropped, the time was up, or what came was no SMTP. `replies` came before that."""

    def __init__(self, text: str, replies: list[Reply]) -> None:
        super().__init__(text)
        self.replies = replies


class Wire(asyncio.Protocol):
    """One connection; one caller at a time."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Take over `transport`: from here on its bytes come to this protocol."""
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._lines: list[bytes] = []  # of a reply that goes on
        self._size = 0  # of those
        self._replies: list[Reply] = []
        self._owed = 0  # replies that were asked for and have not come
        self._trouble: str | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._until_at, self._trouble_then = math.inf, ""  # until when is waited, and what it means if that passes
        self._paused = False
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self._abort: asyncio.TimerHandle | None = None
        transport.set_protocol(self)
        # Paused means: not all bytes have left this process. So the dot is written only after all before it.
        # With high=0 the transports of TLS pause and never resume (asyncio and uvloop).
        transport.set_write_buffer_limits(high=1, low=0)

    @property
    def is_usable(self) -> bool:
        """Whether another command may be written: nothing is broken, and nothing unasked for has come in."""
        return self._trouble is None and not self._buffer and not self._transport.is_closing()

    async def ask(self, data: bytes, seconds: float, replies: int = 1) -> list[Reply]:
        """Write `data` and return the `replies` it asks for, within `seconds`. Raises Lost."""
        self.say(data, replies)
        return await self.hear(replies, seconds)

    def say(self, data: bytes, replies: int) -> None:
        """Write `data`, which asks for so many replies. Raises Lost where nothing can be written any more."""
        if not self.is_usable:
            raise Lost(self._trouble or "closed the connection", [])
        self._owed += replies
        self._transport.write(data)

    async def hear(self, replies: int, seconds: float) -> list[Reply]:
        """Return the next `replies` to what was said, within `seconds`. Raises Lost."""
        if len(self._replies) < replies:
            await self._until(lambda: len(self._replies) >= replies, seconds, TIMED_OUT)
        heard, self._replies = self._replies[:replies], self._replies[replies:]
        if len(heard) < replies:
            raise Lost(self._trouble or "closed the connection", heard)
        return heard

    async def transfer(self, message: bytes, seconds: float, deadline: float) -> None:
        """Write a prepared message up to its final dot; `seconds` bounds the time without progress.

        `deadline`, on the monotonic clock, bounds all of it. Raises Lost, also when the server answers before the
        end: then the answer is in `replies`, and the connection is of no use.
        """
        self._owed = 1
        self.data_received(b"")  # a refusal may have come together with the go-ahead
        for start in range(0, len(message), CHUNK):
            self._transport.write(message[start : start + CHUNK])
            left = max(0.0, min(seconds, deadline - time.monotonic()))
            await self._until(lambda: not self._paused or bool(self._replies), left, "stopped reading the message")
            if self._replies or self._trouble is not None:
                raise Lost(self._trouble or "refused the message before its end", self._replies)
        self._owed = 0

    async def _until(self, is_done: Callable[[], bool], seconds: float, trouble: str) -> None:
        """Wait until all is well or something is not."""
        self._until_at, self._trouble_then = self._loop.time() + seconds, trouble
        if self._timer is None or self._timer.when() > self._until_at:
            self._set_timer()
        try:
            while not is_done() and self._trouble is None:
                self._waiter = self._loop.create_future()
                await self._waiter
        finally:
            self._until_at = math.inf

    def _set_timer(self) -> None:
        """Look at the time when what is waited for must have come.

        The timer outlives the wait, and looks again where another one is under way by then: one for each wait would
        cost more than what is waited for.
        """
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._until_at, self._look_at_time)

    def _look_at_time(self) -> None:
        self._timer = None
        if self._loop.time() >= self._until_at:
            self._break(self._trouble_then)
        elif self._until_at < math.inf:
            self._set_timer()

    def hang_up(self, *, politely: bool = False) -> None:
        """Close; `politely` says QUIT without waiting for the answer, which would change nothing."""
        self._trouble = self._trouble or "was hung up on"
        if politely and not self._transport.is_closing():
            self._transport.write(b"QUIT\r\n")
            self._transport.close()
            # A server that does not read, or does not end TLS, would keep the socket.
            self._abort = self._loop.call_later(LINGER_SECONDS, self._transport.abort)
        else:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Collect reply lines; what comes unasked stays in the buffer and makes the connection unusable."""
        self._buffer += data
        if not self._lines:
            self._take_usual()
        while self._owed and b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
            self._take_line(line.rstrip(b"\r"))
        if len(self._buffer) + self._size > REPLY_LIMIT:
            self._break("sent an answer without end")
        self._wake()

    def eof_received(self) -> bool:
        """Let the transport close: an SMTP server that sends no more is gone."""
        self._break("closed the connection")
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Wake whoever waits."""
        self._break("closed the connection")
        for timer in (self._abort, self._timer):
            if timer is not None:
                timer.cancel()
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        """The other side reads slower than we write."""
        self._paused = True

    def resume_writing(self) -> None:
        """All has left this process."""
        self._paused = False
        self._wake()

    def _take_usual(self) -> None:
        """Take whole replies of one line, as nearly all are, in one go."""
        *lines, rest = self._buffer.split(b"\r\n", self._owed)
        for number, line in enumerate(lines):
            reply = _usual_reply(line) if len(line) <= USUAL_BYTES else None
            if reply is None:
                rest = b"\r\n".join((*lines[number:], rest))
                break
            self._replies.append(reply)
            self._owed -= 1
        self._buffer = rest

    def _take_line(self, line: bytes) -> None:
        match = REPLY_LINE.fullmatch(line)
        if match is None:
            self._break("gave an answer that is not SMTP")
            return
        self._lines.append(match[3])
        self._size += len(line) + 2
        if match[2] != b"-":
            text = b" ".join(self._lines).decode("utf-8", "replace")
            self._replies.append(Reply(int(match[1]), text))
            self._owed -= 1
            self._lines, self._size = [], 0

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _break(self, trouble: str) -> None:
        self._trouble = self._trouble or trouble
        self._wake()


@lru_cache(USUAL_REPLIES)
def _usual_reply(line: bytes) -> Reply | None:
    """A reply of one line, None for what is none."""
    found = USUAL_LINE.fullmatch(line)
    return None if found is None else Reply(int(found[1]), found[2].decode("utf-8", "replace"))


def handed_over(transport: asyncio.BaseTransport) -> Wire:
    """A Wire over a transport that another protocol has had until now."""
    return Wire(cast("asyncio.Transport", transport))
