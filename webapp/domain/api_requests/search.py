"""Searches the API requests of an organization."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.domain.pagination import Cursor, SearchPage, id_bounds, search_page
from webapp.models import ApiKey, ApiRequest, Organization
from webapp.models.queries.request_search import RequestQuery, search_requests

KEYS_OFFERED = 100


@dataclass(frozen=True)
class RequestFilters:
    since: datetime | None = None
    until: datetime | None = None  # exclusive, and `since` inclusive
    status: tuple[int, int] | None = None  # the first and the last
    method: str | None = None
    key_id: UUID | None = None
    path: str | None = None  # a prefix
    request_id: str | None = None


async def list_requests(org: Organization, filters: RequestFilters, cursor: Cursor) -> SearchPage[ApiRequest]:
    low, high = id_bounds(filters.since, filters.until, cursor)
    query = RequestQuery(
        org.id, low, high, filters.key_id, filters.status, filters.method, filters.path, filters.request_id
    )
    async with db.searching(org.id):
        found = await search_requests(query, cursor.limit + 1, oldest_first=cursor.before is not None)
        return await search_page(found, ApiRequest.of(org), cursor)


async def keys_of(org: Organization, requests: Sequence[ApiRequest]) -> dict[UUID, ApiKey]:
    ids = {request.key_id for request in requests if request.key_id is not None}
    return {key.id: key for key in await ApiKey.of(org).filter(id__in=list(ids))}


async def newest_keys(org: Organization, chosen: UUID | None) -> list[ApiKey]:
    newest = await ApiKey.of(org).order_by("-id").limit(KEYS_OFFERED)
    if chosen is None or any(key.id == chosen for key in newest):
        return newest
    return [*newest, *await ApiKey.of(org).filter(id=chosen)]
