"""The list of campaigns, and a campaign with its runs and actions."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from pydantic import BeforeValidator
from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp import clock
from webapp.domain.campaigns import campaigns, overview, run_report, runs
from webapp.domain.campaigns.recurrence import next_run, schedule_text
from webapp.domain.campaigns.review import has_unreached
from webapp.domain.campaigns.run_progress import progress_of, with_holds
from webapp.domain.campaigns.scheduling import GRACE, could_not_start
from webapp.domain.campaigns.stop import halted_run, resume_campaign, stop_campaign, stopped_by, unfinished_run
from webapp.domain.campaigns.totals import totals_of
from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.tracking.people import count_totals
from webapp.errors import Conflict, PlanLimitExceeded
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import Link, flash
from webapp.http.forms import FORM, Form, in_words, redirect, render_dialog, submit_once
from webapp.http.paging import ListPaging, query
from webapp.models import Campaign
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.pages.shared.search import ListSearch

blueprint = Blueprint("campaigns", __name__, url_prefix="/campaigns")


UNTIL_RESUMED = {  # what becomes of a paused schedule
    ScheduleType.SCHEDULED_ONCE: "If its time passes before that, schedule it again.",
    ScheduleType.RECURRING: "Scheduled dates in the meantime are skipped.",
    ScheduleType.RECURRING_NEW_CONTACTS: "Those who join in the meantime get it then.",
}


def _known_status(value: Any) -> Any:
    return value if value in list(CampaignStatus) else None


class Filters(ListSearch):
    columns = overview.COLUMNS
    default_sort = "-created"

    status: Annotated[CampaignStatus | None, BeforeValidator(_known_status)] = None


@blueprint.get("", defaults={"template": "campaigns/index.html"})
@blueprint.get("/list", defaults={"template": "campaigns/_list.html"})  # polled while something is sent
@guarded(Action.READ)
@query(Filters)
async def index(template: str, query_args: Filters) -> ResponseReturnValue:
    asked = query_args
    listed = await overview.list_items(g.caller.org, asked.status, asked.wanted, asked.order, asked.q)
    is_live = any(
        line.campaign.status == CampaignStatus.SENDING or (line.newest and line.totals is None) for line in listed.rows
    )
    statuses = list(CampaignStatus)
    return await render_template(template, listed=listed, asked=asked, is_live=is_live, statuses=statuses)


@blueprint.get("/<uuid:campaign_id>")
@guarded(Action.READ, campaigns.find_campaign)
@query(ListPaging)
async def show(campaign: Campaign, query_args: ListPaging) -> ResponseReturnValue:
    return await render_template("campaigns/show.html", **await about(campaign, query_args))


async def about(campaign: Campaign, asked: ListPaging) -> dict[str, Any]:
    org = g.caller.org
    listed = await runs.fetch_runs(org, campaign, asked.wanted)
    lines = await progress_of(listed.rows)
    newest = await with_holds(org, lines[0]) if listed.page.number == 1 and lines else None
    is_tracked = newest is not None and any((newest.run.tracking or {}).values())
    return {
        "campaign": campaign,
        "asked": asked,
        "parts": await overview.load_summary(org, campaign),
        "listed": listed,
        "lines": lines,
        "progress": newest,
        "engaged": (await count_totals(org, [campaign.id])).get(campaign.id) if is_tracked else None,
        "totals": (await totals_of(org, [campaign])).get(campaign.id),
        "has_unreached": campaign.status == CampaignStatus.SENT and await has_unreached(org, campaign),
        "details": await run_report.load_details(org, campaign, newest.run) if newest else None,
        "is_overdue": could_not_start(campaign),
        "copy_form": Form(),
        "follow_up_form": Form(),
    }


@blueprint.post("/<uuid:campaign_id>/stop")
@guarded(Action.SEND, campaigns.find_campaign)
async def stop(campaign: Campaign) -> ResponseReturnValue:
    path, title = f"/campaigns/{campaign.id}", f"“{campaign.title}”"
    try:
        run = await stop_campaign(g.caller.org, campaign, stopped_by(g.caller.user))
    except Conflict as refusal:
        return redirect(path, f"Couldn't pause {title}: {in_words(refusal).removesuffix('.')}.", "bad")
    if run is None:
        until_then = UNTIL_RESUMED[ScheduleType(campaign.schedule_type)]
        return redirect(path, f"Schedule of {title} paused. Nothing is sent until you resume it. {until_then}")
    return redirect(path, f"{title} paused. No more email goes out until you resume.")


@blueprint.route("/<uuid:campaign_id>/resume", methods=FORM)
@guarded(Action.SEND, campaigns.find_campaign)
async def resume(campaign: Campaign) -> ResponseReturnValue:
    org, path, title = g.caller.org, f"/campaigns/{campaign.id}", f"“{campaign.title}”"
    if request.method == "POST":
        try:
            await resume_campaign(org, campaign)
        except (Conflict, PlanLimitExceeded) as refusal:
            return redirect(path, f"Couldn't resume {title}: {in_words(refusal).removesuffix('.')}.", "bad")
        return redirect(path, f"{title} resumed.")
    if campaign.status != CampaignStatus.HALTED:
        return redirect(path, f"{title} isn't paused.", "info")
    run, now = await halted_run(org, campaign), clock.now()
    (progress,) = await progress_of([run]) if run else (None,)
    due = {"next_run": next_run(campaign, org.timezone, now), "now": now, "grace": GRACE}
    schedule = schedule_text(campaign, org.timezone)
    return await render_dialog("campaigns/resume.html", campaign=campaign, progress=progress, schedule=schedule, **due)


@blueprint.post("/<uuid:campaign_id>/duplicate")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def duplicate(campaign: Campaign) -> ResponseReturnValue:
    async def copy() -> str:
        copied = await campaigns.duplicate_campaign(g.caller.org, campaign)
        flash(f"“{copied.title}” created as a draft.")
        return f"/campaigns/{copied.id}/audience"

    return await _copied(campaign, copy)


async def _copied(campaign: Campaign, copy: Callable[[], Awaitable[str]]) -> ResponseReturnValue:
    try:
        return redirect(await submit_once(await Form.sent(), copy))
    except PlanLimitExceeded as refusal:
        message = f"Couldn't duplicate “{campaign.title}”: {in_words(refusal).removesuffix('.')}."
        return redirect(f"/campaigns/{campaign.id}", message, "bad")


@blueprint.post("/<uuid:campaign_id>/follow-up")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def follow_up(campaign: Campaign) -> ResponseReturnValue:
    async def copy() -> str:
        copied = await campaigns.follow_up_campaign(g.caller.org, campaign)
        path, readers = f"/campaigns/{copied.id}/content", f"those who didn't open “{campaign.title}”"
        flash(f"“{copied.title}” goes to {readers}.", link=Link(f"{path}#f-subject", "Change its subject"))
        return path

    return await _copied(campaign, copy)


@blueprint.route("/<uuid:campaign_id>/delete", methods=FORM)
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def delete(campaign: Campaign) -> ResponseReturnValue:
    if request.method == "POST":
        await campaigns.delete_campaign(g.caller.org, campaign)
        return redirect("/campaigns", f"Campaign “{campaign.title}” deleted. The delivery log is kept.")
    run = await unfinished_run(g.caller.org, campaign)
    (progress,) = await progress_of([run]) if run else (None,)
    run_count = (await runs.fetch_runs(g.caller.org, campaign, Page(1, 1))).total
    return await render_dialog("campaigns/delete.html", campaign=campaign, progress=progress, run_count=run_count)
