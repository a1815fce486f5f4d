"""The steps that make a campaign; each choice is saved, so that one may leave and come back."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from quart import Blueprint, g, render_template, request
from quart.typing import ResponseReturnValue

from webapp.domain.campaigns import campaigns, drafts
from webapp.domain.campaigns.campaigns import Campaign, CampaignChanges, NewCampaign
from webapp.domain.campaigns.inputs import NewSend
from webapp.domain.campaigns.overview import (
    SEGMENTS,
    TEMPLATES,
    account_options,
    load_summary,
    segment_options,
    template_options,
)
from webapp.domain.campaigns.preview import fault_text, preview_campaign
from webapp.domain.inputs import read_input
from webapp.domain.roles import Action
from webapp.domain.templates import templates
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import Form, form_error, redirect, submit_once
from webapp.pages.campaigns import schedule_form
from webapp.pages.mail.frame import mail_frame

blueprint = Blueprint("campaign_steps", __name__, url_prefix="/campaigns")
STEPS = {
    "audience": "Audience",
    "content": "Content",
    "senders": "Senders",
    "schedule": "Schedule",
    "review": "Review",
}
LABELS = {
    "segment_id": "The segment",
    "template_id": "The template",
    "scheduled_at": "The time",
    "recurrence_interval": "The number",
    "recurrence_unit": "The unit",
    "sender_account_ids": "The accounts",
}
NOTHING: dict[str, Any] = {"campaign": None, "parts": None, "step": "audience", "steps": STEPS}


@blueprint.get("/new")
@guarded(Action.CAMPAIGNS)
async def new() -> ResponseReturnValue:
    segment_id = request.args.get("segment", type=UUID)
    form = Form({"segment_id": segment_id or ""})
    return await render_template("campaigns/new.html", form=form, **NOTHING, **await _audiences(segment_id))


@blueprint.post("")
@guarded(Action.CAMPAIGNS)
async def create() -> ResponseReturnValue:
    form = await Form.sent()
    if _is_search(form):
        return await render_template(
            "campaigns/new.html", form=form, **NOTHING, **await _audiences(_chosen(form), form)
        )
    try:
        return redirect(await submit_once(form, lambda: _add(form)))
    except ApiError as refusal:
        return await _refuse(form, refusal, "campaigns/new.html", **NOTHING, **await _audiences(_chosen(form), form))


def _is_search(form: Form) -> bool:
    """True for the search button, and for Enter behind words not searched for yet."""
    then, typed = form.values.get("then"), form.values.get("q", "")
    return then == "search" or (then == "enter" and typed != form.values.get("searched", ""))


def _chosen(form: Form, name: str = "segment_id") -> UUID | None:
    try:
        return UUID(str(form.values.get(name, "")))
    except ValueError:
        return None


async def _add(form: Form) -> str:
    campaign = await campaigns.add_campaign(g.caller.org, form.read(NewCampaign))
    return f"/campaigns/{campaign.id}/content"


@blueprint.get("/<uuid:campaign_id>/audience")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def audience(campaign: Campaign) -> ResponseReturnValue:
    return await _show(campaign, "audience", _form_of(campaign), **await _audiences(campaign.segment_id))


@blueprint.post("/<uuid:campaign_id>/audience")
@guarded(Action.CAMPAIGNS)
async def set_audience(campaign_id: UUID) -> ResponseReturnValue:
    form = await Form.sent()
    if _is_search(form):
        campaign = await campaigns.find_campaign(g.caller.org, campaign_id)
        return await _show(campaign, "audience", form, **await _audiences(_chosen(form), form))

    async def change(campaign: Campaign, form: Form) -> None:
        form.require("title", "segment_id")
        form.values.setdefault("description", None)
        data = form.read(CampaignChanges)
        await campaigns.change_campaign(g.caller.org, campaign, _only(data, "title", "description", "segment_id"))

    return await _save_step("audience", campaign_id, change, lambda _, form: _audiences(_chosen(form), form))


async def _audiences(chosen: UUID | None, form: Form | None = None) -> dict[str, Any]:
    """The segments to choose from, filtered by the search in the URL or the form."""
    search = _search() if form is None else _clean_query(form.values.get("q", ""))
    found = await segment_options(g.caller.org, search, chosen)
    return {"segments": found, "most": SEGMENTS, "search": search}


def _search() -> str:
    return _clean_query(request.args.get("q", ""))


def _clean_query(text: str) -> str:
    return text[:200].replace("\0", "")


@blueprint.get("/<uuid:campaign_id>/content")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def content(campaign: Campaign) -> ResponseReturnValue:
    """Shows the templates, filtered by the search, with a preview of the one that the URL names."""
    looked_at = request.args.get("template_id", type=UUID) or campaign.template_id
    form = Form({"template_id": looked_at})
    return await _show(campaign, "content", form, **await _contents(campaign, looked_at))


@blueprint.post("/<uuid:campaign_id>/content")
@guarded(Action.CAMPAIGNS)
async def set_content(campaign_id: UUID) -> ResponseReturnValue:
    async def change(campaign: Campaign, form: Form) -> None:
        form.require("template_id")
        await campaigns.change_campaign(g.caller.org, campaign, _only(form.read(CampaignChanges), "template_id"))

    return await _save_step(
        "content", campaign_id, change, lambda campaign, form: _contents(campaign, _chosen(form, "template_id"))
    )


async def _contents(campaign: Campaign, looked_at: UUID | None) -> dict[str, Any]:
    """The templates to choose from, and a preview of one of them."""
    org, search = g.caller.org, _search()
    found = await template_options(org, search, looked_at)
    shown: dict[str, Any] = {"templates": found, "most": TEMPLATES, "search": search}
    if looked_at is None or all(template.id != looked_at for template in found):
        return shown
    template = await templates.find_template(org, looked_at)
    try:
        return shown | {"looked_at": template, "preview": await preview_campaign(org, campaign, template)}
    except ValidationError as error:
        return shown | {"looked_at": template, "fault": fault_text(error)}


@blueprint.get("/<uuid:campaign_id>/content/<uuid:template_id>")
@guarded(Action.CAMPAIGNS)
async def rendered(campaign_id: UUID, template_id: UUID) -> ResponseReturnValue:
    org = g.caller.org
    campaign = await campaigns.find_campaign(org, campaign_id)
    template = await templates.find_template(org, template_id)
    try:
        preview = await preview_campaign(org, campaign, template)
    except ValidationError:
        return mail_frame("")
    return mail_frame(preview.mail.body_html)


@blueprint.get("/<uuid:campaign_id>/senders")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def senders(campaign: Campaign) -> ResponseReturnValue:
    named = campaign.sender_account_ids
    form = Form({"which": "all" if named is None else "named", "account_id": named or []})
    return await _show(campaign, "senders", form, **await _accounts())


@blueprint.post("/<uuid:campaign_id>/senders")
@guarded(Action.CAMPAIGNS)
async def set_senders(campaign_id: UUID) -> ResponseReturnValue:
    ids = (await request.form).getlist("account_id")

    async def change(campaign: Campaign, form: Form) -> None:
        form.values["account_id"] = ids
        if form.values.get("which") != "named":
            await drafts.choose_accounts(g.caller.org, campaign, None)
            return
        if not ids:
            raise ValidationError.of("sender_account_ids", "Tick one account at least.")
        named = read_input(NewSend, {"sender_account_ids": ids}, strict=False).sender_account_ids
        await drafts.choose_accounts(g.caller.org, campaign, named)

    return await _save_step("senders", campaign_id, change, lambda _, __: _accounts())


async def _accounts() -> dict[str, Any]:
    return {"accounts": await account_options(g.caller.org)}


@blueprint.get("/<uuid:campaign_id>/schedule")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def schedule(campaign: Campaign) -> ResponseReturnValue:
    return await _show(campaign, "schedule", _form_of(campaign), **await schedule_form.schedule_options())


@blueprint.post("/<uuid:campaign_id>/schedule")
@guarded(Action.CAMPAIGNS)
async def set_schedule(campaign_id: UUID) -> ResponseReturnValue:
    async def change(campaign: Campaign, form: Form) -> None:
        form.require("schedule_type")
        await drafts.save_draft_schedule(
            g.caller.org, campaign, schedule_form.typed_schedule(form, g.caller.org.timezone)
        )

    return await _save_step("schedule", campaign_id, change, lambda _, __: schedule_form.schedule_options())


def _form_of(campaign: Campaign) -> Form:
    """The campaign's values in its forms."""
    names = ("title", "description", "segment_id", "schedule_type", "recurrence_interval", "recurrence_unit")
    values = {name: getattr(campaign, name) for name in names}
    if campaign.scheduled_at is not None:
        local = campaign.scheduled_at.astimezone(ZoneInfo(g.caller.org.timezone))
        values["scheduled_at"] = f"{local:%Y-%m-%dT%H:%M}"
    return Form({name: value for name, value in values.items() if value is not None})


