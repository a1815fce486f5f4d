"""A request id in every response, log line and error page."""

import os
import re

from quart import Quart, Request, Response, g

from webapp.http.hooks import after, before
from webapp.logs import request_id
from webapp.loop_monitor import name_work

HEADER = "X-Request-Id"
ACCEPTED = re.compile(r"[A-Za-z0-9-]{8,64}")  # a caller's own id, where it is harmless in a log


def register(app: Quart) -> None:
    before(app, _begin)
    after(app, _add_header)


def _begin(request: Request) -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = own = given if ACCEPTED.fullmatch(given) else os.urandom(16).hex()
    request_id.set(own)
    name_work(f"{request.method} {request.url_rule or 'a path that is none'}")


def _add_header(_: Request, response: Response) -> None:
    response.headers[HEADER] = g.get("request_id") or os.urandom(16).hex()
