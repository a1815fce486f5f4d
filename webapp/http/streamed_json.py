"""Large answers: made beside the loop, or made and sent part by part, because the whole would not fit into memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from quart import Response

from webapp.http.body.json_body import LARGE_BYTES
from webapp.http.json_provider import encode

SENDING_SECONDS = 600  # for all parts, to a caller who reads slowly


class Part(NamedTuple):
    """Some pieces of an answer, and whether they are its end."""

    pieces: list[bytes]
    is_last: bool


async def whole(make: Callable[[], Any], size: int) -> Response:
    """Answer with the JSON that `make` gives; where it has about `size` characters that are many, in a thread."""
    if size > LARGE_BYTES:
        body = await asyncio.to_thread(lambda: encode(make()))
    else:
        body = encode(make())
    return Response(body, content_type="application/json")


async def in_parts(parts: AsyncIterator[Part]) -> Response:
    """Answer with JSON whose parts are each made when the one before has left.

    The first is made before the answer begins, so that its failure has a status; a later one breaks the connection.
    """
    first = await anext(parts)
    if first.is_last:
        return Response(b"".join(first.pieces), content_type="application/json")
    response = Response(_leaving(first, parts), content_type="application/json")
    response.timeout = SENDING_SECONDS
    return response


async def _leaving(part: Part, others: AsyncIterator[Part]) -> AsyncIterator[bytes]:
    """The pieces, none of which is held once it has left."""
    while True:
        part.pieces.reverse()
        while part.pieces:
            yield part.pieces.pop()
        if part.is_last:
            break
        part = await anext(others)
