"""The template editor with its preview, and the list of templates."""

from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

from pydantic import StringConstraints
from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.inputs import CampaignChanges
from webapp.domain.emails.send_test import send_template_test
from webapp.domain.inputs import OneLine, read_input
from webapp.domain.roles import Action
from webapp.domain.templates import templates
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges
from webapp.domain.templates.preview import render_saved, tags_to_fill
from webapp.domain.templates.starters import find_starter
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.http.auth.permissions import guarded, large_form
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, submit_once, wants_fragment
from webapp.http.paging import ListPaging, query
from webapp.models import Template
from webapp.models.campaign import CampaignStatus
from webapp.models.template import TemplateKind
from webapp.pages.mail.frame import mail_frame, text_frame
from webapp.pages.sandbox import inbox_link
from webapp.pages.templates.blocks import FIRST
from webapp.pages.templates.editing import (
    BOUNDS,
    CHOSEN,
    about,
    framed,
    kind_named,
    refuse,
    refused,
    saved_form,
    sent_form,
    show_preview,
)

# Errors are shown above the last preview that had none.
KEEPS_FRAME = {
    "HX-Retarget": "#preview > .preview-facts",
    "HX-Reselect": ".preview-facts > *",
    "HX-Reswap": "innerHTML",
}
blueprint = Blueprint("templates", __name__, url_prefix="/templates")
EXAMPLE = {
    "name": "Welcome",
    "subject": "Welcome{% if first_name %}, {{ first_name }}{% endif %}",
    "body": """\
<div style="max-width: 36rem; margin: 0 auto; padding: 2rem; font-family: Georgia, serif; color: #1d1b18">
  <h1>Hello {{ first_name | default: "there" }}</h1>
  <p>You're on our list as {{ email }}. Once a month, we'll send you what's new.</p>
  <p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>
</div>""",
}


class TemplateListQuery(ListPaging):
    columns = templates.COLUMNS
    default_sort = "-created"

    q: Annotated[str, StringConstraints(max_length=200), OneLine] = ""


@blueprint.get("")
@guarded(Action.READ)
@query(TemplateListQuery)
async def index(query_args: TemplateListQuery) -> ResponseReturnValue:
    listed = await templates.list_outlines(g.caller.org, query_args.q.strip(), query_args.wanted, query_args.order)
    return await render_template("templates/index.html", listed=listed, asked=query_args, tags_to_fill=tags_to_fill)


@blueprint.get("/new")
@guarded(Action.TEMPLATES)
async def new() -> ResponseReturnValue:
    kind = kind_named(request.args.get("kind"))
    values: dict[str, Any] = {"blocks": FIRST} if kind is TemplateKind.BLOCKS else {}
    if "starter" in request.args:
        starter = find_starter(request.args["starter"])
        kind, values = TemplateKind.BLOCKS, starter.as_fields()
    elif "example" in request.args and kind is TemplateKind.HTML:
        values = dict(EXAMPLE)
    values |= {"kind": kind, "campaign": request.args.get("campaign", type=UUID) or ""}
    form = Form(values)
    is_started = "starter" in request.args
    return await render_template("templates/new.html", form=form, is_started=is_started, **await about(form))


@blueprint.post("")
@guarded(Action.TEMPLATES)
@large_form
async def create() -> ResponseReturnValue:
    async def add() -> str:
        template = await templates.add_template(g.caller.org, form.read(NewTemplate))
        page = await _saved(template, form)
        if review := await _use_in_campaign(template, form):
            return review
        saved.append(template)
        return page

    form, saved = await sent_form(), list[Template]()
    try:
        return await _saved_page(await submit_once(form, add), saved)
    except ApiError as refusal:
        return await refused(form, refusal, "templates/new.html")


@blueprint.get("/<uuid:template_id>")
@guarded(Action.READ, templates.find_template)
async def show(template: Template) -> ResponseReturnValue:
    form = saved_form(template)
    shown = {"form": form, "template": template, "frame": _url(template, form, "/rendered"), **await about(form)}
    scheduled = await templates.campaigns_using(g.caller.org, template, status=CampaignStatus.SCHEDULED)
    return await render_template("templates/show.html", scheduled=scheduled, **shown)


