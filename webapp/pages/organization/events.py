"""The feed of an organization's events, and an event with its data."""

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.events.events import EventFilters, EventView, find_event, list_events
from webapp.domain.inputs import Id
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.models.event import EventType
from webapp.pages.shared.event_feed import body_text, feed_lines
from webapp.pages.shared.search import SearchForm, read_search

blueprint = Blueprint("events", __name__, url_prefix="/events")
LABELS = {"type": "Type", "email_id": "Email ID", "contact_id": "Contact ID", "campaign_id": "Campaign ID"}


class EventSearch(SearchForm):
    type: EventType | None = None
    email_id: Id | None = None
    contact_id: Id | None = None
    campaign_id: Id | None = None


@blueprint.get("")
@guarded(Action.READ)
async def index() -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(EventSearch, LABELS)
    listed = await list_events(org, EventFilters(**asked.filters), asked.cursor) if asked.is_valid else None
    context = {
        "asked": asked,
        "listed": listed,
        "lines": await feed_lines(org, listed.rows) if listed else [],
        "types": [(kind.value, kind.value) for kind in EventType],
    }
    return await render_template("events/index.html", **context), asked.status


@blueprint.get("/<uuid:event_id>")
@guarded(Action.READ, find_event)
async def show(view: EventView) -> ResponseReturnValue:
    (line,) = await feed_lines(g.caller.org, [view.event])
    return await render_template("events/show.html", line=line, text=body_text(view))
