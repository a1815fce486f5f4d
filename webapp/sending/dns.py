"""DNS lookups in threads of their own, so that a name server that hangs delays no other lookup.

The event loop's own threads are few (uvloop has two or so for lookups), and a lookup that hangs cannot be cancelled.
"""

import asyncio
import socket
import threading
from typing import Any

MAX_THREADS = 128

Found = list[tuple[Any, ...]]
_Key = tuple[str, int]


class Lookups:
    """Lookups in progress, one per name however many wait for it."""

    def __init__(self) -> None:
        self._waiting: dict[_Key, asyncio.Future[Found]] = {}

    async def find(self, host: str, port: int) -> Found:
        """Raises OSError as getaddrinfo(3) does, and when too many lookups hang already."""
        if found := _as_address(host, port):
            return found
        key = (host, port)
        future = self._waiting.get(key)
        if future is None:
            if len(self._waiting) >= MAX_THREADS:
                raise OSError("too many names are being looked up")
            loop = asyncio.get_running_loop()
            future = self._waiting[key] = loop.create_future()
            future.add_done_callback(lambda done: self._ended(key, done))
            threading.Thread(target=_find, args=(loop, future, host, port), name=f"dns {host}", daemon=True).start()
        return await asyncio.shield(future)  # a caller that stops waiting does not stop it for the others

    def _ended(self, key: _Key, future: "asyncio.Future[Found]") -> None:
        self._waiting.pop(key, None)
        if not future.cancelled():
            future.exception()  # retrieved, even when nobody waits


def _as_address(host: str, port: int) -> Found:
    """The address of a host that is one, in any spelling, without DNS or a thread; nothing for a name."""
    try:
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
    except (OSError, ValueError):
        return []


def _find(loop: asyncio.AbstractEventLoop, future: "asyncio.Future[Found]", host: str, port: int) -> None:
    try:
        found: Found = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, ValueError) as error:
        _set(loop, future.set_exception, error)
    else:
        _set(loop, future.set_result, found)


def _set(loop: asyncio.AbstractEventLoop, setter: Any, value: Any) -> None:
    try:
        loop.call_soon_threadsafe(setter, value)
    except RuntimeError:
        return  # the loop has closed
