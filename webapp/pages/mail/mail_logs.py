"""The mail log: one row per recipient."""

from typing import Any
from uuid import UUID

from quart import Blueprint, g, render_template
from quart.typing import ResponseReturnValue

from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.export import export_mail_logs, record_mail_export
from webapp.domain.mail_logs.search import MailLogSearch, filter_options, search_rows
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.models.mail_log import MailStatus
from webapp.pages.mail import views
from webapp.pages.mail.downloads import download
from webapp.pages.mail.filters import LABELS, MailLogSearchForm
from webapp.pages.shared.search import read_search

blueprint = Blueprint("mail_logs", __name__, url_prefix="/mail-logs")
INDEXED = ("status", "account_id", "campaign_id", "campaign_run_id")


@blueprint.get("")
@guarded(Action.READ)
async def index() -> ResponseReturnValue:
    return await _show("mail_logs/index.html")


@blueprint.get("/list")
@guarded(Action.READ)
async def newest() -> ResponseReturnValue:
    """Polled by the open page."""
    return await _show("mail_logs/_list.html")


async def _show(template: str) -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(MailLogSearchForm, LABELS)
    search = asked.search or MailLogSearchForm()
    wanted = search.search(org.timezone)
    listed = await search_rows(org, wanted, search.cursor) if asked.search is not None else None
    rows = listed.found.rows if listed else []
    context = {
        "asked": asked,
        "listed": listed,
        "logs": await mail_logs.add_subjects(org, rows),
        "account_names": await mail_logs.account_names(org, rows),
        "statuses": list(MailStatus),
        # Polled only where an index answers the search and new rows may match.
        "is_live": asked.is_first and not asked.has("to", "tag", "until") and sum(map(asked.has, INDEXED)) <= 1,
        "is_bare": asked.is_bare(listed),
    }
    if template == "mail_logs/index.html":
        context |= await _choices(wanted)
    return await render_template(template, **context), asked.status


async def _choices(wanted: MailLogSearch) -> dict[str, Any]:
    accounts, campaigns, runs = await filter_options(g.caller.org, wanted)
    return {
        "account_options": [(one.id, one.name) for one in accounts],
        "campaign_options": [(one.id, one.title) for one in campaigns],
        "runs": runs,
    }


@blueprint.get("/export.csv")
@guarded(Action.READ)
async def export() -> ResponseReturnValue:
    org = g.caller.org
    wanted = read_search(MailLogSearchForm, LABELS).valid_search.search(org.timezone)
    await record_mail_export(org, "mail logs", wanted)
    return download(export_mail_logs(org, wanted), "mail-logs.csv")


@blueprint.get("/<uuid:row_id>")
@guarded(Action.READ)
async def show(row_id: UUID) -> ResponseReturnValue:
    org = g.caller.org
    view = await _view(row_id)
    return await render_template(
        "mail_logs/show.html",
        row=view.row,
        mail=view.mail,
        account=await mail_logs.account_of(org, view.row),
        campaign=await mail_logs.campaign_of(org, view.row),
        steps=await mail_logs.list_steps(org, view.row),
        **await views.message_page(org, view),
    )


@blueprint.get("/<uuid:row_id>/rendered")
@guarded(Action.READ)
async def rendered(row_id: UUID) -> ResponseReturnValue:
    return await views.rendered(g.caller.org, await _view(row_id))


@blueprint.get("/<uuid:row_id>/attachments/<int(max=999):number>")
@guarded(Action.READ)
async def attachment(row_id: UUID, number: int) -> ResponseReturnValue:
    view = await _view(row_id)
    return await views.attachment(g.caller.org, view.row, number)


@blueprint.get("/<uuid:row_id>/raw.eml")
@guarded(Action.READ)
async def raw(row_id: UUID) -> ResponseReturnValue:
    return await views.raw(g.caller.org, await _view(row_id))


async def _view(row_id: UUID) -> mail_logs.MailLogView:
    return await mail_logs.find_mail_log(g.caller.org, row_id, shows_links=g.caller.sees_links)
