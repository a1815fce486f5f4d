"""Runs of campaigns: live progress, outcomes, retries."""

from collections.abc import AsyncIterator
from uuid import UUID

from quart import Blueprint, Response, ResponseReturnValue, current_app, g, make_response, render_template, request

from webapp.domain.audit.audit import starter_of
from webapp.domain.auth.sessions import SessionWatch
from webapp.domain.campaigns import campaigns, run_report, runs, send, stop
from webapp.domain.campaigns.run_progress import Progress, latest_progress, progress_of, with_holds
from webapp.domain.roles import Action
from webapp.errors import Conflict, PlanLimitExceeded
from webapp.http.auth.permissions import guarded
from webapp.http.event_stream import as_event, event_stream, shutdown_event
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, in_words, redirect, render_dialog, submit_once
from webapp.http.paging import ListPaging
from webapp.models import Campaign, CampaignRun
from webapp.models.campaign_run import RunStatus
from webapp.pages.campaigns.campaigns import about
from webapp.pages.shared.filters import counted
from webapp.tasks import wait_at_most

blueprint = Blueprint("campaign_runs", __name__, url_prefix="/campaigns/<uuid:campaign_id>/runs/<uuid:run_id>")
EVERY = 1.0  # seconds between two events
TENTH = 10  # per cent, announced to screen readers


@blueprint.get("")
@guarded(Action.READ)
async def show(campaign_id: UUID, run_id: UUID) -> ResponseReturnValue:
    campaign, run = await _find(campaign_id, run_id)
    (progress,) = await progress_of([run])
    progress = await with_holds(g.caller.org, progress)
    details = await run_report.load_details(g.caller.org, campaign, run)
    context = {"progress": progress, "details": details, "starter": await starter_of(g.caller.org, run)}
    return await render_template("campaigns/run.html", campaign=campaign, **context)


@blueprint.get("/progress")
@guarded(Action.READ)
async def poll(campaign_id: UUID, run_id: UUID) -> ResponseReturnValue:
    campaign, run = await _find(campaign_id, run_id)
    progress = await latest_progress(g.caller.org, run)
    if progress.is_active or not progress.is_counted:
        return await render_template("campaigns/_progress.html", campaign=campaign, progress=progress)
    page = await make_response(await render_template("campaigns/show.html", **await about(campaign, ListPaging())))
    page.headers.update({"HX-Retarget": "#campaign", "HX-Reselect": "#campaign", "HX-Reswap": "outerHTML"})
    return page


@blueprint.get("/events")
@guarded(Action.READ)
async def events(campaign_id: UUID, run_id: UUID) -> Response:
    campaign, run = await _find(campaign_id, run_id)
    org, session_id, end = g.visit.org, g.visit.session.id, shutdown_event(current_app)
    sessions: SessionWatch = current_app.extensions.setdefault("session_watch", SessionWatch())
    fragment = current_app.jinja_env.get_template("campaigns/_progress.html")

    async def stream() -> AsyncIterator[str | None]:  # must not use the request, which it outlives
        before, announced = "", 0
        with sessions.watching(session_id, org):
            while await sessions.is_open(session_id, org):
                progress = await latest_progress(org, run)
                shown = await fragment.render_async(campaign=campaign, progress=progress, timezone=org.timezone)
                yield as_event("progress", shown) if shown != before else None
                before = shown
                if not progress.is_active:
                    yield as_event("over", "")
                    return
                if progress.percent // TENTH > announced:
                    announced = progress.percent // TENTH
                    yield as_event("said", f"{announced * TENTH}% done")
                if await wait_at_most(EVERY, end):
                    return

    return event_stream(stream())


@blueprint.route("/retry", methods=FORM)
@guarded(Action.SEND)
async def retry(campaign_id: UUID, run_id: UUID) -> ResponseReturnValue:
    async def send_again() -> str:
        retried = await send.retry_run(g.caller.org, run)
        flash(f"Retrying “{campaign.title}” for {counted(Progress(retried.run, retried.counts).total, 'contact')}.")
        return f"/campaigns/{campaign_id}"

    campaign, run = await _find(campaign_id, run_id)
    if request.method == "POST":
        try:
            return redirect(await submit_once(await Form.sent(), send_again))
        except (Conflict, PlanLimitExceeded) as refusal:
            message = f"Couldn't retry: {in_words(refusal).removesuffix('.')}."
            return redirect(f"/campaigns/{campaign_id}/runs/{run_id}", message, "bad")
    count = await run_report.count_retried(g.caller.org, campaign, run)
    (progress,) = await progress_of([run])
    context = {"campaign": campaign, "progress": progress, "count": count, "retry_form": Form()}
    return await render_dialog("campaigns/retry.html", **context)


@blueprint.route("/give-up", methods=FORM)
@guarded(Action.CAMPAIGNS)
async def give_up(campaign_id: UUID, run_id: UUID) -> ResponseReturnValue:
    path, (campaign, run) = f"/campaigns/{campaign_id}/runs/{run_id}", await _find(campaign_id, run_id)
    is_paused = run.status == RunStatus.HALTED
    if request.method == "POST":
        try:
            count = await stop.give_up(campaign, run, g.caller.user)
        except Conflict as refusal:
            tried = "cancel the rest" if is_paused else "stop waiting"
            return redirect(path, f"Couldn't {tried}: {in_words(refusal).removesuffix('.')}.", "bad")
        emails = counted(count, "email")
        if is_paused:
            return redirect(f"/campaigns/{campaign_id}", f"Canceled the remaining {emails} of “{campaign.title}”.")
        return redirect(path, f"Stopped waiting for {emails}.")
    (progress,) = await progress_of([run])
    if not (progress.is_active or is_paused):
        return redirect(path, "This run isn't sending.", "info")
    return await render_dialog("campaigns/give_up.html", campaign=campaign, progress=progress)


async def _find(campaign_id: UUID, run_id: UUID) -> tuple[Campaign, CampaignRun]:
    run = await runs.fetch_run(g.caller.org, campaign_id, run_id)
    return await campaigns.find_campaign(g.caller.org, campaign_id), run
