"""/v1/campaigns, and their runs."""

from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import responses
from webapp.domain.campaigns import campaigns, runs
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign, NewSend, NewTest
from webapp.domain.campaigns.runs import RunView
from webapp.domain.campaigns.send import retry_run, send_campaign
from webapp.domain.campaigns.stop import STOPPED, resume_campaign, stop_campaign
from webapp.domain.emails.send_test import send_campaign_test
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.idempotency import idempotent
from webapp.http.paging import Paging, query
from webapp.models import Campaign

blueprint = Blueprint("campaigns", __name__, url_prefix="/campaigns")


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@document_response(responses.Many[responses.Campaign])
async def index(query_args: Paging) -> ResponseReturnValue:
    """List the campaigns, newest first."""
    return responses.many(await campaigns.list_campaigns(g.caller.org, query_args.wanted), responses.campaign)


@blueprint.post("")
@guarded(Action.CAMPAIGNS)
@json_body(NewCampaign)
@document_response(responses.One[responses.Campaign], 201)
async def create(data: NewCampaign) -> ResponseReturnValue:
    """Create a campaign.

    Each `schedule_type` but `manual` needs a template, and is armed from now on.
    """
    return responses.one(responses.campaign(await campaigns.add_campaign(g.caller.org, data))), 201


@blueprint.get("/<campaign_id>")
@guarded(Action.READ, campaigns.find_campaign)
@document_response(responses.One[responses.Campaign])
async def show(campaign: Campaign) -> ResponseReturnValue:
    """Show a campaign."""
    return responses.one(responses.campaign(campaign))


@blueprint.patch("/<campaign_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@json_body(CampaignChanges)
@document_response(responses.One[responses.Campaign])
async def change(campaign: Campaign, data: CampaignChanges) -> ResponseReturnValue:
    """Change a campaign.

    What is left out stays. A schedule that changes is armed anew, `manual` disarms it. A run under way goes on as it
    began.
    """
    return responses.one(responses.campaign(await campaigns.change_campaign(g.caller.org, campaign, data)))


@blueprint.delete("/<campaign_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@document_response(responses.Done)
async def remove(campaign: Campaign) -> ResponseReturnValue:
    """Delete a campaign.

    A run under way is halted first. The mail logs stay.
    """
    await campaigns.delete_campaign(g.caller.org, campaign)
    return {"ok": True}


@blueprint.post("/<campaign_id>/send")
@guarded(Action.SEND, campaigns.find_campaign)
@idempotent
@json_body(NewSend, max_bytes=SEND_BYTES)
@document_response(responses.CampaignSent)
async def send(campaign: Campaign, data: NewSend) -> ResponseReturnValue:
    """Send a campaign to the members of its segment.

    A row is queued for each subscribed member, and sent right after. `send_now: false` arms the schedule instead.
    """
    messaged = await send_campaign(g.caller.org, campaign, data)
    return {"ok": True, "campaign_id": campaign.id, "contacts_messaged": messaged}


@blueprint.post("/<campaign_id>/stop")
@guarded(Action.SEND, campaigns.find_campaign)
@document_response(responses.One[responses.Campaign])
async def stop(campaign: Campaign) -> ResponseReturnValue:
    """Stop a campaign: what waits is halted, and the schedule disarmed.

    Answers when no other message of the run can leave.
    """
    return responses.one(responses.campaign(await stop_campaign(g.caller.org, campaign, STOPPED)))


@blueprint.post("/<campaign_id>/resume")
@guarded(Action.SEND, campaigns.find_campaign)
@document_response(responses.One[responses.Campaign])
async def resume(campaign: Campaign) -> ResponseReturnValue:
    """Resume a halted campaign: exactly the rest is sent, and the schedule armed again."""
    return responses.one(responses.campaign(await resume_campaign(g.caller.org, campaign)))


@blueprint.post("/<campaign_id>/test")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@json_body(NewTest)
@document_response(responses.Created)
async def test(campaign: Campaign, data: NewTest) -> ResponseReturnValue:
    """Send a campaign to one address, as its first member would get it.

    20 an hour for the organization; they count towards the account's limit and the plan's.
    """
    return {"id": await send_campaign_test(g.caller.org, campaign, data)}


@blueprint.get("/<campaign_id>/runs")
@guarded(Action.READ, campaigns.find_campaign)
@query(Paging)
@document_response(responses.Many[responses.Run])
async def runs_index(campaign: Campaign, query_args: Paging) -> ResponseReturnValue:
    """List the runs of a campaign, newest first, with the number of their mail logs in each state."""
    return responses.many(await runs.list_runs(g.caller.org, campaign, query_args.wanted), responses.run)


@blueprint.get("/<campaign_id>/runs/<run_id>")
@guarded(Action.READ, runs.find_run)
@document_response(responses.One[responses.Run])
async def runs_show(run: RunView) -> ResponseReturnValue:
    """Show a run."""
    return responses.one(responses.run(run))


@blueprint.post("/<campaign_id>/runs/<run_id>/retry")
@guarded(Action.SEND, runs.find_run)
@document_response(responses.One[responses.Run])
async def runs_retry(run: RunView) -> ResponseReturnValue:
    """Send a run's mail again to those whom it failed to reach, as a new run."""
    return responses.one(responses.run(await retry_run(g.caller.org, run)))
