"""Segments and their members."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts import contacts, search
from webapp.domain.contacts.inputs import NewMember
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.segments import google_sheet, members, segments
from webapp.domain.segments.segments import NewSegment, SegmentChanges
from webapp.errors import Conflict
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import local_path
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, checked_ids, redirect, render_dialog, render_page, submit_once, wants_fragment
from webapp.http.paging import query
from webapp.models import Segment, SegmentContact
from webapp.models.queries.contacts.suppressed import suppressions_against
from webapp.pages.segments.conditions import in_words
from webapp.pages.shared.filters import counted, sentence
from webapp.pages.shared.search import ListSearch

blueprint = Blueprint("segments", __name__, url_prefix="/segments")
LABELS = {"name": "The name", "email": "The address"}
USERS_NAMED = Page(1, 10)
FOUND = Page(1, 25)
OFFERED = Page(size=500)


class SegmentListQuery(ListSearch):
    columns = segments.COLUMNS
    default_sort = "name"


@blueprint.get("")
@guarded(Action.READ)
@query(SegmentListQuery)
async def index(query_args: SegmentListQuery) -> ResponseReturnValue:
    listed = await segments.list_segments(g.caller.org, query_args.wanted, query_args.q, query_args.order)
    await search.refresh_counts(listed.rows)
    context = {"asked": query_args, "followed": await google_sheet.following(g.caller.org, listed.rows)}
    return await render_page("segments/index.html", "segments/_list.html", listed=listed, **context)


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.SEGMENTS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        data = form.read(NewSegment)
        await segments.refuse_name_in_use(g.caller.org, data.name)
        segment = await segments.add_segment(g.caller.org, data)
        flash("Segment created. Now add contacts.")
        return f"/segments/{segment.id}"

    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(LABELS):
            return redirect(await submit_once(form, add))
    return await render_page("segments/new.html", "segments/_form.html", form=form)


@blueprint.get("/<uuid:segment_id>")
@guarded(Action.READ, segments.find_segment)
@query(ListSearch)
async def show(segment: Segment, query_args: ListSearch) -> ResponseReturnValue:
    if wants_fragment():
        return await render_template("segments/_members.html", **await _members(segment, query_args))
    await search.count_members(segment)
    words = None
    if segment.member_filter is not None:
        names = await segments.names_in_filter(g.caller.org, segment.member_filter)
        words = sentence(in_words(segment.member_filter, names))
    users = await segments.campaigns_using(g.caller.org, segment, USERS_NAMED)
    forms = await segments.forms_adding_to(g.caller.org, segment)
    sheet = await google_sheet.sheet_of(g.caller.org, segment)
    context = {"users": users, "forms": forms, "sheet": sheet, "filter_words": words}
    return await render_template("segments/show.html", **context, **await _members(segment, query_args))


async def _members(segment: Segment, asked: ListSearch) -> dict[str, Any]:
    listed = await search.list_members(g.caller.org, segment, asked.wanted, ContactFilters(q=asked.q))
    suppressed = await suppressions_against(g.caller.org.id, [contact.email for contact in listed.rows])
    return {"segment": segment, "listed": listed, "asked": asked, "suppressed": suppressed}


@blueprint.route("/<uuid:segment_id>/name", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def rename(segment: Segment) -> ResponseReturnValue:
    form = await Form.sent({"name": segment.name})
    if request.method == "POST":
        with form.refusing(LABELS):
            data = form.read(SegmentChanges)
            await segments.refuse_name_in_use(g.caller.org, data.name, segment)
            renamed = await segments.change_segment(g.caller.org, segment, data)
            return redirect(f"/segments/{segment.id}", f"Segment renamed to “{renamed.name}”.")
    return await render_dialog("segments/name.html", segment=segment, form=form)


@blueprint.route("/<uuid:segment_id>/delete", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def delete(segment: Segment) -> ResponseReturnValue:
    if request.method == "POST":
        try:
            await segments.delete_segment(g.caller.org, segment)
        except Conflict as refusal:
            return redirect(f"/segments/{segment.id}", f"Couldn't delete “{segment.name}”: {refusal}.", "bad")
        return redirect("/segments", f"Segment “{segment.name}” deleted. Its contacts are kept.")
    users = await segments.campaigns_using(g.caller.org, segment, USERS_NAMED)
    forms = await segments.forms_adding_to(g.caller.org, segment)
    return await render_dialog("segments/delete.html", segment=segment, users=users, forms=forms)


@blueprint.get("/<uuid:segment_id>/add")
@guarded(Action.SEGMENTS, segments.find_segment)
@query(ListSearch)
async def choose(segment: Segment, query_args: ListSearch) -> ResponseReturnValue:
    matching = await _found(segment, query_args.q)
    return await render_page("segments/add.html", "segments/_found.html", form=Form(), **matching)


async def _found(segment: Segment, q: str) -> dict[str, Any]:
    listed = await search.list_contacts(g.caller.org, ContactFilters(q=q), FOUND)
    member_ids = await members.members_among(segment, [contact.id for contact in listed.rows])
    return {"segment": segment, "q": q, "found": listed, "members": member_ids}


@blueprint.post("/<uuid:segment_id>/members")
@guarded(Action.SEGMENTS, segments.find_segment)
async def add(segment: Segment) -> ResponseReturnValue:
    form = await Form.sent()
    with form.refusing(LABELS):
        contact = await members.add_member(g.caller.org, segment, form.read(NewMember, "email"))
        return redirect(f"/segments/{segment.id}", f"{contact.email} added to “{segment.name}”.")
    return await render_page("segments/add.html", "segments/_address.html", form=form, **await _found(segment, ""))


@blueprint.post("/<uuid:segment_id>/members/ticked")
@guarded(Action.SEGMENTS, segments.find_segment)
async def add_ticked(segment: Segment) -> ResponseReturnValue:
    added = await contacts.add_to_segment(g.caller.org, segment, await checked_ids("contact_ids"))
    return redirect(f"/segments/{segment.id}", f"{counted(added, 'contact')} added to “{segment.name}”.")


@blueprint.post("/<uuid:segment_id>/members/<uuid:contact_id>/remove")
@guarded(Action.SEGMENTS, members.find_member)
@query(ListSearch)
async def remove(member: SegmentContact, query_args: ListSearch) -> ResponseReturnValue:
    await members.remove_member(g.caller.org, member)
    flash("Removed from the segment.")
    if not wants_fragment():
        back = (await request.form).get("back") or query_args.at(f"/segments/{member.segment_id}")
        return redirect(local_path(back))
    segment = await segments.find_segment(g.caller.org, member.segment_id)
    return await render_template("segments/_removed.html", removed=member, **await _members(segment, query_args))


async def segment_choice(chosen: UUID | None = None) -> dict[str, Any]:
    listed = await segments.list_segments(g.caller.org, OFFERED)
    offered = listed.rows
    if chosen is not None and all(segment.id != chosen for segment in offered):
        segment = await segments.find_if_there(g.caller.org, chosen)
        offered = [*offered, segment] if segment else offered
    options = [(segment.id, segment.name) for segment in offered]
    static = [(segment.id, segment.name) for segment in offered if not segment.is_dynamic]
    return {"segments": options, "static_segments": static, "segments_left": listed.total - len(options)}
