"""Streams CSV files."""

from collections.abc import AsyncIterator

from quart import Response

from webapp.http.streamed_json import SENDING_SECONDS
from webapp.pages.mail.views import saved_as


def download(lines: AsyncIterator[bytes], name: str) -> Response:
    """Streams the lines as a file; a failure breaks the connection, so that half a file never looks whole."""
    response = Response(lines, headers=saved_as(name), content_type="text/csv; charset=utf-8")
    response.timeout = SENDING_SECONDS
    return response
