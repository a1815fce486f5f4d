"""The log of API requests, and a request with its headers and bodies."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints
from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.api_requests.log import DETAIL_DAYS, DETAIL_ROWS
from webapp.domain.api_requests.search import RequestView, find_request, keys_of, list_requests, newest_keys
from webapp.domain.inputs import Id, OneLine
from webapp.domain.plans.plans import plan_named
from webapp.domain.roles import Action
from webapp.errors import InvalidValue
from webapp.http.auth.permissions import guarded
from webapp.pages.shared.search import SearchForm, read_search

blueprint = Blueprint("requests", __name__, url_prefix="/requests")
LABELS = {
    "status": "Status",
    "method": "Method",
    "key_id": "Key",
    "path": "Path",
    "request_id": "Request ID",
}
METHODS = ("GET", "POST", "PATCH", "DELETE", "HEAD", "PUT", "OPTIONS")
CLASSES = {"2xx": "Succeeded", "4xx": "Client errors", "5xx": "Server errors"}
METHOD = re.compile(r"[A-Z-]{1,16}")
STATUS = re.compile(r"([1-5])(xx|[0-9]{2})")


def _statuses(value: Any) -> tuple[int, int]:
    status = STATUS.fullmatch(str(value).lower())
    if status is None:
        raise InvalidValue.example("status", "404, or 4xx for all 400s")
    if status[2] != "xx":
        return int(status[0]), int(status[0])
    return int(status[1]) * 100, int(status[1]) * 100 + 99


def _method(value: Any) -> str:
    if not METHOD.fullmatch(str(value).upper()):
        raise InvalidValue.example("method", "GET")
    return str(value).upper()


class RequestSearch(SearchForm):
    status: Annotated[tuple[int, int], BeforeValidator(_statuses)] | None = None
    method: Annotated[str, BeforeValidator(_method)] | None = None
    key_id: Id | None = None
    path: Annotated[str, StringConstraints(max_length=500), OneLine] | None = None
    request_id: Annotated[str, StringConstraints(max_length=64), OneLine] | None = None


@blueprint.get("", defaults={"template": "requests/index.html"})
@blueprint.get("/list", defaults={"template": "requests/_list.html"})  # polled by the open page
@guarded(Action.REQUESTS)
async def index(template: str) -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(RequestSearch, LABELS)
    listed = await list_requests(org, asked.cursor, **asked.filters) if asked.is_valid else None
    rows = listed.rows if listed else []
    # Polls only if an index serves the search and new rows may match.
    may_poll = not asked.has("method", "path", "request_id", "until") and not (
        asked.has("key_id") and asked.has("status")
    )
    context = {
        "asked": asked,
        "listed": listed,
        "rows": rows,
        "keys": await keys_of(org, rows),
        "key_options": [
            (key.id, f"{key.name} (revoked)" if key.revoked_at else key.name)
            for key in await newest_keys(org, asked.search.key_id)
        ],
        "method_options": [(method, method) for method in METHODS],
        "classes": CLASSES,
        "kept_days": plan_named(org.plan).kept_days,
        "is_live": asked.is_first and may_poll,
    }
    return await render_template(template, **context), asked.status


@blueprint.get("/<uuid:request_id>")
@guarded(Action.REQUESTS, find_request)
async def show(view: RequestView) -> ResponseReturnValue:
    bounds = {"detail_days": min(DETAIL_DAYS, plan_named(g.caller.org.plan).kept_days), "detail_rows": DETAIL_ROWS}
    return await render_template("requests/show.html", view=view, **bounds)
