"""Answers that are files, which browsers save and never show."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from quart import Response

from webapp.http.body.finish_on_disconnect import SENDING_SECONDS

LONGEST_SECONDS = 3600  # to send all that is stored of a person


class File:
    """The bytes of a file, with its own `Content-Type`."""


def download(data: bytes, filename: str, content_type: str = "application/octet-stream") -> Response:
    return Response(data, 200, saved_as(filename), content_type=content_type)


def stream(parts: AsyncIterator[bytes], filename: str, content_type: str, seconds: float = SENDING_SECONDS) -> Response:
    """Streams a file; a failure breaks the connection, so that a partial file never looks complete."""
    response = Response(parts, headers=saved_as(filename), content_type=content_type)
    response.timeout = seconds
    return response


def stream_csv(lines: AsyncIterator[bytes], filename: str) -> Response:
    return stream(lines, filename, "text/csv; charset=utf-8")


def saved_as(filename: str) -> dict[str, str]:
    """The headers of a file to save (RFC 6266, with the name as in RFC 8187)."""
    return {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
