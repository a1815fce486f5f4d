"""The report of a campaign, or of the run in `run`, as a page to view or print, and as a CSV file."""

from collections.abc import Iterator, Sequence

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.campaigns import campaigns, runs
from webapp.domain.campaigns.report import Details, Report, load_report, shown_subject
from webapp.domain.campaigns.run_report import FAILURES
from webapp.domain.campaigns.timeline import Span
from webapp.domain.csv_writer import BOM, csv_lines
from webapp.domain.roles import Action
from webapp.domain.tracking.engagement import Figure
from webapp.domain.tracking.judging import minutes_left
from webapp.errors import NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import saved_as
from webapp.http.forms import Form, redirect
from webapp.models import Campaign
from webapp.pages.shared.charts import BarChart, bar_chart

blueprint = Blueprint("campaign_reports", __name__, url_prefix="/campaigns/<uuid:campaign_id>")
COLUMNS = ("section", "item", "measure", "value")  # of the CSV file, with a line for each number
LEAST_BARS = 3  # fewer spans are shown as text

Line = tuple[str, object, str, object]


@blueprint.get("/report")
@guarded(Action.READ, campaigns.find_campaign)
async def show(campaign: Campaign) -> ResponseReturnValue:
    report = await _load(campaign)
    context = {"campaign": campaign, "report": report, "most_read": FAILURES, "copy_form": Form()}
    if details := report.details:
        context["chart"] = _chart(details.timeline)
        context["engagement"] = _chart(details.engagement)
    context["minutes_left"] = await minutes_left(g.caller.org, campaign.id)
    context["subject"] = await shown_subject(g.caller.org, report)
    return await render_template("campaigns/report/show.html", **context)


def _chart(spans: Sequence[Span]) -> BarChart[Span] | None:
    most = [(max(span.sent, span.opened, span.clicked), 0) for span in spans]
    return bar_chart(spans, most) if len(spans) >= LEAST_BARS else None


@blueprint.get("/report.csv")
@guarded(Action.READ, campaigns.find_campaign)
async def export(campaign: Campaign) -> ResponseReturnValue:
    report = await _load(campaign)
    if not report.sums.runs:
        raise NotFound
    if not report.is_counted:
        path = f"/campaigns/{campaign.id}/report" + (f"?run={report.run.id}" if report.run else "")
        return redirect(path, "The emails are still being counted. Download the file when they are.", "warn")
    file = BOM + csv_lines([COLUMNS, *_summary(report), *_details(report)])
    return Response(file, headers=saved_as("report.csv"), content_type="text/csv; charset=utf-8")


async def _load(campaign: Campaign) -> Report:
    """Raises NotFound for a run that isn't the campaign's."""
    run_id = request.args.get("run")
    run = await runs.fetch_run(g.caller.org, campaign.id, run_id) if run_id else None
    return await load_report(g.caller.org, campaign, run)


def _summary(report: Report) -> Iterator[Line]:
    sums, result = report.sums, report.result
    yield "summary", "campaign", "title", report.campaign.title
    yield "summary", "campaign", "started_at", sums.started_at
    yield "summary", "campaign", "finished_at", sums.finished_at
    if result is not None:
        yield "summary", "recipients", "total", result.total
        for status, recipients in result.counts.items():
            yield "summary", "recipients", status, recipients
    for name in ("skipped", "skipped_paused", "skipped_opted_out", "bounced", "complained", "deleted"):
        yield "summary", "emails", name, getattr(sums, name)
    for name in ("unsubscribed", "left_topic"):
        if (number := getattr(report.details, name, None)) is not None:
            yield "summary", "contacts", name, number


def _details(report: Report) -> Iterator[Line]:
    details = report.details
    if details is None:
        return
    for name in ("opens", "clicks"):
        if figure := getattr(details, name):
            yield from _figure(name, "all", figure)
    for span in details.timeline:
        yield "timeline", span.start.isoformat(sep=" ", timespec="minutes"), "sent", span.sent
    for span in details.engagement:
        for name in ("opened", "clicked"):
            yield "engagement", span.start.isoformat(sep=" ", timespec="minutes"), name, getattr(span, name)
    for link in details.links:
        yield from _figure("links", link.url, link.clicks)
    yield from _providers(details)
    for bounce in details.bounces:
        yield "bounces", bounce.sub_type, bounce.kind, bounce.emails
    for failure in details.failures:
        yield "failures", failure.reason, "emails", failure.mails


def _providers(details: Details) -> Iterator[Line]:
    for line in details.providers:
        for name in ("sent", "failed", "bounced", "complained"):
            yield "providers", line.provider, name, getattr(line, name)
        for name in ("opens", "clicks"):
            if getattr(details, name) is not None:
                yield "providers", line.provider, f"{name}_people", getattr(line, name).people
                yield "providers", line.provider, f"{name}_fetched", getattr(line, name).fetched


def _figure(section: str, item: str, figure: Figure) -> Iterator[Line]:
    yield section, item, "people", figure.people
    yield section, item, "fetched", figure.fetched
    for rule, recipients in figure.left_out.items():
        if recipients:
            yield section, item, str(rule), recipients
