"""/v1/segments, the contacts of a segment, and their response bodies."""

from typing import Any, Literal
from uuid import UUID

from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.contacts import Contact, MemberParams
from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.domain.contacts import search
from webapp.domain.contacts.inputs import NewMember
from webapp.domain.roles import Action
from webapp.domain.segments import members, segments
from webapp.domain.segments.segments import NewSegment, SegmentChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query

blueprint = Blueprint("segments", __name__, url_prefix="/segments")


class Segment(TypedDict):
    """An audience and its number of contacts."""

    id: UUID
    name: str
    kind: Literal["static", "dynamic"]
    filter: dict[str, Any] | None
    contact_count: int
    created_at: Time
    updated_at: Time


@makes(Segment)
def _segment(row: models.Segment) -> Segment:
    return shaped(Segment, row, filter=row.member_filter)


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[Segment])
async def index(query_args: Paging) -> object:
    """List segments, ordered by name."""
    listed = await segments.list_segments(g.caller.org, query_args.wanted)
    for segment in listed.rows:
        await search.count_members(segment)
    return listed


@blueprint.post("")
@guarded(Action.SEGMENTS)
@json_body(NewSegment)
@answers(One[Segment], 201)
async def create(data: NewSegment) -> object:
    """Create a segment.

    A static one begins empty, for you to add contacts to. A dynamic one has the contacts that match its `filter`
    whenever it is read, counted or sent to.
    """
    segment = await segments.add_segment(g.caller.org, data)
    await search.count_members(segment)
    return segment


@blueprint.get("/<segment_id>")
@guarded(Action.READ, segments.find_segment)
@answers(One[Segment])
async def show(segment: models.Segment) -> object:
    """Get a segment."""
    await search.count_members(segment)
    return segment


@blueprint.patch("/<segment_id>")
@guarded(Action.SEGMENTS, segments.find_segment)
@json_body(SegmentChanges)
@answers(One[Segment])
async def change(segment: models.Segment, data: SegmentChanges) -> object:
    """Rename a segment, or change the filter of a dynamic one."""
    changed = await segments.change_segment(g.caller.org, segment, data)
    await search.count_members(changed)
    return changed


@blueprint.delete("/<segment_id>")
@guarded(Action.SEGMENTS, segments.find_segment)
@answers(Done)
async def remove(segment: models.Segment) -> None:
    """Delete a segment.

    Its contacts are kept. A segment that a campaign excludes can't be deleted.
    """
    await segments.delete_segment(g.caller.org, segment)


@blueprint.get("/<segment_id>/contacts")
@guarded(Action.READ, segments.find_segment)
@query(MemberParams)
@answers(Many[Contact])
async def contacts_index(segment: models.Segment, query_args: MemberParams) -> object:
    """List the contacts of a segment, newest first, optionally filtered by status or search text."""
    return await search.list_members(g.caller.org, segment, query_args.wanted, query_args.filters, is_bounded=True)


@blueprint.post("/<segment_id>/contacts")
@guarded(Action.SEGMENTS, segments.find_segment)
@json_body(NewMember)
@answers(One[Contact])
async def add_contact(segment: models.Segment, data: NewMember) -> object:
    """Add a contact to a segment.

    Use `contact_id` for an existing contact, or `email` to find or create one. Only the empty names of an existing
    contact are filled in. All other fields (with the aliases `unsubscribed` and `properties`) apply only to new
    contacts; to unsubscribe an existing one, change the contact itself. If you send a field and its alias, their values
    must match. Adding a contact twice has no effect.
    """
    return await members.add_member(g.caller.org, segment, data)


@blueprint.delete("/<segment_id>/contacts/<contact_id>")
@guarded(Action.SEGMENTS, members.find_member)
@answers(Done)
async def remove_contact(member: models.SegmentContact) -> None:
    """Remove a contact from a segment.

    The contact itself is kept.
    """
    await members.remove_member(g.caller.org, member)
