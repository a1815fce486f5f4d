"""CSV files that are made while they leave."""

from collections.abc import AsyncIterator

from quart import Response

SENDING_SECONDS = 600  # to somebody with a slow line


def download(lines: AsyncIterator[bytes], name: str) -> Response:
    """The lines as a file to keep; a failure in the midst of it breaks the connection, so that no half looks whole."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    response = Response(lines, headers=headers, content_type="text/csv; charset=utf-8")
    response.timeout = SENDING_SECONDS
    return response
