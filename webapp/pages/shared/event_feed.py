"""Events as sentences, for the feed and the pages of emails and contacts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from webapp.domain.campaigns.stop import paused_because
from webapp.domain.events.events import EventFilters, EventView, list_events, names_of_subjects, with_data
from webapp.domain.pagination import Cursor
from webapp.json_encoder import encode
from webapp.models import Event, Organization
from webapp.models.event import EventType

LATEST = 10  # events on the page of an email or contact
# The sentence for each type, without its subject, and the color of its mark.
WORDS = {
    EventType.EMAIL_SCHEDULED: ("was scheduled", ""),
    EventType.EMAIL_QUEUED: ("was queued", ""),
    EventType.EMAIL_SENT: ("was sent", "sent"),
    EventType.EMAIL_DELIVERY_DELAYED: ("was delayed", "deferred"),
    EventType.EMAIL_FAILED: ("failed", "failed"),
    EventType.EMAIL_BOUNCED: ("bounced", "failed"),
    EventType.EMAIL_COMPLAINED: ("was reported as spam", "failed"),
    EventType.EMAIL_DELIVERED: ("was delivered", "sent"),
    EventType.EMAIL_SUPPRESSED: ("wasn't sent: the address is suppressed or opted out", "halted"),
    EventType.EMAIL_CANCELED: ("was canceled", "halted"),
    EventType.EMAIL_OPENED: ("was opened", "sent"),
    EventType.EMAIL_CLICKED: ("had a link clicked", "sent"),
    EventType.CONTACT_CREATED: ("was added", ""),
    EventType.CONTACT_CONFIRMED: ("confirmed a sign-up", "sent"),
    EventType.CONTACT_UPDATED: ("was changed", ""),
    EventType.CONTACT_DELETED: ("was deleted", ""),
    EventType.CONTACT_UNSUBSCRIBED: ("unsubscribed", "halted"),
    EventType.CONTACT_SUBSCRIBED: ("subscribed again", "sent"),
    EventType.CONTACT_TOPIC_CHANGED: ("opted in to a topic or out of it", ""),
    EventType.FORM_SUBMITTED: ("had a sign-up", ""),
    EventType.SEGMENT_JOINED: ("joined a segment", ""),
    EventType.SEGMENT_LEFT: ("left a segment", ""),
    EventType.CAMPAIGN_STARTED: ("started sending", "sending"),
    EventType.CAMPAIGN_COMPLETED: ("finished", "sent"),
    EventType.CAMPAIGN_HALTED: ("was paused", "halted"),
    EventType.ACCOUNT_ERROR: ("can't send", "failed"),
    EventType.ACCOUNT_RECOVERED: ("sends again", "sent"),
    EventType.SUPPRESSION_ADDED: ("was suppressed", "halted"),
    EventType.SUPPRESSION_REMOVED: ("isn't suppressed any more", ""),
    EventType.WEBHOOK_TEST: ("was posted", ""),
}
MADE_BY = {True: "by a machine", False: "", None: "perhaps by a machine"}


class FeedLine(NamedTuple):
    """An event as a sentence: its subject, the page of the subject, what happened, and the reason."""

    event: Event
    subject: str
    href: str | None
    happened: str
    state: str
    reason: str | None


def body_text(view: EventView) -> str:
    """The posted body, indented."""
    return json.dumps(json.loads(encode(view.body)), indent=2, ensure_ascii=False)


async def latest_lines(org: Organization, about: EventFilters) -> Sequence[FeedLine]:
    """The latest events of an email or contact."""
    listed = await list_events(org, about, Cursor(LATEST))
    return await feed_lines(org, listed.rows)


async def feed_lines(org: Organization, events: Sequence[Event]) -> list[FeedLine]:
    names = await names_of_subjects(org, events)
    return [_line(view, names) for view in await with_data(org, events)]


def _line(view: EventView, names: Mapping[str, str]) -> FeedLine:
    kind = EventType(view.event.type)
    happened, state = WORDS[kind]
    if kind == EventType.CONTACT_TOPIC_CHANGED and "subscription" in view.data:
        happened = "opted in to a topic" if view.data["subscription"] == "opt_in" else "opted out of a topic"
    reason = _reason(view.data)
    if kind == EventType.CAMPAIGN_HALTED and reason:
        reason = paused_because(reason).removeprefix("paused: ")
    subject, href = _subject(view, names)
    return FeedLine(view.event, subject, href, happened, state, reason)


def _subject(view: EventView, names: Mapping[str, str]) -> tuple[str, str | None]:
    event, data = view.event, view.data
    match event.type.partition(".")[0]:
        case "email":
            to = ", ".join(data.get("to", ())) or "a deleted email"
            return f"Email to {to}", f"/mail-logs/{event.mail_log_id}" if "to" in data else None
        case "contact" | "segment":
            contact_id = str(event.contact_id)
            address = data.get("email") or names.get(contact_id, "A deleted contact")
            return address, f"/contacts/{contact_id}" if contact_id in names else None
        case "form":
            form_id = data.get("form_id")
            return f"Form “{data.get('form_name')}”", f"/forms/{form_id}" if form_id in names else None
        case "campaign":
            title = data.get("title")
            return f"Campaign “{title}”" if title else "A deleted campaign", title and f"/campaigns/{event.campaign_id}"
        case "account":
            name, account_id = f"Account “{data.get('name')}”", str(event.account_id)
            return name, f"/accounts/{account_id}" if account_id in names else None
    is_test = event.type == EventType.WEBHOOK_TEST
    return "A test event" if is_test else data.get("email", "An address"), None


def _reason(data: Mapping[str, Any]) -> str | None:
    """The server's words, or ours."""
    if bounce := data.get("bounce"):
        return "; ".join(bounce.get("diagnosticCode") or ()) or bounce.get("status")
    for part in ("failed", "delayed", "suppressed"):
        if part in data:
            return str(data[part]["reason"])
    if "is_machine" in data:
        return " · ".join(filter(None, (data.get("link"), MADE_BY[data["is_machine"]]))) or None
    return data.get("last_error") or data.get("reason") or data.get("segment_name") or data.get("page_url")
