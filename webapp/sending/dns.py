"""DNS lookups in threads of their own: the loop's are few, and one that hangs delays others and cannot be cancelled."""

import asyncio
import socket
import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from webapp.fair_slots import FairSlot, FairSlots

MAX_THREADS = 128
THREADS_EACH = 8  # of a caller: each of its names may hang for as long as the resolver waits for an answer

Found = list[tuple[Any, ...]]

_caller: ContextVar[Hashable] = ContextVar("lookup_caller", default=None)


@contextmanager
def looking_up_for(caller: Hashable) -> Iterator[None]:
    """Lookups inside take threads of the caller's share; None is the instance itself."""
    token = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(token)


class Lookups:
    """Lookups in progress, one per name however many wait for it."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], asyncio.Future[Found]] = {}
        self._threads: FairSlots[FairSlot] = FairSlots(MAX_THREADS, most_each=THREADS_EACH)

    async def find(self, host: str, port: int) -> Found:
        """Raises OSError as getaddrinfo(3) does; waits for one of the caller's threads."""
        with suppress(OSError, ValueError):  # an address in any spelling needs no DNS and no thread
            return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
        key = (host, port)
        if key not in self._waiting:
            thread = FairSlot(_caller.get())
            await self._threads.acquire(thread)
            self._begin(key, thread)
        return await asyncio.shield(self._waiting[key])  # a caller that stops waiting does not stop it for the others

    def _begin(self, key: tuple[str, int], thread: FairSlot) -> None:
        if key in self._waiting:  # begun by another while this one waited
            self._threads.release(thread)
            return
        loop = asyncio.get_running_loop()
        future = self._waiting[key] = loop.create_future()
        future.add_done_callback(lambda done: self._ended(key, thread, done))
        try:
            threading.Thread(target=_find, args=(loop, future, *key), name=f"dns {key[0]}", daemon=True).start()
        except RuntimeError as error:  # the system has no thread left
            future.set_exception(OSError(str(error)))

    def _ended(self, key: tuple[str, int], thread: FairSlot, future: "asyncio.Future[Found]") -> None:
        self._waiting.pop(key, None)
        self._threads.release(thread)
        if not future.cancelled():
            future.exception()  # retrieved, even when nobody waits


def _find(loop: asyncio.AbstractEventLoop, future: "asyncio.Future[Found]", host: str, port: int) -> None:
    with suppress(RuntimeError):  # the loop has closed
        try:
            found: Found = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, ValueError) as error:
            loop.call_soon_threadsafe(future.set_exception, error)
        else:
            loop.call_soon_threadsafe(future.set_result, found)
