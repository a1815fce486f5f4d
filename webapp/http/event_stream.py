"""Server-sent events: an answer that goes on for some minutes; the browser then asks again by itself."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from quart import Quart, Response

from webapp import clock

STREAM_SECONDS = 300  # after which the browser comes back, so that no answer outlives what it is about by much
HEARTBEAT_SECONDS = 15  # of silence; proxies hang up on a silent answer after a minute
RETRY_MILLISECONDS = 2_000


def event_stream(events: AsyncIterator[str | None]) -> Response:
    """Answer with these events as they come; None is one that tells nothing, so that the end is looked for."""
    response = Response(
        _bounded(events),
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.timeout = None
    return response


async def _bounded(events: AsyncIterator[str | None]) -> AsyncIterator[str]:
    began = spoke = clock.elapsed()
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    async for event in events:
        now = clock.elapsed()
        if event is not None or now - spoke >= HEARTBEAT_SECONDS:
            yield event or ":\n\n"
            spoke = now
        if now - began >= STREAM_SECONDS:
            return


def as_event(name: str, text: str) -> str:
    """An event of this name, as it goes over the wire."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
    return f"event: {name}\n{lines}\n"


def end_of(app: Quart) -> asyncio.Event:
    """What is set when the service ends; an app that nobody serves has no end."""
    end: asyncio.Event | None = getattr(app, "shutdown_event", None)
    return end or asyncio.Event()


async def pause(end: asyncio.Event, seconds: float) -> bool:
    """Wait for so long, or until the end comes; whether it has not come yet."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await end.wait()
    return not end.is_set()
