"""The steps that create a campaign; each is saved, so that people can leave and come back."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.campaigns import campaigns, overview
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign, NewSend
from webapp.domain.campaigns.preview import fault_text, preview_campaign
from webapp.domain.contacts.search import count_members
from webapp.domain.inputs import read_input
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.templates import templates
from webapp.domain.templates.starters import STARTERS
from webapp.errors import ApiError, Outdated, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, checked_ids, redirect, render_page, submit_once
from webapp.models import Campaign
from webapp.pages.campaigns.content_form import (
    CONTENT_LABELS,
    TRACKING,
    content_values,
    differences,
    read_content,
    tracking_options,
)
from webapp.pages.campaigns.schedule_form import OF_MEMBERS, schedule_options, typed_schedule
from webapp.pages.mail.frame import mail_frame
from webapp.pages.templates.editing import merge_tags

blueprint = Blueprint("campaign_steps", __name__, url_prefix="/campaigns")
STEPS = {"audience": "Audience", "content": "Content", "review": "Review"}
PARTS = {**STEPS, "senders": "Accounts", "schedule": "Schedule"}  # the last two are changed from the review
EVERYONE = "all"  # instead of a segment's id, for a segment with all contacts
LABELS = {
    "segment_id": "The segment",
    "topic_id": "The topic",
    "template_id": "The template",
    "scheduled_at": "The time",
    "recurrence_interval": "The number",
    "recurrence_unit": "The unit",
    "members_interval": "The number",
    "members_unit": "The unit",
    "sender_account_ids": "The accounts",
    **CONTENT_LABELS,
}
StepContext = Callable[[Any, Form], Awaitable[dict[str, Any]]]


@blueprint.get("/new")
@guarded(Action.CAMPAIGNS)
async def new() -> ResponseReturnValue:
    return await _show("audience", None, Form({"segment_id": request.args.get("segment", "")}), _audiences)


@blueprint.post("")
@guarded(Action.CAMPAIGNS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        await _name_everyone(form)
        campaign = await campaigns.add_campaign(g.caller.org, form.read(NewCampaign))
        return f"/campaigns/{campaign.id}/content"

    form = await _sent_audience()
    if not _is_search(form):
        try:
            return redirect(await submit_once(form, add))
        except ApiError as refusal:
            form.refuse(refusal, LABELS)
    return await _show("audience", None, form, _audiences)


async def _sent_audience() -> Form:
    form = await Form.sent()
    form.values["exclude_segment_ids"] = list(map(str, await checked_ids("exclude_segment_ids")))
    return form


async def _name_everyone(form: Form) -> None:
    """Replaces the choice of everyone by the id of a segment with all contacts. Raises ValidationError."""
    if form.values.get("segment_id") == EVERYONE:
        form.require("title")  # first, so that no segment is created for an invalid form
        segment = await segments.everyone(g.caller.org)
        await count_members(segment)  # for lists
        form.values["segment_id"] = str(segment.id)


def _is_search(form: Form) -> bool:
    then, typed = form.values.get("then"), form.values.get("q", "")
    return then == "search" or (then == "enter" and typed != form.values.get("searched", ""))


def _chosen(form: Form, name: str) -> UUID | None:
    try:
        return UUID(str(form.values.get(name, "")))
    except ValueError:
        return None


@blueprint.route("/<uuid:campaign_id>/audience", methods=FORM)
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def audience(campaign: Campaign) -> ResponseReturnValue:
    async def save(form: Form) -> None:
        emptied = {name: form.values.get(name) for name in ("description", "topic_id")}
        form.values |= {**emptied, **(await _sent_audience()).values}
        await _name_everyone(form)
        names = ("title", "description", "segment_id", "exclude_segment_ids", "topic_id")
        part = Form({name: form.values[name] for name in names if name in form.values})
        changes = part.read(CampaignChanges, "title", "segment_id")
        await campaigns.change_campaign(g.caller.org, campaign, changes)

    if request.method == "POST" and _is_search(form := await _sent_audience()):
        return await _show("audience", campaign, form, _audiences)
    return await _step("audience", campaign, _form_of(campaign), save, _audiences)


async def _audiences(_: object, form: Form) -> dict[str, Any]:
    search = _clean_query(form.values.get("q", "") if request.method == "POST" else request.args.get("q", ""))
    form.values |= {name: request.args[name] for name in ("segment_id", "topic_id") if name in request.args}
    chosen = [*map(UUID, form.values.get("exclude_segment_ids", ())), _chosen(form, "segment_id")]
    options = await overview.segment_options(g.caller.org, search, filter(None, chosen))
    everyone = next((segment for segment in options if segment.member_filter == segments.ALL_MATCH), None)
    if everyone is not None and form.values.get("segment_id") == EVERYONE:
        form.values["segment_id"] = str(everyone.id)
    other, segment_id = None if everyone else EVERYONE, _chosen(form, "segment_id")
    segment = next((option for option in options if option.id == segment_id), None)
    topics = await overview.topic_options(g.caller.org, segment)
    shown = {"segments": options, "most": overview.SEGMENTS, "search": search, "everyone": other}
    return {**shown, "topics": topics}


def _clean_query(text: str) -> str:
    return text[:200].replace("\0", "")


@blueprint.route("/<uuid:campaign_id>/content", methods=FORM)
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def content(campaign: Campaign) -> ResponseReturnValue:
    async def save(form: Form) -> None:
        form.values["media_ids"] = list(map(str, await checked_ids("media_ids")))
        try:
            await campaigns.change_campaign(
                g.caller.org, campaign, read_content(form), edition=form.values.get("edition")
            )
        except Outdated as refusal:
            form.values["edition"] = campaigns.content_edition(refusal.changed)  # the next save replaces it
            raise

    form = Form(content_values(campaign) | {"edition": campaigns.content_edition(campaign)})
    form.values["template_id"] = request.args.get("template_id", type=UUID) or campaign.template_id
    if (tracking := request.args.get("tracking")) in TRACKING:
        form.values["tracking"] = tracking
    return await _step("content", campaign, form, save, _contents)


async def _contents(campaign: Campaign, form: Form) -> dict[str, Any]:
    org, search = g.caller.org, _clean_query(request.args.get("q", ""))
    chosen = _chosen(form, "template_id")
    options = await overview.template_options(org, search, chosen)
    if request.method == "GET" and chosen is None and not search and len(options) == 1:
        form.values["template_id"] = chosen = options[0].id
    pdfs = await overview.pdf_options(org, form.values.get("media_ids", ()))
    shown: dict[str, Any] = {"templates": options, "most": overview.TEMPLATES, "search": search, "pdfs": pdfs}
    if isinstance(form.refusal, Outdated):
        names = {str(row.id): row.name for row in options} | {str(media.id): media.name for media in pdfs}
        shown["differences"] = differences(form.refusal.changed, form, names)
    shown |= {"tracking_options": tracking_options(org), "starters": STARTERS, "tag_groups": await merge_tags()}
    if chosen is None or all(template.id != chosen for template in options):
        return shown
    template = await templates.find_template(org, chosen)
    try:
        typed = {name: request.args[name] or None for name in ("subject", "preview_text") if name in request.args}
        campaign.update_from_dict(read_input(CampaignChanges, typed, strict=False).given())  # for the preview alone
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
        preview = await preview_campaign(org, campaign, template, is_for_new=request.args.get("audience") == "new")
    except ValidationError:
        return mail_frame("")
    return mail_frame(preview.mail.body_html)


@blueprint.route("/<uuid:campaign_id>/senders", methods=FORM)
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def senders(campaign: Campaign) -> ResponseReturnValue:
    async def save(form: Form) -> None:
        ids, named = (await request.form).getlist("account_id"), None
        form.values["account_id"] = ids
        if form.values.get("which") == "named":
            if not ids:
                raise ValidationError.of("sender_account_ids", "Select at least one account.")
            named = read_input(NewSend, {"sender_account_ids": ids}, strict=False).sender_account_ids
        await campaigns.choose_accounts(g.caller.org, campaign, named)

    async def context(*_: object) -> dict[str, Any]:
        return {"accounts": await overview.account_options(g.caller.org)}

    chosen = campaign.sender_account_ids
    form = Form({"which": "all" if chosen is None else "named", "account_id": chosen or []})
    return await _step("senders", campaign, form, save, context)


@blueprint.route("/<uuid:campaign_id>/schedule", methods=FORM)
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def schedule(campaign: Campaign) -> ResponseReturnValue:
    async def save(form: Form) -> None:
        form.require("schedule_type")
        typed = typed_schedule(form, g.caller.org.timezone)
        await campaigns.save_draft_schedule(g.caller.org, campaign, typed)

    return await _step("schedule", campaign, _form_of(campaign), save, schedule_options)


def _form_of(campaign: Campaign) -> Form:
    of_schedule = ("schedule_type", "recurrence_interval", "recurrence_unit")
    names = ("title", "description", "segment_id", "exclude_segment_ids", "topic_id", *of_schedule)
    values = {name: getattr(campaign, name) for name in names}
    is_for_new = campaign.is_for_new_members
    for shown, name in OF_MEMBERS.items():
        values[shown] = values.pop(name) if is_for_new else None
    if campaign.recurrence_interval is None or is_for_new:
        values |= {"recurrence_interval": 1, "recurrence_unit": "week"}
    if campaign.scheduled_at is not None:
        local = campaign.scheduled_at.astimezone(ZoneInfo(g.caller.org.timezone))
        values["scheduled_at"] = f"{local:%Y-%m-%dT%H:%M}"
    return Form({name: value for name, value in values.items() if value is not None})


async def _step(
    part: str, campaign: Campaign, form: Form, save: Callable[[Form], Awaitable[None]], context: StepContext
) -> ResponseReturnValue:
    if request.method == "POST":
        goes_on, form = campaign.is_to_be_sent, await Form.sent()
        try:
            await save(form)
        except ApiError as refusal:
            form.refuse(refusal, LABELS)
            campaign = await campaigns.find_campaign(g.caller.org, campaign.id)
        else:
            path, then = f"/campaigns/{campaign.id}", form.values.get("then")
            if goes_on and then != "close":
                following = "content" if part == "audience" else "review"
                return redirect(f"{path}/{then if then in STEPS else following}")
            unchanged = " The current run is unchanged." if campaign.status == "sending" else ""
            return redirect(f"{path}/{then}" if then in STEPS else path, f"{PARTS[part]} saved.{unchanged}")
    return await _show(part, campaign, form, context)


async def _show(part: str, campaign: Campaign | None, form: Form, context: StepContext) -> ResponseReturnValue:
    """The page of a part, or of a new campaign without one."""
    parts = await overview.load_summary(g.caller.org, campaign) if campaign else None
    position = {"part": part, "part_names": PARTS, "step": part if part in STEPS else "review", "steps": STEPS}
    shown = {"campaign": campaign, "parts": parts, **position, **await context(campaign, form)}
    return await render_page(f"campaigns/{part}.html", form=form, **shown)
