"""Searches events; indexes cover organization, email and contact, but not type or campaign."""

from dataclasses import dataclass
from uuid import UUID

from webapp.models.event import EventType
from webapp.models.queries.keyset_search import Condition, IndexScan, KeysetSearch, ScanResult, equals

MAX_SCANNED = 100_000  # rows per search


@dataclass(frozen=True)
class EventQuery:
    org_id: UUID
    low: UUID
    high: UUID
    type: EventType | None = None
    email_id: UUID | None = None
    contact_id: UUID | None = None
    campaign_id: UUID | None = None


async def search_events(query: EventQuery, limit: int, *, oldest_first: bool = False) -> ScanResult:
    """The first matching events; with unindexed filters about MAX_SCANNED rows are read."""
    search = KeysetSearch("events", query.org_id, query.low, query.high, _unindexed(query), oldest_first=oldest_first)
    column, value = next(
        (name, value) for name in ("email_id", "contact_id", "org_id") if (value := getattr(query, name)) is not None
    )
    return await search.search([IndexScan(column, value)], limit, MAX_SCANNED)


def _unindexed(query: EventQuery) -> list[Condition]:
    asked = {"type": query.type, "campaign_id": query.campaign_id}
    if query.email_id is not None:
        asked["contact_id"] = query.contact_id
    return [equals(name, value) for name, value in asked.items() if value is not None]
