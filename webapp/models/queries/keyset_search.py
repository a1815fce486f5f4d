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
    """Rows with `value` in `column`, a column or expression that has an index in ID order."""

    column: str
    value: Any
    others: Sequence[Condition] = ()
    form: str = "{}"  # SQL for the value

    def also(self, conditions: Sequence[Condition]) -> "IndexScan":
        return self._replace(others=[*self.others, *conditions])


class ScanResult(NamedTuple):
    ids: list[UUID]
    stopped_at: UUID | None  # the last ID scanned if the search stopped early


class PageOfIds(NamedTuple):
    ids: list[UUID]
    total: int
    is_exact: bool  # otherwise the total is of those that were counted


MAX_OFFSET = 10**15  # more rows than any table has
FIRST_SCAN = 4_000  # rows; most searches find a page among them
MAX_COUNTED = 5_000  # rows of a total, beyond the page
FEW_COUNTED = 500  # where rows of another table are looked up for each


@dataclass(frozen=True)
class KeysetSearch:
    """Rows with ids from `low` to below `high`; without an `org_id`, every scan must be of one organization.

    With another `key` than the id, the search finds its distinct values, or the ids of `joined` rows in its order.
    """

    table: str
    org_id: UUID | None
    low: UUID
    high: UUID
    unindexed: Sequence[Condition] = ()  # checked on each row
    oldest_first: bool = False
    key: str = "id"
    joined: str = ""  # SQL of a join of other rows
    joined_id: str | None = None
    is_short: bool = False  # of ids between which there are few rows

    async def search(
        self, scans: Sequence[IndexScan], limit: int, max_scanned: int, first_scan: int = FIRST_SCAN
    ) -> ScanResult:
        """The first rows of all scans; with unindexed conditions, about `max_scanned` rows are read."""
        if not scans:
            return ScanResult([], None)
        if not self.unindexed:
            return await self.search_until(scans, limit, None)
        result = ScanResult([], None)
        for rows in (min(first_scan, max_scanned), max_scanned):
            stop = await self.scan_limit(scans, rows)
            result = await self.search_until(scans, limit, stop)
            if result.stopped_at is None:
                break
        return result

    async def search_until(self, scans: Sequence[IndexScan], limit: int, stop: UUID | None) -> ScanResult:
        if stop is not None:
            short = replace(self, is_short=self.key == "id")
            within = replace(short, high=next_id(stop)) if self.oldest_first else replace(short, low=stop)
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
        self,
        scans: Sequence[IndexScan],
        limit: int,
        offset: int,
        total: Condition | None = None,
        max_counted: int = MAX_COUNTED,
    ) -> PageOfIds:
        """A page of the rows and their total number, which is counted if not given."""
        values: list[Any] = []
        scans = [scan.also(self.unindexed) for scan in scans]
        offset = min(offset, MAX_OFFSET)
        most = offset + limit + max_counted
        number_of = self._count(scans, values, most) if total is None else _text(total, values)
        page = self._merged(scans, values, limit, offset)
        rows = await db.fetch(
            f"SELECT counted.number, page.id FROM (SELECT {number_of} AS number) AS counted "
            f"LEFT JOIN ({page}) AS page ON true ORDER BY id {self._direction}",
            *values,
        )
        number = int(rows[0]["number"])
        ids = [dialects.as_uuid(row["id"]) for row in rows if row["id"] is not None]
        return PageOfIds(ids, number, is_exact=total is not None or number < most)

    def _count(self, scans: Sequence[IndexScan], values: list[Any], most: int) -> str:
        parts = [
            f"SELECT * FROM (SELECT 1 {self._rows(scan, self._between(scan), values)} LIMIT {most}) AS c{number}"
            for number, scan in enumerate(scans)
        ]
        return f"(SELECT COUNT(*) FROM ({' UNION ALL '.join(parts)} LIMIT {most}) AS matching)"

    def _merged(self, scans: Sequence[IndexScan], values: list[Any], limit: int, offset: int = 0) -> str:
        """SQL for the rows after `offset`; each scan has a limit, so that PostgreSQL does not read all rows."""
        shown = ("place", "id") if self.joined_id else ("id",)
        parts = [
            f"SELECT {', '.join(shown[::-1])} FROM ({self._in_range(scan, values)} "
            f"ORDER BY {self._ordered(*self._order(scan))} LIMIT {offset + limit}) AS s{number}"
            for number, scan in enumerate(scans)
        ]
        union = " UNION ALL " if self._is_unique else " UNION "
        return f"{union.join(parts)} ORDER BY {self._ordered(*shown)} LIMIT {limit} OFFSET {offset}"

    def _in_range(self, scan: IndexScan, values: list[Any]) -> str:
        rows = f"SELECT {self._selected(scan)} {self._rows(scan, self._in_order(scan), values)}"
        return f"SELECT id FROM ({rows} {db.dialect().fence}) AS few" if self.is_short else rows

    @property
    def _is_unique(self) -> bool:
        return self.key == "id" or self.joined_id is not None

    def _selected(self, scan: IndexScan) -> str:
        if self.joined_id:
            return f"{self.joined_id} AS id, {self.key} AS place"
        return "id" if self._is_unique else f"DISTINCT {scan.column} AS scanned, {self.key} AS id"

    @property
    def _direction(self) -> str:
        return "ASC" if self.oldest_first else "DESC"

    def _ordered(self, *columns: str) -> str:
        return ", ".join(f"{column} {self._direction}" for column in columns)

    def _order(self, scan: IndexScan) -> Sequence[str]:
        keys = dict.fromkeys((self.key, self.joined_id or self.key))  # which may be the same
        return list(keys) if self._is_equal(scan) else [scan.column, *keys]

    def _in_order(self, scan: IndexScan) -> Condition:
        """The range as one comparison; with two, PostgreSQL would scan all organizations' rows by ID.

        It does not stop at the end of the comparison, but at another value, so a short range is read without an order.
        """
        if self._is_equal(scan):
            return self._between(scan)
        key, end = f"({scan.column}, {self.key})", f"({scan.form}, {{}})"
        return Condition(f"{key} >= {end} AND {key} < {end}", (scan.value, self.low, scan.value, self.high))

    def _between(self, scan: IndexScan) -> Condition:
        ends = f"{self.key} >= {{}} AND {self.key} < {{}}"
        return Condition(f"{scan.column} = {scan.form} AND {ends}", (scan.value, self.low, self.high))

    def _is_equal(self, scan: IndexScan) -> bool:
        """SQLite has no comparison of a pair with an expression by its index."""
        has_pairs = not db.dialect().has_one_writer or (scan.column.isidentifier() and self.key.isidentifier())
        return self.is_short or not has_pairs

    def _rows(self, scan: IndexScan, ends: Condition, values: list[Any]) -> str:
        """FROM and WHERE of a scan; appends its parameters to `values`.

        The organization is only named once, because PostgreSQL would otherwise scan from its newest row.
        """
        own = [] if self.org_id is None or scan.column == "org_id" else [equals(f"{self.table}.org_id", self.org_id)]
        merged = [*own, *scan.others, ends]
        return f"FROM {self.table} {self.joined} WHERE {' AND '.join(_text(each, values) for each in merged)}"


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


Plan = tuple[KeysetSearch, Sequence[IndexScan]]


async def choose(plans: Sequence[Plan], rows: int) -> Plan:
    """The plan that reaches farthest by some rows, because one that ends earlier may have to be read completely."""
    if len(plans) == 1:
        return plans[0]
    ends = [await search.scan_limit(scans, rows) for search, scans in plans]
    reached = [end for end in ends if end is not None]
    farthest = max if plans[0][0].oldest_first else min
    return plans[ends.index(None if None in ends else farthest(reached))]
