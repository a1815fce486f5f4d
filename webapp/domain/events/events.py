"""Events with data about their subjects, for programs and people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain.campaigns.runs import RunView, with_counts
from webapp.domain.pagination import Cursor, CursorPage, id_bounds, search_page
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    Contact,
    Content,
    Email,
    Event,
    MailLog,
    Organization,
    SignUpForm,
)
from webapp.models.event import EventType
from webapp.models.queries.event_log import newest_of_emails
from webapp.models.queries.keyset_search import IndexScan, KeysetSearch, equals

MAX_SCANNED = 100_000  # rows per search with a filter that no index covers


@dataclass(frozen=True)
class EventFilters:
    """`since` is inclusive, `until` exclusive."""

    since: datetime | None = None
    until: datetime | None = None
    type: EventType | None = None
    email_id: UUID | None = None
    contact_id: UUID | None = None
    campaign_id: UUID | None = None


class EventView(NamedTuple):
    event: Event
    data: Mapping[str, Any]

    @property
    def body(self) -> dict[str, Any]:
        """The event as a webhook gets it."""
        created_at = clock.timestamp(self.event.created_at)
        return {"type": self.event.type, "created_at": created_at, "data": dict(self.data)}


async def list_events(org: Organization, filters: EventFilters, cursor: Cursor) -> CursorPage[Event]:
    """`email_id` may be the id of any mail log of the email."""
    row = await MailLog.of(org).get_or_none(id=filters.email_id) if filters.email_id is not None else None
    asked = vars(filters) | {"email_id": row.email_id if row and row.email_id else filters.email_id}
    low, high = id_bounds(asked.pop("since"), asked.pop("until"), cursor)
    scanned = next((name for name in ("email_id", "contact_id") if asked[name] is not None), None)
    scan = IndexScan("org_id", org.id) if scanned is None else IndexScan(scanned, asked.pop(scanned))
    unindexed = [equals(name, value) for name, value in asked.items() if value is not None]
    search = KeysetSearch("events", org.id, low, high, unindexed, oldest_first=cursor.before is not None)
    async with db.searching(org.id):
        return await search_page(await search.search([scan], cursor.limit + 1, MAX_SCANNED), Event.of(org), cursor)


async def find_event(org: Organization, event_id: UUID | str) -> EventView:
    """Raises NotFound."""
    (view,) = await with_data(org, [await Event.one_of(org, event_id)])
    return view


async def last_events(org: Organization, email_ids: Sequence[UUID]) -> dict[UUID, str]:
    """The last part of the type of each email's newest event, like `delivered`."""
    return {email_id: kind.removeprefix("email.") for email_id, kind in await newest_of_emails(org.id, email_ids)}


async def with_data(org: Organization, events: Sequence[Event]) -> list[EventView]:
    """Adds what is still known of the events' subjects, with one query per kind of subject."""
    mails = await _mails(org, {event.mail_log_id for event in events if event.mail_log_id is not None})
    runs = await _runs(org, events)
    views = []
    for event in events:
        subject = runs.get(event.id, {})
        if event.mail_log_id is not None:
            gone = {"email_id": event.email_id or event.mail_log_id, "mail_log_id": event.mail_log_id}
            subject = mails.get(event.mail_log_id, gone)
        views.append(EventView(event, {**subject, **{k: v for k, v in event.data.items() if k != "run_id"}}))
    return views


async def names_of_subjects(org: Organization, events: Sequence[Event]) -> dict[str, str]:
    """The addresses of contacts and the names of accounts and forms by id; deleted ones are missing."""
    contacts = {event.contact_id for event in events if event.contact_id}
    accounts = {event.account_id for event in events if event.account_id}
    forms = {form_id for event in events if (form_id := event.data.get("form_id"))}
    names: dict[str, str] = {}
    for model, ids, name in ((Contact, contacts, "email"), (Account, accounts, "name"), (SignUpForm, forms, "name")):
        if ids:
            rows = await model.of(org).filter(id__in=list(ids)).values_list("id", name)
            names |= {str(row_id): text for row_id, text in rows}
    return names


async def _mails(org: Organization, row_ids: set[UUID]) -> dict[UUID, dict[str, Any]]:
    rows = await MailLog.of(org).filter(id__in=list(row_ids)) if row_ids else []
    email_ids = [row.email_id for row in rows if row.email_id is not None]
    outlines = Email.of(org).filter(id__in=email_ids).only("id", "sender", "template_id", "tags")
    emails = {email.id: email for email in await outlines}
    contents = Content.of(org).filter(id__in=[row.content_id for row in rows])
    subjects = dict(await contents.values_list("id", "subject"))
    return {row.id: _mail(row, emails.get(row.email_id or row.id), subjects.get(row.content_id)) for row in rows}


def _mail(row: MailLog, email: Email | None, subject: str | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "email_id": row.email_id or row.id,
        "message_id": row.message_id,
        "mail_log_id": row.id,
        "created_at": clock.timestamp(row.created_at),
        "from": row.from_email if email is None else email.sender,
        "to": [row.to_email],
        "subject": subject,
    }
    if row.campaign_id is not None:
        data |= {"campaign_id": row.campaign_id, "run_id": row.campaign_run_id}
    if email is not None and email.template_id is not None:
        data["template_id"] = email.template_id
    if email is not None and email.tags:
        data["tags"] = {tag["name"]: tag["value"] for tag in email.tags}
    return data


async def _runs(org: Organization, events: Sequence[Event]) -> dict[UUID, dict[str, Any]]:
    about = [event for event in events if event.type.startswith("campaign.")]
    if not about:
        return {}
    campaigns = Campaign.of(org).filter(id__in=[event.campaign_id for event in about])
    titles = dict(await campaigns.values_list("id", "title"))
    run_ids = {UUID(str(event.data["run_id"])) for event in about if event.data.get("run_id")}
    runs = await CampaignRun.of(org).filter(id__in=list(run_ids)) if run_ids else []
    totals = {str(view.run.id): _totals(view) for view in await with_counts(runs)}
    return {
        event.id: {
            "id": event.campaign_id,
            "run_id": event.data.get("run_id"),
            "title": titles.get(event.campaign_id or event.id),
            "totals": totals.get(str(event.data.get("run_id"))),
        }
        for event in about
    }


def _totals(view: RunView) -> dict[str, int]:
    return {"total": sum(view.counts.values())} | {str(status): count for status, count in view.counts.items()}
