"""Searches the API requests of an organization."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.domain.pagination import Cursor, SearchPage, id_bounds, search_page
from webapp.models import ApiKey, ApiRequest, Organization
from webapp.models.queries.request_search import RequestQuery, search_requests

__all__ = ["ApiKey", "RequestFilters", "keys_of", "list_requests", "newest_keys"]

KEYS_OFFERED = 100


@dataclass(frozen=True)
class RequestFilters:
    """`since` is inclusive and `until` exclusive; `status` is the first and the last."""

    since: datetime | None = None
    until: datetime | None = None
    status: tuple[int, int] | None = None
    method: str | None = None
    key_id: UUID | None = None
    path: str | None = None  # a prefix
    request_id: str | None = None


async def list_requests(org: Organization, filters: RequestFilters, cursor: Cursor) -> SearchPage[ApiRequest]:
    is_up = cursor.before is not None
    async with db.searching(org.id):
        found = await search_requests(_wanted(org, filters, cursor), cursor.limit + 1, oldest_first=is_up)
        rows = {row.id: row for row in await ApiRequest.of(org).filter(id__in=found.ids)}
    loaded = [rows[row_id] for row_id in found.ids if row_id in rows]  # retention may have deleted some
    return search_page(found, loaded, cursor)


def _wanted(org: Organization, filters: RequestFilters, cursor: Cursor) -> RequestQuery:
    low, high = id_bounds(filters.since, filters.until, cursor)
    return RequestQuery(
        org.id,
        low,
        high,
        filters.key_id,
        filters.status,
        filters.method,
        filters.path,
        filters.request_id,
    )


async def keys_of(org: Organization, requests: Sequence[ApiRequest]) -> dict[UUID, ApiKey]:
    """By id; deleted keys are missing."""
    ids = {request.key_id for request in requests if request.key_id is not None}
    return {key.id: key for key in await ApiKey.of(org).filter(id__in=list(ids))}


async def newest_keys(org: Organization, chosen: UUID | None) -> list[ApiKey]:
    """Revoked ones too, and `chosen` however old it is."""
    newest = await ApiKey.of(org).order_by("-id").limit(KEYS_OFFERED)
    if chosen is None or any(key.id == chosen for key in newest):
        return newest
    return [*newest, *await ApiKey.of(org).filter(id=chosen)]
