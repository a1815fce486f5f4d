"""Searches the API request log; indexes cover organization, key and status, but not method or path."""

from dataclasses import dataclass
from uuid import UUID

from webapp import db
from webapp.models.queries.keyset_search import Condition, IndexScan, KeysetSearch, ScanResult, equals

MAX_SCANNED = 100_000  # rows per search

# The statuses of organization $1 from $2 to $3, each found by one step in the index (org_id, status, id).
STATUSES = """
WITH RECURSIVE seen(status) AS (
  SELECT MIN(status) FROM api_requests WHERE org_id = $1 AND status >= $2 AND status <= $3
  UNION ALL
  SELECT (SELECT MIN(r.status) FROM api_requests r WHERE r.org_id = $1 AND r.status > seen.status AND r.status <= $3)
  FROM seen WHERE seen.status IS NOT NULL)
SELECT status FROM seen WHERE status IS NOT NULL
"""


@dataclass(frozen=True)
class RequestQuery:
    """Ids from `low` to below `high`; `status` has the first and the last."""

    org_id: UUID
    low: UUID
    high: UUID
    key_id: UUID | None = None
    status: tuple[int, int] | None = None
    method: str | None = None
    path: str | None = None  # a prefix
    request_id: str | None = None


async def search_requests(
    query: RequestQuery, limit: int, *, oldest_first: bool = False, max_scanned: int = MAX_SCANNED
) -> ScanResult:
    """The first matching requests; with unindexed filters, about `max_scanned` rows are read."""
    search = KeysetSearch(
        "api_requests", query.org_id, query.low, query.high, _unindexed(query), oldest_first=oldest_first
    )
    return await search.search(await _scans(query), limit, max_scanned)


async def _scans(query: RequestQuery) -> list[IndexScan]:
    if query.key_id is not None:
        return [IndexScan("key_id", query.key_id)]
    if query.status is None:
        return [IndexScan("org_id", query.org_id)]
    rows = await db.fetch(STATUSES, query.org_id, *query.status)
    return [IndexScan("status", row["status"]) for row in rows]


def _unindexed(query: RequestQuery) -> list[Condition]:
    conditions = []
    if query.key_id is not None and query.status is not None:
        # The plus hides the column from the index of statuses, which has another order.
        conditions.append(Condition("+status BETWEEN {} AND {}", query.status))
    if query.method is not None:
        conditions.append(equals("method", query.method))
    if query.path is not None:
        conditions.append(equals(f"substr(path, 1, {len(query.path)})", query.path))
    if query.request_id is not None:
        conditions.append(equals("request_id", query.request_id))
    return conditions
