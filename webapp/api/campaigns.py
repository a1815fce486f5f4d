"""/v1/campaigns, and their runs."""

from pydantic import Field
from quart import Blueprint, ResponseReturnValue, g

from webapp.api.responses import Created, Done, Many, One, answers
from webapp.api.responses import campaigns as shapes
from webapp.domain.campaigns import campaigns, runs
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign, NewSend, NewTest
from webapp.domain.campaigns.report import load_report
from webapp.domain.campaigns.runs import Audience, count_send
from webapp.domain.campaigns.send import retry_run, send_campaign
from webapp.domain.campaigns.stop import STOPPED, resume_campaign, stop_campaign
from webapp.domain.campaigns.totals import Totals, totals_of
from webapp.domain.emails.send_test import send_campaign_test
from webapp.domain.inputs import Id, Input
from webapp.domain.pagination import Listed
from webapp.domain.roles import Action
from webapp.domain.tracking.engagement import engagement_of
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.idempotency import idempotent
from webapp.http.paging import Paging, query
from webapp.models import Campaign, CampaignRun

blueprint = Blueprint("campaigns", __name__, url_prefix="/campaigns")


async def _counted(campaign: Campaign) -> tuple[Campaign, Totals | None]:
    return campaign, (await totals_of(g.caller.org, [campaign])).get(campaign.id)


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[shapes.Campaign])
async def index(query_args: Paging) -> object:
    """List campaigns, newest first."""
    listed = await campaigns.list_campaigns(g.caller.org, query_args.wanted)
    totals = await totals_of(g.caller.org, listed.rows)
    return Listed([(row, totals.get(row.id)) for row in listed.rows], listed.page, listed.total)


@blueprint.post("")
@guarded(Action.CAMPAIGNS)
@json_body(NewCampaign)
@answers(One[shapes.Campaign], 201)
async def create(data: NewCampaign) -> object:
    """Create a campaign.

    Every `schedule_type` except `manual` needs a template and starts the schedule immediately.
    """
    return await _counted(await campaigns.add_campaign(g.caller.org, data))


@blueprint.get("/<campaign_id>")
@guarded(Action.READ, campaigns.find_campaign)
@answers(One[shapes.Campaign])
async def show(campaign: Campaign) -> object:
    """Get a campaign."""
    return await _counted(campaign)


@blueprint.patch("/<campaign_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@json_body(CampaignChanges)
@answers(One[shapes.Campaign])
async def change(campaign: Campaign, data: CampaignChanges) -> object:
    """Change a campaign.

    Omitted fields keep their values. Changing the schedule arms it again; `manual` disarms it. A run that is under way
    is not affected.
    """
    return await _counted(await campaigns.change_campaign(g.caller.org, campaign, data))


@blueprint.delete("/<campaign_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@answers(Done)
async def remove(campaign: Campaign) -> None:
    """Delete a campaign.

    A run that is under way is halted first. Mail logs are kept.
    """
    await campaigns.delete_campaign(g.caller.org, campaign)


@blueprint.post("/<campaign_id>/send")
@guarded(Action.SEND, campaigns.find_campaign)
@idempotent
@json_body(NewSend, max_bytes=SEND_BYTES, find=count_send)
@answers(shapes.CampaignSent)
async def send(campaign: Campaign, data: tuple[NewSend, Audience]) -> ResponseReturnValue:
    """Send a campaign to the members of its segment.

    Queues one email per subscribed member and starts sending. `send_now: false` arms the schedule instead. A campaign
    that was sent before is sent to all members again: `already_messaged` says how many an earlier run reached, and
    `audience: "new"` leaves them out.
    """
    send_data, audience = data
    queued = await send_campaign(g.caller.org, campaign, send_data, audience)
    reached = audience.reached_before
    return {"ok": True, "campaign_id": campaign.id, "contacts_messaged": queued, "already_messaged": reached}


@blueprint.post("/<campaign_id>/stop")
@guarded(Action.SEND, campaigns.find_campaign)
@answers(One[shapes.Campaign])
async def stop(campaign: Campaign) -> object:
    """Stop a campaign: unsent emails are halted and the schedule stops.

    Responds when no further email of the run can be sent.
    """
    await stop_campaign(g.caller.org, campaign, STOPPED)
    return await _counted(campaign)


@blueprint.post("/<campaign_id>/resume")
@guarded(Action.SEND, campaigns.find_campaign)
@answers(One[shapes.Campaign])
async def resume(campaign: Campaign) -> object:
    """Resume a halted campaign: the remaining emails are sent and the schedule continues."""
    return await _counted(await resume_campaign(g.caller.org, campaign))


@blueprint.post("/<campaign_id>/test")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@json_body(NewTest)
@answers(Created)
async def test(campaign: Campaign, data: NewTest) -> ResponseReturnValue:
    """Send a test of a campaign to one address, rendered for the first recipient, with "[Test] " before its subject.

    Up to 20 per hour per organization. Tests count toward the account and plan limits.
    """
    return {"id": (await send_campaign_test(g.caller.org, campaign, data)).row_id}


class ReportQuery(Input):
    run_id: Id | None = Field(default=None, description="The report of this run alone.")


@blueprint.get("/<campaign_id>/report")
@guarded(Action.READ, campaigns.find_campaign)
@query(ReportQuery)
@answers(One[shapes.CampaignReport])
async def report(campaign: Campaign, query_args: ReportQuery) -> object:
    """Get the report of a campaign, or of one of its runs.

    Each recipient is counted once, by their best result in all runs. `skipped`, `bounced` and `complained` are sums of
    the runs.
    """
    run = await runs.fetch_run(g.caller.org, campaign.id, query_args.run_id) if query_args.run_id else None
    return await load_report(g.caller.org, campaign, run)


@blueprint.get("/<campaign_id>/runs")
@guarded(Action.READ, campaigns.find_campaign)
@query(Paging)
@answers(Many[shapes.Run])
async def runs_index(campaign: Campaign, query_args: Paging) -> object:
    """List the runs of a campaign, newest first, with the number of mail logs in each state."""
    return await runs.list_runs(g.caller.org, campaign, query_args.wanted)


@blueprint.get("/<campaign_id>/runs/<run_id>")
@guarded(Action.READ, runs.fetch_run)
@answers(One[shapes.Run])
async def runs_show(run: CampaignRun) -> object:
    """Get a run."""
    (view,) = await runs.with_counts([run])
    return view


@blueprint.get("/<campaign_id>/runs/<run_id>/engagement")
@guarded(Action.READ, runs.fetch_run)
@answers(One[shapes.Engagement])
async def runs_engagement(run: CampaignRun) -> object:
    """Get the opens and clicks of a run.

    Machines follow links and fetch images, too. `people` are recipients who surely did, `fetched` is everything that
    was, and `left_out` says what is between them.
    """
    return await engagement_of(g.caller.org, run)


@blueprint.post("/<campaign_id>/runs/<run_id>/retry")
@guarded(Action.SEND, runs.fetch_run)
@answers(One[shapes.Run])
async def runs_retry(run: CampaignRun) -> object:
    """Retry the failed recipients of a run, as a new run."""
    return await retry_run(g.caller.org, run)
