"""Adds a request id to every response, log line and error page."""

import os
import re

from quart import Quart, Request, Response

from webapp.http.hooks import current_values, hooks_of
from webapp.logs import request_id
from webapp.loop_monitor import name_work

HEADER = "X-Request-Id"
ACCEPTED = re.compile(r"[A-Za-z0-9-]{8,64}")  # ids from callers that are harmless in a log


def register(app: Quart) -> None:
    hooks_of(app).before.append(_begin)
    hooks_of(app).after.append(_add_header)


def _begin(request: Request) -> None:
    from_caller = request.headers.get(HEADER, "")
    own_id = from_caller if ACCEPTED.fullmatch(from_caller) else os.urandom(16).hex()
    current_values().request_id = own_id
    request_id.set(own_id)
    name_work(f"{request.method} {request.url_rule or 'unknown path'}")


def _add_header(_: Request, response: Response) -> None:
    response.headers[HEADER] = current_values().get("request_id") or os.urandom(16).hex()
