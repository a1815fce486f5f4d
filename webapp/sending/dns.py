"""DNS lookups in threads of their own: the loop's are few, and one that hangs delays others and cannot be cancelled."""

import asyncio
import socket
import threading
from contextlib import suppress
from typing import Any

MAX_THREADS = 128

Found = list[tuple[Any, ...]]


class Lookups:
    """Lookups in progress, one per name however many wait for it."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], asyncio.Future[Found]] = {}

    async def find(self, host: str, port: int) -> Found:
        """Raises OSError as getaddrinfo(3) does, and when too many lookups hang already."""
        with suppress(OSError, ValueError):  # an address in any spelling needs no DNS and no thread
            return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
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

    def _ended(self, key: tuple[str, int], future: "asyncio.Future[Found]") -> None:
        self._waiting.pop(key, None)
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
