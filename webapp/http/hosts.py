"""Refuses requests without exactly one valid Host header (RFC 9112, 3.2)."""

from quart import Quart, Request
from werkzeug.datastructures import Headers

from webapp.errors import ValidationError
from webapp.hosts import is_host_header
from webapp.http.hooks import before


def register(app: Quart) -> None:
    before(app, _refuse)


def drop_bad_host(headers: Headers) -> None:
    """Removes a bad Host header before routing fails on it; an empty one is Quart's for HTTP/1.0, which needs none."""
    given = headers.getlist("Host")
    if given != [""] and not (len(given) == 1 and is_host_header(given[0])):
        headers.remove("Host")


def _refuse(request: Request) -> None:
    host = request.headers.get("Host")
    if host is None or (host == "" and request.http_version != "1.0"):
        raise ValidationError("the request must have exactly one Host header with a valid host name")
