"""A Lua script in Redis that requests run: one round trip, and never a long wait.

All requests of the process share a connection: commands go out as they come, answers come back in their order. A busy
event loop must not look like a dead Redis, so patience is counted in turns of the loop, each of which could have read
an answer.
"""

import asyncio
import hashlib
import logging
import ssl
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Any, NamedTuple, cast

import hiredis
from redis.exceptions import InvalidResponse, ResponseError

from webapp.config import Settings
from webapp.logs import RateLimitedLogger
from webapp.redis.client import redis_settings

log = logging.getLogger(__name__)

LOOKS, LOOK_SECONDS = 20, 0.005  # a request waits for Redis 100 ms at most
AWAY_SECONDS = 1.0  # how long nobody asks after Redis has failed
OF_THE_KEYS = ("WRONGTYPE", "ERR")  # how an error begins that these keys have, and no others need have
CONNECT_SECONDS = 3.0  # a connection may take longer than a request waits for it

Word = str | int | float


class RedisScript:
    """The script, over a connection that is made when it is first needed and again after a failure."""

    def __init__(self, settings: Settings, text: str, meanwhile: str) -> None:
        """Run `text`; `meanwhile` tells the log how it goes while Redis is away."""
        self._settings, self._text, self._meanwhile = settings, text, meanwhile
        self._name = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()  # as Redis calls it
        self._line: _Line | None = None
        self._connecting: asyncio.Task[_Line] | None = None
        self._away_until = 0.0
        self._complaints = RateLimitedLogger(log)

    @property
    def is_away(self) -> bool:
        """Whether Redis has failed within the last second."""
        return monotonic() < self._away_until

    async def run(self, keys: Sequence[str], *values: Word) -> Any:
        """What the script returns for these keys and values; None while Redis is away."""
        if self.is_away:
            return None
        line = None
        try:
            line = self._line if self._line is not None and self._line.is_open else await self._new_line()
            return await line.ask("EVALSHA", self._name, len(keys), *keys, *values)
        except Exception as error:  # noqa: BLE001 - whatever ails Redis, requests pass
            if line is not None and isinstance(error, ResponseError) and str(error).startswith(OF_THE_KEYS):
                self._complaints.warn("redis refuses %s: %s", keys[0], error)
            else:
                self._note_failure(error)
            return None

    async def _new_line(self) -> "_Line":
        """A connection. Raises what keeps it from being made; it may yet be there for a later request."""
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(_look_at)
        connecting = self._connecting
        for _ in range(LOOKS):
            await asyncio.wait([connecting], timeout=LOOK_SECONDS)
            if connecting.done():
                return connecting.result()
        raise TimeoutError("it takes long to connect")

    async def _connect(self) -> "_Line":
        async with asyncio.timeout(CONNECT_SECONDS):
            self._line = line = await _dial(self._settings)
            await line.ask("SCRIPT", "LOAD", self._text)
            return line

    def _note_failure(self, error: Exception) -> None:
        self._away_until = monotonic() + AWAY_SECONDS
        self._complaints.warn("redis is away, %s meanwhile: %s", self._meanwhile, error or type(error).__name__)
        self._hang_up(error)

    async def close(self) -> None:
        """End the connection."""
        try:
            if self._connecting is not None:
                self._connecting.cancel()
                await asyncio.wait([self._connecting])
        finally:
            self._hang_up(ConnectionError("the service stops"))
        await asyncio.sleep(0)  # for the transport's own clean-up

    def _hang_up(self, error: Exception) -> None:
        if self._line is not None and self._line.is_open:
            self._line.end(error)


def _look_at(connecting: "asyncio.Task[_Line]") -> None:
    """Nobody may be waiting any more for why there is none."""
    if not connecting.cancelled():
        connecting.exception()


async def _dial(settings: Settings) -> "_Line":
    """A connection that is signed in and on its database. Raises OSError or RedisError."""
    wanted, loop = redis_settings(settings), asyncio.get_running_loop()
    if wanted.unix_socket_path:
        _, line = await loop.create_unix_connection(_Line, wanted.unix_socket_path)
    else:
        tls = ssl.create_default_context() if wanted.ssl else None
        if tls is not None:
            tls.check_hostname = wanted.ssl_check_hostname  # as everything else that dials this Redis
        _, line = await loop.create_connection(_Line, str(wanted.host), wanted.port, ssl=tls)
    try:
        if wanted.password:
            await line.ask("AUTH", *((wanted.username,) if wanted.username else ()), wanted.password)
        if wanted.database:
            await line.ask("SELECT", wanted.database)
    except BaseException:
        line.end(ConnectionError("not signed in"))
        raise
    return line


class _Asked(NamedTuple):
    answer: asyncio.Future[Any]
    at: int  # how often had been looked by then


class _Line(asyncio.Protocol):
    """A connection to Redis, which ends when an answer is too long in coming."""

    def __init__(self) -> None:
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=ResponseError)
        self._asked: deque[_Asked] = deque()
        self._looks = 0
        self._is_watched = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)
        self._loop = asyncio.get_running_loop()

    @property
    def is_open(self) -> bool:
        """Whether it can still be asked."""
        return not self._transport.is_closing()

    def ask(self, *words: Word) -> asyncio.Future[Any]:
        """The answer to a command, or a ResponseError, or an OSError when the connection ends before."""
        answer = self._loop.create_future()
        self._asked.append(_Asked(answer, self._looks))
        self._transport.write(hiredis.pack_command(words))  # type: ignore[arg-type]  # says it takes one word
        if not self._is_watched:
            self._is_watched = True
            self._loop.call_later(LOOK_SECONDS, self._look)
        return answer

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            answer = self._asked.popleft().answer
            if answer.done():  # its request was cut short
                continue
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)

    def connection_lost(self, error: Exception | None) -> None:
        self._refuse_all(error or ConnectionError("the connection was closed"))

    def end(self, error: Exception) -> None:
        """Hang up; whoever waits gets the error."""
        self._transport.abort()
        self._refuse_all(error)

    def _look(self) -> None:
        self._looks += 1
        if self._asked and self._looks - self._asked[0].at > LOOKS:
            self.end(TimeoutError("no answer"))
        self._is_watched = bool(self._asked)
        if self._is_watched:
            self._loop.call_later(LOOK_SECONDS, self._look)

    def _refuse_all(self, error: Exception) -> None:
        while self._asked:
            answer = self._asked.popleft().answer
            if not answer.done():
                answer.set_exception(error)
