"""The form of a dynamic segment: its name, and the conditions that a contact must meet."""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.campaigns.campaigns import list_campaigns
from webapp.domain.contacts import search
from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.segments.filters import NUMBERS, OPERATORS, UNARY, operators_of, read_filter
from webapp.domain.segments.segments import NewSegment, SegmentChanges
from webapp.errors import ApiError, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, submit_once, wants_fragment
from webapp.models import Segment
from webapp.models.queries.segment_filter import CUSTOM, INSTANTS
from webapp.pages.segments.filter_words import FIELD_WORDS, OPERATOR_WORDS, field_words

blueprint = Blueprint("segment_filters", __name__, url_prefix="/segments")
LABELS = {"name": "The name"}
OFFERED = Page(size=500)
EXAMPLES = Page(size=20)
ROW = re.compile(r"field-(\d{1,2})")
FAULT = re.compile(r"filter at (?:and|or)\.(\d+)\.\w+ (.*)", re.DOTALL)


@blueprint.route("/new/dynamic", methods=FORM)
@guarded(Action.SEGMENTS)
async def new() -> ResponseReturnValue:
    async def add(form: Form) -> Segment:
        data = _with_filter(form).read(NewSegment)
        return await submit_once(form, lambda: segments.add_segment(g.caller.org, data))

    return await _build(None, add)


@blueprint.route("/<uuid:segment_id>/filter", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def edit(segment: Segment) -> ResponseReturnValue:
    async def change(form: Form) -> Segment:
        return await segments.change_segment(g.caller.org, segment, _with_filter(form).read(SegmentChanges))

    return await _build(segment, change)


@blueprint.post("/matches")
@guarded(Action.SEGMENTS)
async def matches() -> ResponseReturnValue:
    return await render_template("segments/_matches.html", matches=await _matches(await Form.sent()))


async def _build(segment: Segment | None, save: Callable[[Form], Awaitable[Segment]]) -> ResponseReturnValue:
    form = await Form.sent() if request.method == "POST" else _form_of(segment)
    asked = form.values.pop("do", "save" if request.method == "POST" else "")
    _change_rows(form, asked)
    if asked == "save":
        try:
            saved = await save(form)
        except ApiError as refusal:
            _refuse(form, refusal)
        else:
            return redirect(f"/segments/{saved.id}", f"“{saved.name}” saved.")
    template = "segments/_filter_form.html" if wants_fragment() else "segments/filter.html"
    text = await render_template(
        template,
        form=form,
        segment=segment,
        rows=[_row(form, number) for number in _numbers(form)],
        matches=await _matches(form),
        fields=await _fields(),
        choices=await _choices(),
    )
    return text, 422 if asked == "save" else 200


def _form_of(segment: Segment | None) -> Form:
    """The form of a segment whose conditions stand side by side; others it replaces."""
    if segment is None:
        return Form({"match": "and"})
    tree = segment.member_filter or {}
    op, members = next(((op, tree[op]) for op in ("and", "or") if op in tree), ("and", [tree]))
    form = Form({"name": segment.name, "match": op})
    if all("field" in member for member in members):
        for number, member in enumerate(members):
            form.values |= {f"{name}-{number}": str(value) for name, value in member.items()}
    else:
        form.errors[""] = "This filter was made through the API and is nested. Saving this form replaces it."
    return form


def _numbers(form: Form) -> list[int]:
    return sorted(int(found[1]) for name in form.values if (found := ROW.fullmatch(name)))


def _change_rows(form: Form, asked: str) -> None:
    """Adds or removes a row, and numbers them from 0."""
    rows = [
        {name: form.values.pop(f"{name}-{number}", None) for name in ("field", "op", "value")}
        for number in _numbers(form)
    ]
    field = form.values.pop("add", None)
    if asked == "add" and field is not None:
        rows.append({"field": field, "op": None, "value": None})
    if asked.startswith("remove-") and asked.removeprefix("remove-").isdecimal():
        with suppress(IndexError):
            del rows[int(asked.removeprefix("remove-"))]
    for number, row in enumerate(rows):
        form.values |= {f"{name}-{number}": value for name, value in row.items() if value is not None}


def _row(form: Form, number: int) -> dict[str, Any]:
    field = form.values[f"field-{number}"]
    return {
        "number": number,
        "field": field,
        "label": field_words(field),
        "operators": [(op, OPERATOR_WORDS[op]) for op in operators_of(field) or ()],
        "op": form.values.get(f"op-{number}", ""),
        "value": form.values.get(f"value-{number}", ""),
        "takes_date": field in INSTANTS,
    }


def _tree(form: Form) -> dict[str, Any]:
    """Raises ValidationError for a form without conditions."""
    conditions = [_condition(form, number) for number in _numbers(form)]
    if not conditions:
        raise ValidationError.of("add", "Add at least one condition.")
    return {"or" if form.values.get("match") == "or" else "and": conditions}


def _condition(form: Form, number: int) -> dict[str, Any]:
    op, value = form.values.get(f"op-{number}", ""), form.values.get(f"value-{number}", "").strip()
    found: dict[str, Any] = {"field": form.values[f"field-{number}"], "op": op}
    return found if op in UNARY else found | {"value": _typed(op, value)}


def _typed(op: str, text: str) -> Any:
    if op in (*NUMBERS, "in_last_days"):
        with suppress(ValueError):
            number = float(text)
            return int(number) if number.is_integer() else number
    return text


def _with_filter(form: Form) -> Form:
    return Form(form.values | {"kind": "dynamic", "filter": _tree(form)}, id=form.id)


def _refuse(form: Form, refusal: ApiError) -> None:
    details = refusal.details if isinstance(refusal, ValidationError) else []
    for fault in details:
        if found := FAULT.fullmatch(fault.message):
            form.errors[f"value-{found[1]}"] = f"{found[2][:1].upper()}{found[2][1:]}."
    if not form.errors:
        form.refuse(refusal, LABELS, ("name", "add"))


async def _matches(form: Form) -> Any:
    """The contacts that match, or None as long as the conditions are incomplete."""
    try:
        filter_ = read_filter(_tree(form))
    except (ValueError, ValidationError):
        return None
    return await search.list_matching(g.caller.org, filter_, EXAMPLES)


async def _fields() -> list[tuple[str, str]]:
    custom = await search.custom_field_names(g.caller.org)
    return [
        *((name, FIELD_WORDS[name]) for name in OPERATORS if name != CUSTOM),
        *((f"{CUSTOM}{name}", name) for name in custom),
    ]


async def _choices() -> Mapping[str, list[tuple[str, str]]]:
    """The values of fields that have a list of them."""
    listed = (await segments.list_segments(g.caller.org, OFFERED)).rows
    campaigns = (await list_campaigns(g.caller.org, OFFERED)).rows
    return {
        "status": [("subscribed", "Subscribed"), ("unsubscribed", "Unsubscribed")],
        "segment": [(str(one.id), one.name) for one in listed if not one.is_dynamic],
        "campaign": [(str(one.id), one.title) for one in campaigns],
    }
