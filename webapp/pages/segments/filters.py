"""The form of a dynamic segment: its name and its conditions."""

from collections.abc import Awaitable, Callable
from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts import search
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.segments.segments import NewSegment, SegmentChanges
from webapp.errors import ApiError, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, submit_once, wants_fragment
from webapp.models import Segment
from webapp.pages.segments import conditions

blueprint = Blueprint("segment_filters", __name__, url_prefix="/segments")
LABELS = {"name": "The name"}
EXAMPLES = Page(size=20)


@blueprint.route("/new/dynamic", methods=FORM)
@guarded(Action.SEGMENTS)
async def new() -> ResponseReturnValue:
    async def add(form: Form) -> str:
        async def save() -> str:
            data = _with_filter(form).read(NewSegment)
            await segments.refuse_name_in_use(g.caller.org, data.name)
            return _saved(await segments.add_segment(g.caller.org, data))

        return await submit_once(form, save)

    return await _build(None, add)


@blueprint.route("/<uuid:segment_id>/filter", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def edit(segment: Segment) -> ResponseReturnValue:
    if not segment.is_dynamic:
        return redirect(
            f"/segments/{segment.id}", "This segment has the contacts you add; it has no conditions.", "info"
        )

    async def change(form: Form) -> str:
        changes = _with_filter(form).read(SegmentChanges)
        await segments.refuse_name_in_use(g.caller.org, changes.name, segment)
        return _saved(await segments.change_segment(g.caller.org, segment, changes))

    return await _build(segment, change)


@blueprint.post("/matches")
@guarded(Action.SEGMENTS)
async def matches() -> ResponseReturnValue:
    return await render_template("segments/_matches.html", matches=await _matches(await Form.sent()))


async def _build(segment: Segment | None, save: Callable[[Form], Awaitable[str]]) -> ResponseReturnValue:
    is_sent = request.method == "POST"
    form = await Form.sent() if is_sent else _form_of(segment)
    asked = form.values.pop("do", "save" if is_sent else "")
    if asked == "save" and not is_sent:
        asked = ""  # a link must never save
    conditions.change_rows(form, asked)
    if asked == "save":
        try:
            return redirect(await save(form))
        except ApiError as refusal:
            _refuse(form, refusal)
    template = "segments/_filter_form.html" if wants_fragment() else "segments/filter.html"
    rows = await conditions.condition_rows(form)
    text = await render_template(
        template,
        form=form,
        segment=segment,
        is_edited=is_sent,
        matches=await _matches(Form(conditions.preselected(rows) | form.values)),
        **rows,
    )
    return text, 422 if asked == "save" else 200


def _saved(segment: Segment) -> str:
    flash(f"“{segment.name}” saved.")
    return f"/segments/{segment.id}"


def _form_of(segment: Segment | None) -> Form:
    """The conditions of a segment unless they are nested, or those in the URL of a new one."""
    if segment is None:
        return Form({"match": "and"} | Form.of(request.args).values)
    form = Form({"name": segment.name})
    if not conditions.show_conditions(form, segment.member_filter or {}):
        form.errors[""] = "This filter was made through the API and is nested. Saving this form replaces it."
    return form


def _with_filter(form: Form) -> Form:
    return Form(form.values | {"kind": "dynamic", "filter": conditions.tree_of(form)}, id=form.id)


def _refuse(form: Form, refusal: ApiError) -> None:
    conditions.refuse_conditions(form, refusal)
    if not form.errors:
        form.refuse(refusal, LABELS, ("name", "add"))


async def _matches(form: Form) -> Any:
    """The matching contacts, or None while the conditions are incomplete."""
    try:
        filter_ = conditions.read_conditions(form)
    except ValidationError:
        return None
    return filter_ and await search.list_contacts(g.caller.org, ContactFilters(filter=filter_), EXAMPLES)
