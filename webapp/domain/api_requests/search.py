"""Searches and shows an organization's API requests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from webapp import clock, db
from webapp.domain.api_requests.log import DETAIL_DAYS
from webapp.domain.api_requests.masking import MaskedBody
from webapp.domain.pagination import Cursor, CursorPage, id_bounds, newest_with, search_page
from webapp.models import ApiKey, ApiRequest, ApiRequestDetails, Organization
from webapp.models.queries.request_search import RequestQuery, search_requests

KEYS_OFFERED = 100


@dataclass(frozen=True)
class RequestView:
    request: ApiRequest
    key: ApiKey | None
    details: ApiRequestDetails | None

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [] if self.details is None else [(name, value) for name, value in orjson.loads(self.details.headers)]

    @property
    def request_body(self) -> Any:
        """As far as it is stored, like the response's."""
        return _parsed(self.details.request_body) if self.details else None

    @property
    def response_body(self) -> Any:
        return _parsed(self.details.response_body) if self.details else None

    @property
    def bodies(self) -> dict[str, MaskedBody]:
        if self.details is None:
            return {}
        return {
            "Request body": MaskedBody(_indented(self.details.request_body), self.details.request_body_is_cut),
            "Response body": MaskedBody(_indented(self.details.response_body), self.details.response_body_is_cut),
        }


async def list_requests(
    org: Organization, cursor: Cursor, *, since: datetime | None, until: datetime | None, **filters: Any
) -> CursorPage[ApiRequest]:
    """Those from `since` to before `until` that match the filters of a RequestQuery."""
    query = RequestQuery(org.id, *id_bounds(since, until, cursor), **filters)
    async with db.searching(org.id):
        rows = await search_requests(query, cursor.limit + 1, oldest_first=cursor.before is not None)
        return await search_page(rows, ApiRequest.of(org), cursor)


async def keys_of(org: Organization, requests: Sequence[ApiRequest]) -> dict[UUID, ApiKey]:
    ids = {request.key_id for request in requests if request.key_id is not None}
    return {key.id: key for key in await ApiKey.of(org).filter(id__in=list(ids))}


async def newest_keys(org: Organization, chosen: UUID | None) -> list[ApiKey]:
    return await newest_with(ApiKey.of(org), chosen, KEYS_OFFERED)


async def user_agents_of(org: Organization, requests: Sequence[ApiRequest]) -> dict[UUID, str]:
    """By request; of those whose details are stored."""
    details = ApiRequestDetails.of(org).filter(id__in=[request.id for request in requests])
    headers = {row.id: dict(orjson.loads(row.headers)) for row in await details.only("id", "headers")}
    return {request_id: named["User-Agent"] for request_id, named in headers.items() if "User-Agent" in named}


async def find_request(org: Organization, request_id: UUID | str) -> RequestView:
    """Raises NotFound."""
    request = await ApiRequest.one_of(org, request_id)
    key = await ApiKey.of(org).get_or_none(id=request.key_id)
    has_details = request.created_at > clock.now() - timedelta(days=DETAIL_DAYS)
    details = await ApiRequestDetails.of(org).get_or_none(id=request.id) if has_details else None
    return RequestView(request, key, details)


def _parsed(body: str | None) -> Any:
    return json.loads(body) if body else None


def _indented(body: str | None) -> str | None:
    return json.dumps(json.loads(body), indent=2, ensure_ascii=False) if body else body
