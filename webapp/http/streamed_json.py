"""Encodes large JSON responses in a thread or part by part."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from quart import Response

from webapp.http.body.json_body import LARGE_BYTES
from webapp.http.request_log import record_response_start
from webapp.json_encoder import encode

SENDING_SECONDS = 600  # for all parts


class JsonPart(NamedTuple):
    pieces: list[bytes]
    is_last: bool


async def json_response(make: Callable[[], Any], size: int) -> Response:
    """Responds with the JSON of `make`, encoded in a thread if its approximate `size` exceeds LARGE_BYTES."""
    if size > LARGE_BYTES:
        body = await asyncio.to_thread(lambda: encode(make()))
    else:
        body = encode(make())
    return Response(body, content_type="application/json")


async def stream_json(parts: AsyncIterator[JsonPart]) -> Response:
    """Responds with JSON whose parts are made as they are sent; only a failure of the first can set a status."""
    first = await anext(parts)
    if first.is_last:
        return Response(b"".join(first.pieces), content_type="application/json")
    record_response_start(first.pieces)
    response = Response(_leaving(first, parts), content_type="application/json")
    response.timeout = SENDING_SECONDS
    return response


async def _leaving(part: JsonPart, others: AsyncIterator[JsonPart]) -> AsyncIterator[bytes]:
    while True:
        part.pieces.reverse()
        while part.pieces:
            yield part.pieces.pop()
        if part.is_last:
            break
        part = await anext(others)
