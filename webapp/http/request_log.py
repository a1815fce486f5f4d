"""Logs API requests: caller, path, address and outcome, headers and bodies."""

from collections.abc import Sequence
from http import HTTPMethod
from time import monotonic
from typing import cast
from urllib.parse import quote

from quart import Quart, Request, Response, g
from quart.wrappers.response import DataBody
from uuid_utils.compat import uuid7

from webapp import clock
from webapp.domain.api_requests.log import RawDetails, RequestLog
from webapp.domain.api_requests.masking import ANSWER_BYTES, START_BYTES, BodyStart, harmless_headers
from webapp.http.auth.api_key import Caller
from webapp.http.client_ip import client_address
from webapp.http.hooks import current_request, current_values, hooks_of
from webapp.http.memory import remember
from webapp.models.api_request import NewRequest

WRITE_SECONDS = 1.0
PATH_LENGTH = 500
CUT_SHORT = 499  # as in nginx, if the caller hung up or we stopped before there was a response


def register(app: Quart) -> None:
    remember(app, "request_log", RequestLog, write_seconds=WRITE_SECONDS)
    hooks_of(app).before.append(_begin)
    hooks_of(app).after.append(_record_response)

    @app.teardown_request
    async def record(_: BaseException | None) -> None:
        values = current_values()
        caller: Caller | None = values.get("caller")
        if caller is None or caller.key is None:
            return
        request, response = current_request(), cast("Response | None", values.get("response"))
        entry = NewRequest(
            id=uuid7(),
            created_at=values.began_at,
            org_id=caller.org.id,
            key_id=caller.key.id,
            method=request.method,
            path=quote(request.path, errors="replace")[:PATH_LENGTH],  # quoted to be printable
            status=CUT_SHORT if response is None else response.status_code,
            duration_ms=round((monotonic() - values.began) * 1000),
            address=client_address(),
            request_id=values.request_id,
        )
        details = RawDetails(
            query=request.query_string,
            headers=harmless_headers(request.headers.items()),
            request_body=_request_body(request),
            response_body=_response_body(request, response),
        )
        app.extensions["request_log"].record(entry, details)


def _begin(_: Request) -> None:
    values = current_values()
    values.began_at, values.began = clock.now(), monotonic()


def _record_response(_: Request, response: Response) -> None:
    current_values().response = response


def record_request_body(raw: bytearray) -> None:
    g.request_body = BodyStart(bytes(raw[:START_BYTES]), len(raw) <= START_BYTES)


def record_response_start(pieces: Sequence[bytes]) -> None:
    """Records the start of a streamed body, which is sent after the request is logged."""
    start = b"".join(piece[:ANSWER_BYTES] for piece in pieces)
    g.response_body = BodyStart(start[:ANSWER_BYTES], is_whole=False)


def _request_body(request: Request) -> BodyStart | None:
    has_body = bool(request.content_length) or "Transfer-Encoding" in request.headers
    body: BodyStart | None = g.get("request_body", None if has_body else BodyStart(b"", is_whole=True))
    return body


def _response_body(request: Request, response: Response | None) -> BodyStart | None:
    if response is None or request.method == HTTPMethod.HEAD:
        return BodyStart(b"", is_whole=True)
    if isinstance(response.response, DataBody):
        data = response.response.data
        return BodyStart(data[:ANSWER_BYTES], len(data) <= ANSWER_BYTES)
    body: BodyStart | None = g.get("response_body")
    return body
