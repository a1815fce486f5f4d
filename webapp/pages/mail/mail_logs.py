"""The mail logs, one row per recipient."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.campaigns import run_report, send
from webapp.domain.emails import retry
from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.export import export_mail_logs
from webapp.domain.mail_logs.search import MailLogSearch, filter_options, search_rows
from webapp.domain.mail_logs.waiting import waiting_of
from webapp.domain.roles import Action
from webapp.domain.tracking import people
from webapp.errors import Conflict, PlanLimitExceeded
from webapp.http.auth.permissions import guarded
from webapp.http.forms import in_words, redirect
from webapp.models import Organization
from webapp.models.mail_log import FAILED, MailStatus
from webapp.pages.mail import views
from webapp.pages.mail.filters import LABELS, MailLogSearchForm
from webapp.pages.shared.search import read_search

blueprint = Blueprint("mail_logs", __name__, url_prefix="/mail-logs")
INDEXED = ("status", "account_id", "campaign_id", "campaign_run_id")


@blueprint.get("", defaults={"template": "mail_logs/index.html"})
@blueprint.get("/list", defaults={"template": "mail_logs/_list.html"})  # polled by the open page
@guarded(Action.READ)
async def index(template: str) -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(MailLogSearchForm, LABELS)
    wanted = MailLogSearch(**asked.filters)
    listed = await search_rows(org, wanted, asked.cursor) if asked.is_valid else None
    rows = listed.rows if listed else []
    context: dict[str, Any] = {
        "asked": asked,
        "listed": listed,
        "logs": await mail_logs.add_subjects(org, rows),
        "log_accounts": await mail_logs.accounts_of(org, rows),
        "paused": await mail_logs.paused_campaigns(org, rows),
        "statuses": list(MailStatus),
        # Polls only if an index serves the search and new rows may match.
        "is_live": asked.is_first and not asked.has("to", "tag", "until") and sum(map(asked.has, INDEXED)) <= 1,
    }
    if template == "mail_logs/index.html":
        accounts, campaigns, context["runs"] = await filter_options(org, wanted)
        context["account_options"] = [(account.id, account.name) for account in accounts]
        context["campaign_options"] = [(campaign.id, campaign.title) for campaign in campaigns]
    return await render_template(template, **context), asked.status


async def _find(org: Organization, row_id: UUID) -> mail_logs.MailLogView:
    return await mail_logs.find_mail_log(org, row_id, shows_links=g.caller.sees_links)


@blueprint.get("/<uuid:row_id>")
@guarded(Action.READ, _find)
async def show(view: mail_logs.MailLogView) -> ResponseReturnValue:
    org, row = g.caller.org, view.row
    campaign, may_send = await mail_logs.campaign_of(org, row), g.caller.role.may(Action.SEND)
    return await render_template(
        "mail_logs/show.html",
        row=row,
        mail=view.mail,
        account=await mail_logs.account_of(org, row),
        campaign=campaign,
        waiting=await waiting_of(org, row),
        can_retry=may_send and await run_report.can_retry(org, row, campaign),
        can_retry_row=may_send
        and (await retry.can_retry(org, row) or await run_report.can_retry_row(org, row, campaign)),
        retried_by=await retry.retry_of(org, row) if row.status == FAILED else None,
        hits=await people.list_hits(org, [row.id]),
        steps=await mail_logs.list_steps(org, row),
        **await views.message_page(org, view),
    )


@blueprint.post("/<uuid:row_id>/retry")
@guarded(Action.SEND, _find)
async def retry_one(view: mail_logs.MailLogView) -> ResponseReturnValue:
    org, row = g.caller.org, view.row
    try:
        if row.campaign_run_id is None:
            path = f"/mail-logs/{await retry.retry_recipient(org, row)}"
        else:
            run = await send.retry_recipient(org, row)
            path = f"/campaigns/{run.campaign_id}/runs/{run.id}"
    except (Conflict, PlanLimitExceeded) as refusal:
        return redirect(f"/mail-logs/{row.id}", f"Couldn't retry: {in_words(refusal).removesuffix('.')}.", "bad")
    return redirect(path, f"Retrying the email to {row.to_email}.")


views.add_export(blueprint, MailLogSearchForm, export_mail_logs)
views.add_parts(blueprint, _find)
