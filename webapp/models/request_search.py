"""Searching the log of API requests, which may have millions of rows, for a page of them.

What an index finds (the organization's, a key's, a status's rows in the order of their ids) costs no more than the
page. What no index tells (a method, a path, a request id) is looked for among the next LOOK rows alone: the search
says how far it came, and goes on from there when it is asked to.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import sql

LOOK = 100_000  # rows that are read through at once
CLASS = 100  # how many statuses a class has

# The statuses of the organization $1 from $2 to $3, each found by one step down the index (org_id, status, id).
STATUSES = """
WITH RECURSIVE seen(status) AS (
  SELECT MIN(status) FROM api_requests WHERE org_id = $1 AND status >= $2 AND status <= $3
  UNION ALL
  SELECT (SELECT MIN(r.status) FROM api_requests r WHERE r.org_id = $1 AND r.status > seen.status AND r.status <= $3)
  FROM seen WHERE seen.status IS NOT NULL)
SELECT status FROM seen WHERE status IS NOT NULL
"""


@dataclass(frozen=True)
class Wanted:
    """Which requests: ids from `low` to below `high`, statuses from the first to the last of `statuses`."""

    org_id: UUID
    low: UUID
    high: UUID
    key_id: UUID | None = None
    statuses: tuple[int, int] | None = None
    method: str | None = None
    path: str | None = None  # what it begins with
    request_id: str | None = None

    @property
    def is_indexed(self) -> bool:
        """Whether the indexes find the rows, and no others need be read."""
        by_hand = (self.method, self.path, self.request_id)
        return all(value is None for value in by_hand) and (self.key_id is None or self.statuses is None)


class Found(NamedTuple):
    """Ids in the order that was asked for, and the last one looked at where the search stopped before its end."""

    ids: list[UUID]
    stopped_at: UUID | None


async def search_requests(wanted: Wanted, limit: int, *, oldest_first: bool = False, look: int = LOOK) -> Found:
    """The newest of these requests, or the oldest. Reads through `look` rows or so where no index tells them."""
    streams = await _streams(wanted)
    if not streams:
        return Found([], None)
    search = _Search(wanted, oldest_first=oldest_first)
    stop = None if wanted.is_indexed else await search.end_of_look(streams, look // len(streams))
    ids = await search.find(streams, limit, stop)
    return Found(ids, stop if len(ids) < limit else None)


async def _streams(wanted: Wanted) -> list[dict[str, Any]]:
    """What makes one index each give the rows in the order of their ids."""
    if wanted.key_id is not None:
        return [{"key_id": wanted.key_id}]
    if wanted.statuses is None:
        return [{}]
    rows = await db.fetch(STATUSES, wanted.org_id, *wanted.statuses)
    return [{"status": row["status"]} for row in rows]


class _Search:
    """The statements of one search."""

    def __init__(self, wanted: Wanted, *, oldest_first: bool) -> None:
        self._wanted = wanted
        self._order = "id" if oldest_first else "id DESC"
        self._nearest = min if oldest_first else max
        self._is_up = oldest_first

    async def end_of_look(self, streams: list[dict[str, Any]], rows: int) -> UUID | None:
        """The last id to look at: beyond it some stream has more rows than are read at once. None: all may be read."""
        ends = []
        for stream in streams:
            values: list[Any] = []
            text = self._rows(stream, values, self._wanted.low, self._wanted.high)
            ends += await db.fetch(f"{text} ORDER BY {self._order} LIMIT 1 OFFSET {rows}", *values)
        return self._nearest((sql.as_uuid(row["id"]) for row in ends), default=None)

    async def find(self, streams: list[dict[str, Any]], limit: int, stop: UUID | None) -> list[UUID]:
        """The first ids of all streams together, `stop` the last of them at most."""
        low, high = self._wanted.low, self._wanted.high
        if stop is not None:
            low, high = (low, next_id(stop)) if self._is_up else (stop, high)
        values: list[Any] = []
        parts = [
            f"SELECT id FROM ({self._rows(stream, values, low, high)}{self._by_hand(values)} "  # noqa: S608 - our own words
            f"ORDER BY {self._order} LIMIT {limit}) AS s{number}"
            for number, stream in enumerate(streams)
        ]
        rows = await db.fetch(f"{' UNION ALL '.join(parts)} ORDER BY {self._order} LIMIT {limit}", *values)
        return [sql.as_uuid(row["id"]) for row in rows]

    def _rows(self, stream: dict[str, Any], values: list[Any], low: UUID, high: UUID) -> str:
        """The rows of a stream within these ids; adds its parameters to `values`."""
        conditions = [f"{column} = {_given(values, value)}" for column, value in stream.items()]
        conditions += [f"id >= {_given(values, low)}", f"id < {_given(values, high)}"]
        org = _given(values, self._wanted.org_id)
        return f"SELECT id FROM api_requests WHERE org_id = {org} AND {' AND '.join(conditions)}"  # noqa: S608 - as above

    def _by_hand(self, values: list[Any]) -> str:
        """What is asked of each row beside."""
        wanted, conditions = self._wanted, []
        if wanted.key_id is not None and wanted.statuses is not None:
            first, last = wanted.statuses
            # The plus hides the column from the index of statuses, which has its rows in another order.
            conditions.append(f"+status BETWEEN {_given(values, first)} AND {_given(values, last)}")
        if wanted.method is not None:
            conditions.append(f"method = {_given(values, wanted.method)}")
        if wanted.path is not None:
            conditions.append(f"substr(path, 1, {len(wanted.path)}) = {_given(values, wanted.path)}")
        if wanted.request_id is not None:
            conditions.append(f"request_id = {_given(values, wanted.request_id)}")
        return "".join(f" AND {condition}" for condition in conditions)


def _given(values: list[Any], value: Any) -> str:
    """The placeholder of one more parameter."""
    values.append(value)
    return f"${len(values)}"


def next_id(row_id: UUID) -> UUID:
    """The smallest id beyond this one; the largest has none, and is given back."""
    return UUID(int=min(row_id.int + 1, 2**128 - 1))
