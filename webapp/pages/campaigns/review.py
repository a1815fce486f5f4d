"""The review of a campaign, test emails, and sending."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp import clock
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.forecast import forecast_text
from webapp.domain.campaigns.inputs import NewSend, NewTest
from webapp.domain.campaigns.overview import CampaignSummary
from webapp.domain.campaigns.recurrence import first_repeated_run, schedule_text
from webapp.domain.campaigns.review import review_campaign
from webapp.domain.campaigns.review_checks import Review
from webapp.domain.campaigns.runs import count_send
from webapp.domain.campaigns.send import send_campaign
from webapp.domain.emails.send_test import send_campaign_test
from webapp.domain.roles import Action
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.models import Campaign
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.campaign_run import RunTrigger
from webapp.pages.campaigns.content_form import tracking_text
from webapp.pages.campaigns.wizard import PARTS, STEPS
from webapp.pages.sandbox import inbox_link
from webapp.pages.shared.filters import counted, sentence
from webapp.pages.templates.editing import field_with_tag

blueprint = Blueprint("campaign_review", __name__, url_prefix="/campaigns/<uuid:campaign_id>")


@blueprint.get("/review")
@guarded(Action.SEND, campaigns.find_campaign)
async def show(campaign: Campaign) -> ResponseReturnValue:
    return await render_template("campaigns/review.html", **await _about(campaign, _form_of(campaign)))


def _form_of(campaign: Campaign) -> Form:
    """A campaign that was sent before is reviewed for its new members, unless `audience` asks for all."""
    was_sent = campaign.schedule_type == ScheduleType.MANUAL and campaign.last_run_at is not None
    return Form({"audience": "new" if was_sent and request.args.get("audience") != "all" else "all"})


@blueprint.route("/send", methods=FORM)
@guarded(Action.SEND, campaigns.find_campaign)
async def send(campaign: Campaign) -> ResponseReturnValue:
    if request.method != "POST":
        context = await _about(campaign, _form_of(campaign))
        is_ready = context["review"].can_go and campaign.next_run_at is None
        if not is_ready or campaign.status in (CampaignStatus.SENDING, CampaignStatus.HALTED):
            return redirect(f"/campaigns/{campaign.id}/review")
        return await render_dialog("campaigns/send.html", **context)
    form = await Form.sent()
    try:
        return redirect(await submit_once(form, lambda: _send(campaign, form)))
    except ApiError as refusal:
        if isinstance(refusal, ValidationError) and refusal.details and refusal.details[0].field == "confirm":
            return await render_page("campaigns/send.html", **await _about(campaign, form.refuse(refusal)))
        form.errors[""] = f"{sentence(str(refusal)).rstrip('.')}."
        campaign = await campaigns.find_campaign(g.caller.org, campaign.id)
        return await render_page("campaigns/review.html", **await _about(campaign, form))


async def _send(campaign: Campaign, form: Form) -> str:
    """Sends the campaign or arms its schedule. Raises ValidationError for a failed check."""
    org = g.caller.org
    is_now, is_for_new = campaign.schedule_type == "manual", form.values.get("audience") == "new"
    review = await review_campaign(org, campaign, is_for_new=is_for_new)
    if fault := next((check.text for check in review.checks if check.kind == "bad"), None):
        raise ValidationError(fault)
    is_idle = campaign.status not in (CampaignStatus.SENDING, CampaignStatus.HALTED)
    if is_idle and review.counts.reached and form.values.get("confirm", "").strip() != str(review.counts.recipients):
        raise ValidationError.of("confirm", f"Enter {review.counts.recipients} to send this campaign again.")
    data = NewSend(
        send_now=is_now,
        sender_account_ids=campaign.named_accounts or None,
        audience="new" if is_for_new and is_now else "all",
    )
    queued = await send_campaign(org, campaign, *await count_send(org, data, campaign), RunTrigger.DASHBOARD)
    title = f"“{campaign.title}”"
    sent = f"Sending {title} to {counted(queued, 'contact')}."
    begun = "started" if campaign.is_for_new_members else "scheduled"
    flash(sent if is_now else f"{title} {begun}: {schedule_text(campaign, org.timezone)}.")
    return f"/campaigns/{campaign.id}"


@blueprint.post("/test")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def test(campaign: Campaign) -> ResponseReturnValue:
    async def send_test() -> str:
        data = form.read(NewTest)
        is_for_new = form.values.get("audience") == "new"
        sent = await send_campaign_test(g.caller.org, campaign, data, is_for_new=is_for_new)
        flash(sent.text, link=inbox_link(sent))
        return f"/campaigns/{campaign.id}/review"

    form = await Form.sent()
    try:
        return redirect(await submit_once(form, send_test))
    except NotFound:
        raise
    except ApiError as refusal:
        context = await _about(
            campaign, Form({"audience": form.values.get("audience", "")}), form.refuse(refusal, shown=("to",))
        )
        return await render_page("campaigns/review.html", "campaigns/_test.html", **context)


async def _about(campaign: Campaign, form: Form, test_form: Form | None = None) -> dict[str, Any]:
    org = g.caller.org
    review = await review_campaign(org, campaign, is_for_new=form.values.get("audience") == "new")
    return {
        "campaign": campaign,
        "review": review,
        "parts": CampaignSummary(
            review.segment,
            review.template,
            list(review.accounts),
            schedule_text(campaign, org.timezone),
            review.excluded_segments,
        ),
        "first_send": first_repeated_run(campaign, org.timezone, clock.now()),
        "tag_fields": _tag_fields(review),
        "outlook": forecast_text(review.forecast, clock.now()) if review.forecast else None,
        "tracked": tracking_text(org, campaign),
        "form": form,
        "test_form": test_form or Form({"to": g.caller.user.email}),
        "step": "review",
        "steps": STEPS,
        "part_names": PARTS,
    }


def _tag_fields(review: Review) -> dict[str, str]:
    """The template editor's fields that use the tags of the checks."""
    if (template := review.template) is None:
        return {}
    return {check.tag: field_with_tag(template, check.tag) for check in review.checks if check.tag}
