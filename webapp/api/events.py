"""/v1/events and its response bodies."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp.api.responses import One, Time, answers, makes, shaped
from webapp.domain.events import events
from webapp.domain.events.events import EventFilters, EventView
from webapp.domain.inputs import Id, Instant
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.paging import CursorPaging, query
from webapp.models.event import EventType

blueprint = Blueprint("events", __name__, url_prefix="/events")


class Event(TypedDict):
    """Something that happened; `data` depends on its type."""

    id: UUID
    type: Annotated[str, Field(description="One of the types that webhooks subscribe to.")]
    created_at: Time
    data: dict[str, Any]


class EventList(TypedDict):
    """Events, newest first."""

    data: list[Event]
    has_more: Annotated[bool, Field(description="Whether there may be more results in this direction.")]
    cursor: Annotated[
        UUID | None, Field(description="The id to go on from, as `after` or `before`; a long search stops on its way.")
    ]


@makes(Event)
def _event(view: EventView) -> Event:
    return shaped(Event, view.event, data=dict(view.data))


class EventParams(CursorPaging):
    after: Id | None = Field(default=None, description="Only events older than this id.")
    before: Id | None = Field(default=None, description="Only events newer than this id.")
    type: EventType | None = Field(default=None, description="Only events of this type.")
    email_id: Id | None = Field(default=None, description="Only events of this email.")
    contact_id: Id | None = Field(default=None, description="Only events of this contact.")
    campaign_id: Id | None = Field(default=None, description="Only events of this campaign and its emails.")
    since: Instant | None = Field(default=None, description="Only events from this time on.")
    until: Instant | None = Field(default=None, description="Only events before this time.")

    @property
    def filters(self) -> EventFilters:
        return EventFilters(self.since, self.until, self.type, self.email_id, self.contact_id, self.campaign_id)


@blueprint.get("")
@guarded(Action.READ)
@query(EventParams)
@answers(EventList)
async def index(query_args: EventParams) -> object:
    """List events, newest first: what happened to emails, contacts, campaigns and accounts.

    Events of single recipients of campaigns, `segment.joined` and `segment.left` are recorded only while a webhook
    names their type. `email.delivered` is recorded once a delivery report comes back, or together with `email.sent` if
    the organization's settings say so; `delivered.by` is `report` or `acceptance`.
    """
    listed = await events.list_events(g.caller.org, query_args.filters, query_args.cursor)
    return {
        "data": await events.with_data(g.caller.org, listed.rows),
        "has_more": listed.has_more or listed.stopped_at is not None,
        "cursor": (listed.newer if query_args.before else listed.older) if listed.has_more else listed.stopped_at,
    }


@blueprint.get("/<event_id>")
@guarded(Action.READ, events.find_event)
@answers(One[Event])
async def show(event_view: EventView) -> object:
    """Get an event."""
    return event_view
