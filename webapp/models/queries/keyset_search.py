"""Searches a long table for a page of rows in ID order.

Conditions with an index in that order cost no more than the page. Others are checked on a bounded number of rows: the
search returns how far it came, and the next one continues there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects


class Condition(NamedTuple):
    text: str  # SQL with {} for each value
    values: tuple[Any, ...]


def equals(column: str, value: Any) -> Condition:
    return Condition(f"{column} = {{}}", (value,))


def equals_without_index(column: str, value: Any) -> Condition:
    """Like `equals`, but so that the column's indexes, which have another order, are not used."""
    return Condition(f"COALESCE({column}, {column}) = {{}}", (value,))


class IndexScan(NamedTuple):
    """Rows with `value` in `column`, which has an index in ID order."""

    column: str
    value: Any
    others: Sequence[Condition] = ()

    def also(self, conditions: Sequence[Condition]) -> "IndexScan":
        return self._replace(others=[*self.others, *conditions])


class ScanResult(NamedTuple):
    ids: list[UUID]
    stopped_at: UUID | None  # the last ID scanned if the search stopped early


MAX_OFFSET = 10**15  # more rows than any table has
FIRST_SCAN = 4_000  # rows; most searches find a page among them


@dataclass(frozen=True)
class KeysetSearch:
    """Rows with ids from `low` to below `high`; without an `org_id`, every scan must be of one organization."""

    table: str
    org_id: UUID | None
    low: UUID
    high: UUID
    unindexed: Sequence[Condition] = ()  # checked on each row
    oldest_first: bool = False

    async def search(self, scans: Sequence[IndexScan], limit: int, max_scanned: int) -> ScanResult:
        """The first rows of all scans; with unindexed conditions, about `max_scanned` rows are read."""
        if not scans:
            return ScanResult([], None)
        if not self.unindexed:
            return await self.search_until(scans, limit, None)
        result = ScanResult([], None)
        for rows in (min(FIRST_SCAN, max_scanned), max_scanned):
            stop = await self.scan_limit(scans, rows)
            result = await self.search_until(scans, limit, stop)
            if result.stopped_at is None:
                break
        return result

    async def search_until(self, scans: Sequence[IndexScan], limit: int, stop: UUID | None) -> ScanResult:
        if stop is not None:
            within = replace(self, high=next_id(stop)) if self.oldest_first else replace(self, low=stop)
            result = await within.search_until(scans, limit, None)
            return result if len(result.ids) == limit else ScanResult(result.ids, stop)
        values: list[Any] = []
        merged = self._merged([scan.also(self.unindexed) for scan in scans], values, limit)
        return ScanResult(await db.fetch_ids(merged, *values), None)

    async def scan_limit(self, scans: Sequence[IndexScan], rows: int) -> UUID | None:
        values: list[Any] = []
        ids = await db.fetch_ids(self._merged(scans, values, 1, rows), *values)
        return ids[0] if ids else None

    async def page(
        self, scans: Sequence[IndexScan], limit: int, offset: int, total: Condition | None = None
    ) -> tuple[list[UUID], int]:
        """A page of the rows and their number, which is `total` if given; ignores unindexed conditions."""
        values: list[Any] = []
        counts = [self._count(scan, values) for scan in scans] if total is None else [_text(total, values)]
        page = self._merged(scans, values, limit, min(offset, MAX_OFFSET))
        rows = await db.fetch(
            f"SELECT counted.number, page.id FROM (SELECT {' + '.join(counts)} AS number) AS counted "
            f"LEFT JOIN ({page}) AS page ON true ORDER BY id {self._direction}",
            *values,
        )
        return [dialects.as_uuid(row["id"]) for row in rows if row["id"] is not None], int(rows[0]["number"])

    def _count(self, scan: IndexScan, values: list[Any]) -> str:
        ends = Condition(f"{scan.column} = {{}} AND id >= {{}} AND id < {{}}", (scan.value, self.low, self.high))
        return f"(SELECT COUNT(*) {self._rows(scan, ends, values)})"

    def _merged(self, scans: Sequence[IndexScan], values: list[Any], limit: int, offset: int = 0) -> str:
        """SQL for the rows after `offset`; each scan has a limit, so that PostgreSQL does not read all rows."""
        parts = [
            f"SELECT id FROM (SELECT id {self._rows(scan, self._in_order(scan), values)} "
            f"ORDER BY {scan.column} {self._direction}, id {self._direction} LIMIT {offset + limit}) AS s{number}"
            for number, scan in enumerate(scans)
        ]
        return f"{' UNION ALL '.join(parts)} ORDER BY id {self._direction} LIMIT {limit} OFFSET {offset}"

    @property
    def _direction(self) -> str:
        return "ASC" if self.oldest_first else "DESC"

    def _in_order(self, scan: IndexScan) -> Condition:
        """The range as one comparison; with two, PostgreSQL would scan all organizations' rows by ID."""
        key, ends = f"({scan.column}, id)", (scan.value, self.low, scan.value, self.high)
        return Condition(f"{key} >= ({{}}, {{}}) AND {key} < ({{}}, {{}})", ends)

    def _rows(self, scan: IndexScan, ends: Condition, values: list[Any]) -> str:
        """FROM and WHERE of a scan; appends its parameters to `values`.

        The organization is only named once, because PostgreSQL would otherwise scan from its newest row.
        """
        own = [] if self.org_id is None or scan.column == "org_id" else [equals("org_id", self.org_id)]
        merged = [*own, *scan.others, ends]
        return f"FROM {self.table} WHERE {' AND '.join(_text(condition, values) for condition in merged)}"


def _text(condition: Condition, values: list[Any]) -> str:
    """SQL for the condition; appends its parameters to `values`."""
    return condition.text.format(*[_given(values, value) for value in condition.values])


def _given(values: list[Any], value: Any) -> str:
    if isinstance(value, UUID) and value in values:
        return f"${values.index(value) + 1}"
    values.append(value)
    return f"${len(values)}"


def next_id(row_id: UUID) -> UUID:
    return UUID(int=min(row_id.int + 1, 2**128 - 1))