def _only(data: CampaignChanges, *names: str) -> CampaignChanges:
    """These fields of a form, since a step changes nothing of another one."""
    return CampaignChanges.model_construct(**{name: value for name, value in data.given().items() if name in names})


async def _save_step(
    step: str,
    campaign_id: UUID,
    change: Callable[[Campaign, Form], Awaitable[None]],
    context: Callable[[Campaign, Form], Awaitable[dict[str, Any]]],
) -> ResponseReturnValue:
    """Saves a step's form; a draft goes to the next step, any other campaign to its page."""
    campaign = await campaigns.find_campaign(g.caller.org, campaign_id)
    form = await Form.sent()
    is_draft = campaign.status == "draft"
    try:
        await change(campaign, form)
    except ApiError as refusal:
        campaign = await campaigns.find_campaign(g.caller.org, campaign_id)
        shown = await _step_context(campaign, step) | await context(campaign, form)
        return await _refuse(form, refusal, f"campaigns/{step}.html", **shown)
    names = list(STEPS)
    if is_draft and form.values.get("then") != "close":
        return redirect(f"/campaigns/{campaign_id}/{names[names.index(step) + 1]}")
    flash(
        f"{STEPS[step]}: saved." + (" The run under way goes on as it began." if campaign.status == "sending" else "")
    )
    return redirect(f"/campaigns/{campaign_id}")


async def _show(campaign: Campaign, step: str, form: Form, **context: Any) -> str:
    shown = await _step_context(campaign, step) | context
    return await render_template(f"campaigns/{step}.html", form=form, **shown)


async def _step_context(campaign: Campaign, step: str) -> dict[str, Any]:
    """The context of every step."""
    parts = await load_summary(g.caller.org, campaign)
    return {"campaign": campaign, "parts": parts, "step": step, "steps": STEPS}


async def _refuse(form: Form, refusal: ApiError, template: str, **context: Any) -> ResponseReturnValue:
    """Shows the step again, also when the chosen segment or template was deleted since."""
    if isinstance(refusal, NotFound):
        if refusal.message is None:
            raise refusal
        refusal = ValidationError("What you chose was deleted in the meantime. Choose again.")
    return await form_error(template, template, form=form.refuse(refusal, LABELS), **context)
