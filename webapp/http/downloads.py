"""Answers that are files, which browsers save and never show."""

from urllib.parse import quote

from quart import Response


class File:
    """The bytes of a file, with its own `Content-Type`."""


def download(data: bytes, filename: str, content_type: str = "application/octet-stream") -> Response:
    return Response(data, 200, saved_as(filename), content_type=content_type)


def saved_as(filename: str) -> dict[str, str]:
    """The headers of a file to save (RFC 6266, with the name as in RFC 8187)."""
    return {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
