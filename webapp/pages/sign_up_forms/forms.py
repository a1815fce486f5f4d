"""The list of sign-up forms, and each with its funnel and the code for other sites."""

from collections.abc import Mapping
from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.forms import forms
from webapp.domain.forms.embed import embed_code
from webapp.domain.forms.inputs import FormChanges, NewForm
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.topics.topics import all_topics
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, submit_once, wants_fragment
from webapp.http.paging import ListPaging, query
from webapp.models import SignUpForm
from webapp.pages.sign_up_forms import editor

blueprint = Blueprint("sign_up_forms", __name__, url_prefix="/forms")
# What becomes of sign-ups, in order, as columns and as words.
FUNNEL: Mapping[str, str] = {
    "submitted": "Submitted",
    "mailed": "Mailed",
    "opened": "Opened the confirmation page",
    "confirmed": "Confirmed",
}


@blueprint.get("")
@guarded(Action.READ)
@query(ListPaging)
async def index(query_args: ListPaging) -> ResponseReturnValue:
    listed = await forms.list_forms(g.caller.org, query_args.wanted)
    senders = await forms.senders_of(g.caller.org, listed.rows)
    return await render_template("sign_up_forms/index.html", listed=listed, asked=query_args, senders=senders)


@blueprint.get("/new")
@guarded(Action.FORMS)
async def new() -> ResponseReturnValue:
    return await _edit(editor.new_form(is_open=await forms.has_sender(g.caller.org)), None)


@blueprint.post("")
@guarded(Action.FORMS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        saved = await forms.add_form(g.caller.org, editor.read_form(form, NewForm), g.caller.role)
        flash(f"Form “{saved.name}” created. Copy its code, or link its page.")
        return f"/forms/{saved.id}"

    form = await editor.sent_form()
    if action := form.values.pop("do", ""):
        return await _edit(form, None, action)
    with form.refusing(editor.LABELS, editor.shown(form)):
        return redirect(await submit_once(form, add))
    return await _edit(form, None)


@blueprint.get("/<uuid:form_id>")
@guarded(Action.READ, forms.find_form)
async def show(form: SignUpForm) -> ResponseReturnValue:
    org = g.caller.org
    topics = [topic for topic in await all_topics(org) if str(topic.id) in form.topic_ids]
    joined = [
        segment
        for segment in await segments.static_segments(org, form.segment_ids)
        if str(segment.id) in form.segment_ids
    ]
    return await render_template(
        "sign_up_forms/show.html",
        form=form,
        url=forms.url_of(form),
        embed=await embed_code(org, form, topics),
        sender=await forms.sender_of(org, form),
        topics=topics,
        segments=joined,
        funnel=FUNNEL,
    )


@blueprint.route("/<uuid:form_id>/edit", methods=FORM)
@guarded(Action.FORMS, forms.find_form)
async def edit(saved: SignUpForm) -> ResponseReturnValue:
    if request.method != "POST":
        return await _edit(editor.saved_form(saved), saved)
    form = await editor.sent_form()
    if action := form.values.pop("do", ""):
        return await _edit(form, saved, action)
    with form.refusing(editor.LABELS, editor.shown(form)):
        changed = await forms.change_form(g.caller.org, saved, editor.read_form(form, FormChanges), g.caller.role)
        return redirect(f"/forms/{changed.id}", f"Form “{changed.name}” saved.")
    return await _edit(form, saved)


@blueprint.route("/<uuid:form_id>/delete", methods=FORM)
@guarded(Action.FORMS, forms.find_form)
async def delete(form: SignUpForm) -> ResponseReturnValue:
    if request.method == "POST":
        await forms.delete_form(g.caller.org, form)
        return redirect("/forms", f"Form “{form.name}” deleted. The contacts it made are kept.")
    return await render_dialog("sign_up_forms/delete.html", form=form)


async def _edit(form: Form, saved: SignUpForm | None, action: str = "") -> ResponseReturnValue:
    template = "sign_up_forms/_fields.html" if action and wants_fragment() else "sign_up_forms/edit.html"
    focus = editor.change_rows(form, action)
    context: dict[str, Any] = await editor.choices(form, saved)
    context |= {"form": form, "saved": saved, "focus": focus, "is_edited": request.method == "POST"}
    page = await render_template(template, **context)
    return page, 422 if form.errors else 200
