"""/resend/logs: the requests of all keys, at this door and the API."""

from quart import Blueprint, g

from webapp.domain.api_requests import search
from webapp.domain.api_requests.search import RequestView
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.paging import CursorPaging, query
from webapp.models import ApiRequest
from webapp.resend.shapes import Body, listed, time

blueprint = Blueprint("logs", __name__, url_prefix="/logs")


@blueprint.get("")
@guarded(Action.REQUESTS)
@query(CursorPaging)
async def index(query_args: CursorPaging) -> Body:
    page = await search.list_requests(g.caller.org, query_args.cursor, since=None, until=None)
    agents = await search.user_agents_of(g.caller.org, page.rows)
    return listed([_outline(row, agents.get(row.id)) for row in page.rows], has_more=page.has_more)


@blueprint.get("/<log_id>")
@guarded(Action.REQUESTS, search.find_request)
async def show(view: RequestView) -> Body:
    outline = _outline(view.request, dict(view.headers).get("User-Agent"))
    return {"object": "log", **outline, "request_body": view.request_body, "response_body": view.response_body}


def _outline(request: ApiRequest, user_agent: str | None) -> Body:
    return {
        "id": request.id,
        "created_at": time(request.created_at),
        "endpoint": request.path,
        "method": request.method,
        "response_status": request.status,
        "user_agent": user_agent,
    }
