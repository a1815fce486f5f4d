"""/resend/segments, and /resend/audiences, their older name, with the contacts of each."""

from typing import Any

from quart import Blueprint, g, request

from webapp import models
from webapp.domain.contacts import contacts, search
from webapp.domain.contacts.inputs import ContactChanges, NewContact
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.contacts.upsert import upsert_contact
from webapp.domain.inputs import Input, Name
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.segments.members import ContactIn, find_contact_in
from webapp.domain.segments.segments import NewSegment, SegmentChanges
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.resend.contacts import gone, leave, outline, read_changes, read_contact, whole
from webapp.resend.shapes import Body, ListQuery, Unsupported, body, created, deleted, named, page_of, time

blueprint = Blueprint("groups", __name__)
routes = Blueprint("routes", __name__)


class ResendSegment(Input):
    name: Name
    filter: Unsupported = None


@routes.get("")
@guarded(Action.READ)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.Segment, g.caller.org, query_args.cursor, "a segment"), _outline)


@routes.post("")
@guarded(Action.SEGMENTS)
@body(ResendSegment)
async def create(data: ResendSegment) -> tuple[Body, int]:
    segment = await segments.add_segment(g.caller.org, NewSegment(name=data.name))
    return created(_noun(), segment.id, name=segment.name)


@routes.get("/<segment_id>")
@guarded(Action.READ, segments.find_segment)
async def show(segment: models.Segment) -> Body:
    return {"object": _noun(), **_outline(segment), "filter": None}


@routes.patch("/<segment_id>")
@guarded(Action.SEGMENTS, segments.find_segment)
@body(ResendSegment)
async def change(segment: models.Segment, data: ResendSegment) -> Body:
    await segments.change_segment(g.caller.org, segment, SegmentChanges.model_validate({"name": data.name}))
    return named(_noun(), segment.id)


@routes.delete("/<segment_id>")
@guarded(Action.SEGMENTS, segments.find_segment)
async def remove(segment: models.Segment) -> Body:
    await segments.delete_segment(g.caller.org, segment)
    return deleted(_noun(), segment.id)


@routes.get("/<segment_id>/contacts")
@guarded(Action.READ, segments.find_segment)
@query(ListQuery)
async def contacts_index(segment: models.Segment, query_args: ListQuery) -> Body:
    filters = ContactFilters(segment_id=segment.id)
    return page_of(await search.page_beside(g.caller.org, filters, query_args.cursor), outline)


@routes.post("/<segment_id>/contacts")
@guarded(Action.CONTACTS, segments.find_segment)
@body(NewContact, read=read_contact)
async def contacts_create(segment: models.Segment, data: NewContact) -> tuple[Body, int]:
    data.segments = [*(data.segments or ()), segment.id]
    contact, _ = await upsert_contact(g.caller.org, data)
    return created("contact", contact.id)


@routes.get("/<segment_id>/contacts/<contact_id>")
@guarded(Action.READ, find_contact_in)
async def contacts_show(both: ContactIn) -> Body:
    return whole(both.contact)


@routes.patch("/<segment_id>/contacts/<contact_id>")
@guarded(Action.CONTACTS, find_contact_in)
@body(ContactChanges, read=read_changes)
async def contacts_change(both: ContactIn, data: ContactChanges) -> Body:
    await contacts.change_contact(g.caller.org, both.contact, data)
    return named("contact", both.contact.id)


@routes.delete("/<segment_id>/contacts/<contact_id>")
@guarded(Action.SEGMENTS, find_contact_in)
async def contacts_remove(both: ContactIn) -> Body:
    await leave(both)
    return gone(both.contact)


for noun in ("segments", "audiences"):
    blueprint.register_blueprint(routes, url_prefix=f"/{noun}", name=noun)


def _noun() -> str:
    return "audience" if request.path.startswith("/resend/audiences") else "segment"


def _outline(segment: models.Segment) -> dict[str, Any]:
    created_at = time(segment.created_at)
    return {"id": segment.id, "name": segment.name, "audience_id": segment.id, "created_at": created_at}
