"""CSV files that are made while they leave."""

from collections.abc import AsyncIterator

from quart import Response

from webapp.http.streamed_json import SENDING_SECONDS
from webapp.pages.mail.views import saved_as


def download(lines: AsyncIterator[bytes], name: str) -> Response:
    """The lines as a file to keep; a failure in the midst of it breaks the connection, so that no half looks whole."""
    response = Response(lines, headers=saved_as(name), content_type="text/csv; charset=utf-8")
    response.timeout = SENDING_SECONDS
    return response