@blueprint.post("/<uuid:template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@large_form
async def update(template: Template) -> ResponseReturnValue:
    async def change() -> str:
        changes = Form({"alias": None} | form.values).read(TemplateChanges, "name")  # an empty alias is removed
        edition = form.values.get("edition")
        changed = await templates.change_template(g.caller.org, template, changes, edition=edition)
        saved.append(changed)
        return await _saved(changed, form)

    form, saved = await sent_form(), list[Template]()
    try:
        return await _saved_page(await submit_once(form, change), saved)
    except ApiError as refusal:
        return await refused(form, refusal, "templates/show.html", template=template)


async def _saved(template: Template, form: Form) -> str:
    message, kind, link = f"“{template.name}” saved.", "good", None
    if form.values.get("then") == "test":
        try:
            sample = form.values.get("sample", "").strip()
            sent = await send_template_test(g.caller.org, template, g.caller.user, sample)
            message, link = f"“{template.name}” saved. {sent.text}", inbox_link(sent)
        except ApiError as refusal:
            refuse(form, refusal)
            message, kind = f"“{template.name}” saved, but no test was sent. {' '.join(form.errors.values())}", "bad"
    flash(message, kind, link)
    return _url(template, form)


async def _saved_page(page: str, saved: list[Template]) -> Response:
    """Leads to the page, or for htmx replaces what the save of this request changed there."""
    if not saved or not wants_fragment():
        return redirect(page)
    (template,) = saved
    form = Form({"kind": template.kind, "edition": template.edition})
    parts = await render_template("templates/_saved.html", template=template, form=form, copy_form=Form())
    headers = {"HX-Reswap": "none", "HX-Replace-Url": page, "HX-Trigger-After-Swap": "saved"}
    return Response(parts, headers=headers, mimetype="text/html")


async def _use_in_campaign(template: Template, form: Form) -> str | None:
    """Uses the new template in the campaign that it was created for; returns the path of the campaign's review."""
    campaign_id = form.values.get("campaign")
    if not campaign_id or not g.caller.role.may(Action.CAMPAIGNS):
        return None
    try:
        campaign = await campaigns.find_campaign(g.caller.org, campaign_id)
        changes = read_input(CampaignChanges, {"template_id": str(template.id)}, strict=False)
        await campaigns.change_campaign(g.caller.org, campaign, changes)
    except NotFound:  # the campaign was deleted
        return None
    return f"/campaigns/{campaign.id}/review"


def _url(template: Template, form: Form, part: str = "") -> str:
    chosen = urlencode({name: form.values[name] for name in CHOSEN if name in form.values})
    return f"/templates/{template.id}{part}" + (f"?{chosen}" if chosen else "")


@blueprint.get("/<uuid:template_id>/rendered")
@guarded(Action.READ, templates.find_template)
async def rendered(template: Template) -> ResponseReturnValue:
    return await framed(saved_form(template))


@blueprint.get("/<uuid:template_id>/thumbnail")
@guarded(Action.READ, templates.find_template)
async def thumbnail(template: Template) -> ResponseReturnValue:
    try:
        mail = await render_saved(g.caller.org, template)
        frame = text_frame(mail.text or "") if mail.html is None else mail_frame(mail.html)
    except ValidationError:  # it exceeds the bounds of merge tags
        frame = text_frame("")
    frame.headers["Cache-Control"] = (
        "private, no-cache"  # checked before each use, so that nothing shows after a sign-out
    )
    await frame.add_etag()
    return await frame.make_conditional(request)


@blueprint.post("/preview")
@guarded(Action.TEMPLATES)
@large_form
async def preview() -> ResponseReturnValue:
    form = await sent_form()
    text = await render_template("templates/_live.html", form=form, preview=await show_preview(form), **BOUNDS)
    return text, KEEPS_FRAME if form.errors else {}


@blueprint.post("/preview/mail")
@guarded(Action.TEMPLATES)
@large_form
async def preview_mail() -> ResponseReturnValue:
    return await framed(await sent_form())


@blueprint.post("/<uuid:template_id>/duplicate")
@guarded(Action.TEMPLATES, templates.find_template)
async def duplicate(template: Template) -> ResponseReturnValue:
    async def copy() -> str:
        copied = await templates.duplicate_template(g.caller.org, template)
        flash(f"This is a copy of “{template.name}”. The original is unchanged.")
        return f"/templates/{copied.id}"

    return redirect(await submit_once(await Form.sent(), copy))


@blueprint.route("/<uuid:template_id>/delete", methods=FORM)
@guarded(Action.TEMPLATES, templates.find_template)
async def delete(template: Template) -> ResponseReturnValue:
    if request.method == "POST":
        await templates.delete_template(g.caller.org, template)
        message = f"Template “{template.name}” deleted. Sent emails stay under Deliveries."
        return redirect("/templates", message)
    users = await templates.campaigns_using(g.caller.org, template)
    return await render_dialog("templates/delete.html", template=template, users=users)
