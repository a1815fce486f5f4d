"""The review of a campaign, its test mail, and the button that sends it."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp import clock
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.campaigns import Campaign
from webapp.domain.campaigns.forecast import forecast_text
from webapp.domain.campaigns.overview import CampaignSummary, schedule_text
from webapp.domain.campaigns.review import Review, require_sendable, review_campaign
from webapp.domain.campaigns.send import NewSend, RunTrigger, send_campaign
from webapp.domain.emails.send_test import NewTest, send_campaign_test
from webapp.domain.roles import Action
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import Form, form_error, redirect, submit_once
from webapp.pages.campaigns.wizard import STEPS

blueprint = Blueprint("campaign_review", __name__, url_prefix="/campaigns/<uuid:campaign_id>")


@blueprint.get("/review")
@guarded(Action.SEND, campaigns.find_campaign)
async def show(campaign: Campaign) -> ResponseReturnValue:
    return await render_template("campaigns/review.html", **await _about(campaign, Form(), _test_form()))


@blueprint.post("/send")
@guarded(Action.SEND, campaigns.find_campaign)
async def send(campaign: Campaign) -> ResponseReturnValue:
    form = await Form.sent()
    try:
        return redirect(await submit_once(form, lambda: _send(campaign)))
    except ApiError as refusal:
        return await _refuse(campaign.id, form, refusal)


async def _send(campaign: Campaign) -> str:
    """Sends it or arms its schedule. Raises the domain's errors, and ValidationError for a failed check."""
    org, named = g.caller.org, campaign.sender_account_ids
    require_sendable(await review_campaign(org, campaign))
    is_now = campaign.schedule_type == "manual"
    data = NewSend(send_now=is_now, sender_account_ids=[UUID(one) for one in named] if named else None)
    queued = await send_campaign(org, campaign, data, RunTrigger.DASHBOARD)
    if is_now:
        flash(f"“{campaign.title}” is on its way to {queued:,} contact{'' if queued == 1 else 's'}.")
    else:
        flash(f"“{campaign.title}” is scheduled: {schedule_text(org, campaign)}.")
    return f"/campaigns/{campaign.id}"


async def _refuse(campaign_id: UUID, form: Form, refusal: ApiError) -> ResponseReturnValue:
    campaign = await campaigns.find_campaign(g.caller.org, campaign_id)
    form.errors[""] = f"{str(refusal)[:1].upper()}{str(refusal)[1:].rstrip('.')}."
    context = await _about(campaign, form, _test_form())
    return await form_error("campaigns/review.html", "campaigns/review.html", **context)


@blueprint.post("/test")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def test(campaign: Campaign) -> ResponseReturnValue:
    form = await Form.sent()
    try:
        return redirect(await submit_once(form, lambda: _test(campaign, form)))
    except ApiError as refusal:
        if isinstance(refusal, NotFound):
            raise
        form.refuse(refusal, shown=("to",))
        context = await _about(campaign, Form(), form)
        return await form_error("campaigns/review.html", "campaigns/_test.html", **context)


async def _test(campaign: Campaign, form: Form) -> str:
    data = form.read(NewTest)
    await send_campaign_test(g.caller.org, campaign, data)
    flash(f"A test is on its way to {data.to}.")
    return f"/campaigns/{campaign.id}/review"


def _test_form() -> Form:
    return Form({"to": g.caller.user.email})


async def _about(campaign: Campaign, form: Form, test_form: Form) -> dict[str, Any]:
    org = g.caller.org
    review = await review_campaign(org, campaign)
    return {
        "campaign": campaign,
        "review": review,
        "parts": CampaignSummary(
            review.segment, review.template, list(review.given.accounts), schedule_text(org, campaign)
        ),
        "outlook": _outlook(review),
        "form": form,
        "test_form": test_form,
        "step": "review",
        "steps": STEPS,
    }


def _outlook(review: Review) -> str | None:
    return forecast_text(review.forecast, clock.now()) if review.forecast else None
