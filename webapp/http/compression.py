"""Compresses only static files: the compressed size of a page with a secret and a visitor's text leaks it (BREACH)."""

import gzip
from http import HTTPStatus

from quart import Quart, Request, Response

from webapp.http.hooks import hooks_of

MIN_BYTES = 500  # gzip saves little more than its own header on smaller files
KINDS = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")


def register(app: Quart) -> None:
    cache: dict[tuple[str, str], bytes] = {}

    async def compress(request: Request, response: Response) -> None:
        if request.endpoint != "static" or response.status_code != HTTPStatus.OK or response.mimetype not in KINDS:
            return
        response.vary.add("Accept-Encoding")
        etag = response.get_etag()[0] or ""
        if not request.accept_encodings.quality("gzip") or (response.content_length or 0) < MIN_BYTES:
            return
        if (request.path, etag) not in cache:
            cache[request.path, etag] = gzip.compress(await response.get_data(as_text=False))
        response.set_data(cache[request.path, etag])
        response.set_etag(etag, weak=True)  # weak, because the bytes differ from those of the file
        response.content_encoding = "gzip"

    hooks_of(app).after_pages.append(compress)
