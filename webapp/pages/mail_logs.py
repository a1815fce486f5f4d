"""Mail logs: what became of each recipient's mail."""

from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

from pydantic import BeforeValidator
from quart import Blueprint, g, render_template
from quart.typing import ResponseReturnValue

from webapp.domain import mail_events, mail_logs
from webapp.domain.inputs import Id
from webapp.domain.mail_logs import MailLogFilters, MailStatus
from webapp.domain.roles import Action
from webapp.http.guard import guarded
from webapp.http.paging import Paging, query
from webapp.pages.mail_frame import mail_frame

blueprint = Blueprint("mail_logs", __name__, url_prefix="/mail-logs")


def _known_status(value: Any) -> Any:
    """A status that is none filters nothing: the address may be typed by hand."""
    return value if value in list(MailStatus) else None


class Filters(Paging):
    """What the list of mail logs is asked for."""

    status: Annotated[MailStatus | None, BeforeValidator(_known_status)] = None
    account_id: Id | None = None

    @property
    def as_query(self) -> str:
        """The filters in the address of the page."""
        given = {"status": self.status, "account_id": self.account_id}
        text = urlencode({name: str(value) for name, value in given.items() if value})
        return f"?{text}" if text else ""


@blueprint.get("")
@guarded(Action.READ)
@query(Filters)
async def index(query_args: Filters) -> ResponseReturnValue:
    return await render_template("mail_logs/index.html", **await _listed(query_args))


@blueprint.get("/list")
@guarded(Action.READ)
@query(Filters)
async def newest(query_args: Filters) -> ResponseReturnValue:
    """What the open page asks for every few seconds."""
    return await render_template("mail_logs/_list.html", **await _listed(query_args))


async def _listed(asked: Filters) -> dict[str, Any]:
    filters = MailLogFilters(status=asked.status, account_id=asked.account_id)
    listed = await mail_logs.list_lines(g.caller.org, filters, asked.wanted)
    names = await mail_events.account_names(g.caller.org, [line.row for line in listed.rows])
    return {"listed": listed, "logs": listed.rows, "account_names": names, "asked": asked, "statuses": list(MailStatus)}


@blueprint.get("/<uuid:row_id>")
@guarded(Action.READ)
async def show(row_id: UUID) -> ResponseReturnValue:
    org = g.caller.org
    view = await mail_logs.find_mail_log(org, row_id)
    account = await mail_events.account_of(org, view.row)
    events = await mail_events.list_events(org, view.row)
    return await render_template("mail_logs/show.html", row=view.row, mail=view.mail, account=account, events=events)


@blueprint.get("/<uuid:row_id>/rendered")
@guarded(Action.READ)
async def rendered(row_id: UUID) -> ResponseReturnValue:
    view = await mail_logs.find_mail_log(g.caller.org, row_id)
    return mail_frame(view.mail.body_html if view.mail else "")
