"""The log of API requests: caller, path, address and outcome."""

from time import monotonic
from urllib.parse import quote

from quart import Quart, Response, g, request
from uuid_utils.compat import uuid7

from webapp import clock
from webapp.domain.api_requests.log import RequestLog
from webapp.http.background_tasks import every
from webapp.http.client_ip import client_address
from webapp.models.api_request import NewRequest

WRITE_SECONDS = 1.0
PATH_LENGTH = 500
CUT_SHORT = 499  # as in nginx: the caller hung up, or we had to stop, before there was an answer


def register(app: Quart) -> None:
    requests = RequestLog()
    every(app, WRITE_SECONDS, requests.write)

    @app.before_request
    async def begin() -> None:
        g.began_at, g.began = clock.now(), monotonic()

    @app.after_request
    async def note_status(response: Response) -> Response:
        g.status = response.status_code
        return response

    @app.teardown_request
    async def note(_: BaseException | None) -> None:
        caller = g.get("caller")
        if caller is None or caller.key is None:
            return
        entry = NewRequest(
            id=uuid7(),
            created_at=g.began_at,
            org_id=caller.org.id,
            key_id=caller.key.id,
            method=request.method,
            path=quote(request.path, errors="replace")[:PATH_LENGTH],  # quoted, so that it is printable
            status=g.get("status", CUT_SHORT),
            duration_ms=round((monotonic() - g.began) * 1000),
            address=client_address(),
            request_id=g.request_id,
        )
        requests.record(entry)
