"""Refuses requests without exactly one valid Host header (RFC 9112, 3.2)."""

from quart import Quart, Request
from werkzeug.datastructures import Headers

from webapp.errors import ValidationError
from webapp.hosts import is_host_header
from webapp.http.hooks import hooks_of


def register(app: Quart) -> None:
    hooks_of(app).before.append(_refuse)


def drop_bad_host(headers: Headers) -> None:
    """Removes bad Host headers before routing fails on them; Quart sets an empty one for HTTP/1.0, which needs none."""
    hosts = headers.getlist("Host")
    if hosts != [""] and not (len(hosts) == 1 and is_host_header(hosts[0])):
        headers.remove("Host")


def _refuse(request: Request) -> None:
    host = request.headers.get("Host")
    if host is None or (host == "" and request.http_version != "1.0"):
        raise ValidationError("the request must have exactly one Host header with a valid host name")
