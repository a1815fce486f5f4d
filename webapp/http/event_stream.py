"""Streams server-sent events for a few minutes, after which the browser reconnects."""

import asyncio
from collections.abc import AsyncIterator

from quart import Quart, Response

from webapp import clock

STREAM_SECONDS = 300  # so that no stream outlives its session or subject by much
HEARTBEAT_SECONDS = 15  # of silence, because proxies close silent connections after a minute
RETRY_MILLISECONDS = 2_000


def event_stream(events: AsyncIterator[str | None]) -> Response:
    """Responds with the events as they come; None sends nothing but checks the time limit."""
    response = Response(
        _bounded(events), content_type="text/event-stream; charset=utf-8", headers={"X-Accel-Buffering": "no"}
    )
    response.timeout = None
    return response


async def _bounded(events: AsyncIterator[str | None]) -> AsyncIterator[str]:
    began = last_sent = clock.elapsed()
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    async for event in events:
        now = clock.elapsed()
        if event is not None or now - last_sent >= HEARTBEAT_SECONDS:
            yield event or ":\n\n"
            last_sent = now
        if now - began >= STREAM_SECONDS:
            return


def as_event(name: str, text: str) -> str:
    lines = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
    return f"event: {name}\n{lines}\n"


def shutdown_event(app: Quart) -> asyncio.Event:
    event: asyncio.Event | None = getattr(app, "shutdown_event", None)
    return event or asyncio.Event()
