"""DNS lookups in their own threads, because the event loop's are few and a hanging lookup cannot be cancelled."""

import asyncio
import socket
import threading
from collections.abc import Hashable
from contextlib import suppress
from typing import Any

from webapp.fair_slots import FairSlot, FairSlots

MAX_THREADS = 128
THREADS_EACH = 8  # per caller, because each of its lookups may hang until the resolver gives up

Addresses = list[tuple[Any, ...]]


class Lookups:
    """Lookups in progress, at most one per name."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], asyncio.Future[Addresses]] = {}
        self._threads: FairSlots[FairSlot] = FairSlots(MAX_THREADS, limit_each=THREADS_EACH)

    async def find(self, host: str, port: int, caller: Hashable = None) -> Addresses:
        """Raises OSError as getaddrinfo(3) does; waits for one of the threads of the caller, or of the instance."""
        with suppress(OSError, ValueError):  # an IP address needs no DNS and no thread
            return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
        key = (host, port)
        if key not in self._waiting:
            thread = FairSlot(caller)
            await self._threads.acquire(thread)
            self._begin(key, thread)
        return await asyncio.shield(self._waiting[key])  # a caller that stops waiting does not stop it for the others

    def _begin(self, key: tuple[str, int], thread: FairSlot) -> None:
        if key in self._waiting:  # another caller began it while this one waited for a thread
            self._threads.release(thread)
            return
        loop = asyncio.get_running_loop()
        future = self._waiting[key] = loop.create_future()
        future.add_done_callback(lambda done: self._ended(key, thread, done))
        try:
            threading.Thread(target=_find, args=(loop, future, *key), name=f"dns {key[0]}", daemon=True).start()
        except RuntimeError as error:  # the system has no thread left
            future.set_exception(OSError(str(error)))

    def _ended(self, key: tuple[str, int], thread: FairSlot, future: "asyncio.Future[Addresses]") -> None:
        self._waiting.pop(key, None)
        self._threads.release(thread)
        if not future.cancelled():
            future.exception()  # marks it as retrieved, so that asyncio logs nothing


def _find(loop: asyncio.AbstractEventLoop, future: "asyncio.Future[Addresses]", host: str, port: int) -> None:
    with suppress(RuntimeError):  # the loop has closed
        try:
            addresses: Addresses = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, ValueError) as error:
            loop.call_soon_threadsafe(future.set_exception, error)
        else:
            loop.call_soon_threadsafe(future.set_result, addresses)
