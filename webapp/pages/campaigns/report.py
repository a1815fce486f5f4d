"""The report of a campaign, or of the run in `run`, as a page to view or print, and as a CSV file."""

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.campaigns import campaigns, runs
from webapp.domain.campaigns.report import Report, load_report
from webapp.domain.campaigns.report_csv import report_file
from webapp.domain.campaigns.run_report import FAILURES
from webapp.domain.roles import Action
from webapp.errors import NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.forms import redirect
from webapp.models import Campaign
from webapp.pages.mail.views import saved_as
from webapp.pages.shared.charts import bar_chart

blueprint = Blueprint("campaign_reports", __name__, url_prefix="/campaigns/<uuid:campaign_id>")
LEAST_BARS = 3  # fewer spans are shown as text


@blueprint.get("/report")
@guarded(Action.READ, campaigns.find_campaign)
async def show(campaign: Campaign) -> ResponseReturnValue:
    report = await _load(campaign)
    spans = report.details.timeline if report.details else []
    chart = bar_chart(spans, [(span.sent, 0) for span in spans]) if len(spans) >= LEAST_BARS else None
    context = {"campaign": campaign, "report": report, "chart": chart, "most_read": FAILURES}
    return await render_template("campaigns/report/show.html", **context)


@blueprint.get("/report.csv")
@guarded(Action.READ, campaigns.find_campaign)
async def export(campaign: Campaign) -> ResponseReturnValue:
    report = await _load(campaign)
    if not report.sums.runs:
        raise NotFound
    if not report.is_counted:
        path = f"/campaigns/{campaign.id}/report" + (f"?run={report.run.id}" if report.run else "")
        return redirect(path, "The emails are still being counted. Download the file when they are.", "warn")
    return Response(report_file(report), headers=saved_as("report.csv"), content_type="text/csv; charset=utf-8")


async def _load(campaign: Campaign) -> Report:
    """Raises NotFound for a run that isn't the campaign's."""
    run_id = request.args.get("run")
    run = await runs.fetch_run(g.caller.org, campaign.id, run_id) if run_id else None
    return await load_report(g.caller.org, campaign, run)
