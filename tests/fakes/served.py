"""An app behind our own server, on loopback."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from quart import Quart

from tests.conftest import free_port
from webapp.server import listen, serve


@asynccontextmanager
async def served(app: Quart, stop_seconds: float = 40) -> AsyncIterator[str]:
    """For the life of this block the app answers at the address that this gives; its end is bounded."""
    port = free_port()
    stop, ready = asyncio.Event(), asyncio.Event()

    async def greet() -> None:
        ready.set()

    serving = asyncio.create_task(serve(app, listen("127.0.0.1", port, "PENNYPOST_PORT"), stop, greet))
    try:
        await asyncio.wait_for(ready.wait(), 30)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop.set()
        await asyncio.wait_for(serving, stop_seconds)
