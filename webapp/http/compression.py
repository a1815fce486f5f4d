"""Static files leave compressed, to browsers that take it.

Pages do not: the size of one that holds a secret beside what a visitor sent would give the secret away (BREACH).
"""

import gzip
from http import HTTPStatus

from quart import Quart, Response, request

WORTH_IT = 1_000  # bytes; what is smaller fits into a packet anyway
KINDS = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")


def register(app: Quart) -> None:
    """Compress what the app serves from `static`; each file once, as long as it stays the same."""
    kept: dict[tuple[str, str], bytes] = {}

    @app.after_request
    async def compress(response: Response) -> Response:
        if request.endpoint != "static" or response.status_code != HTTPStatus.OK or response.mimetype not in KINDS:
            return response
        response.vary.add("Accept-Encoding")
        etag = response.get_etag()[0] or ""
        if not request.accept_encodings.quality("gzip") or (response.content_length or 0) < WORTH_IT:
            return response
        if (request.path, etag) not in kept:
            kept[request.path, etag] = gzip.compress(await response.get_data(as_text=False))
        response.set_data(kept[request.path, etag])
        response.set_etag(etag, weak=True)  # the same file, and not the same bytes
        response.content_encoding = "gzip"
        return response
