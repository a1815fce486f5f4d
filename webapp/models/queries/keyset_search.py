"""Searching a long table for a page of rows in the order of their ids.

What an index finds in that order costs no more than the page. What no index tells is looked for among so many of the
next rows alone: the search says how far it came, and goes on from there when it is asked to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects


class Condition(NamedTuple):
    """What is asked of a row: SQL with {} for each of its values."""

    text: str
    values: tuple[Any, ...]


def equals(column: str, value: Any) -> Condition:
    """That a column has this value, which an index may find."""
    return Condition(f"{column} = {{}}", (value,))


def hidden_equals(column: str, value: Any) -> Condition:
    """As `equals`, kept from the indexes of the column: they have its rows in another order."""
    return Condition(f"COALESCE({column}, {column}) = {{}}", (value,))


class Stream(NamedTuple):
    """What one index has in the order of the ids: rows with this value of the column before the id, and what else."""

    column: str
    value: Any
    others: Sequence[Condition] = ()

    def also(self, conditions: Sequence[Condition]) -> "Stream":
        """Those of its rows that meet these conditions, too."""
        return self._replace(others=[*self.others, *conditions])


class Found(NamedTuple):
    """Ids in the order that was asked for, and the last one looked at where the search stopped before its end."""

    ids: list[UUID]
    stopped_at: UUID | None


FARTHEST = 10**15  # rows before a page: no table has as many
NEAR = 4_000  # rows that are read through at first: most searches find a page among them


@dataclass(frozen=True)
class LookThrough:
    """Rows with ids from `low` to below `high` that meet the conditions, newest first or oldest.

    They are the organization's; where there is none, every stream is known to be of one.
    """

    table: str
    org_id: UUID | None
    low: UUID
    high: UUID
    by_hand: Sequence[Condition] = ()  # what no index tells
    oldest_first: bool = False

    async def search(self, streams: Sequence[Stream], limit: int, look: int) -> Found:
        """The first rows of all streams together; where something is asked by hand, of about `look` rows of them."""
        if not streams:
            return Found([], None)
        if not self.by_hand:
            return await self.search_until(streams, limit, None)
        found = Found([], None)
        for rows in (min(NEAR, look), look):
            stop = await self.end_of_look(streams, rows)
            found = await self.search_until(streams, limit, stop)
            if found.stopped_at is None:
                break
        return found

    async def search_until(self, streams: Sequence[Stream], limit: int, stop: UUID | None) -> Found:
        """The first rows of all streams together, `stop` the last that is looked at."""
        ids = await self._until(stop).first(streams, limit)
        return Found(ids, stop if len(ids) < limit else None)

    async def first(self, streams: Sequence[Stream], limit: int) -> list[UUID]:
        """The first rows of all streams together, however many are read through."""
        values: list[Any] = []
        asked = [stream.also(self.by_hand) for stream in streams]
        return [dialects.as_uuid(row["id"]) for row in await db.fetch(self._merged(asked, values, limit), *values)]

    def _until(self, stop: UUID | None) -> "LookThrough":
        """The same with `stop` as the last row."""
        if stop is None:
            return self
        return replace(self, high=next_id(stop)) if self.oldest_first else replace(self, low=stop)

    async def end_of_look(self, streams: Sequence[Stream], rows: int) -> UUID | None:
        """The last id to look at: so many rows of all streams come before it. None: they have no more than those."""
        values: list[Any] = []
        found = await db.fetch(self._merged(streams, values, 1, rows), *values)
        return dialects.as_uuid(found[0]["id"]) if found else None

    async def page(self, streams: Sequence[Stream], limit: int, offset: int) -> tuple[list[UUID], int]:
        """The rows behind the first `offset` of all streams together, and how many those have. Nothing is by hand."""
        values: list[Any] = []
        counts = [f"(SELECT COUNT(*) {self._rows(stream, self._within(stream), values)})" for stream in streams]
        page = self._merged(streams, values, limit, min(offset, FARTHEST))
        rows = await db.fetch(
            f"SELECT counted.number, page.id FROM (SELECT {' + '.join(counts)} AS number) AS counted "
            f"LEFT JOIN ({page}) AS page ON true ORDER BY id {self._direction}",
            *values,
        )
        return [dialects.as_uuid(row["id"]) for row in rows if row["id"] is not None], int(rows[0]["number"])

    def _merged(self, streams: Sequence[Stream], values: list[Any], limit: int, offset: int = 0) -> str:
        """Rows behind the first `offset` of all streams. Each has a limit: PostgreSQL might read it whole otherwise."""
        parts = [
            f"SELECT id FROM (SELECT id {self._rows(stream, self._in_order(stream), values)} "
            f"ORDER BY {stream.column} {self._direction}, id {self._direction} LIMIT {offset + limit}) AS s{number}"
            for number, stream in enumerate(streams)
        ]
        return f"{' UNION ALL '.join(parts)} ORDER BY id {self._direction} LIMIT {limit} OFFSET {offset}"

    @property
    def _direction(self) -> str:
        return "ASC" if self.oldest_first else "DESC"

    def _in_order(self, stream: Stream) -> Condition:
        """The column and the ids of a stream, to be read in the order of its index.

        To PostgreSQL the rows of a value may lie anywhere among all: where both were asked for by themselves, it would
        walk over the rows of everybody, in the order of their ids, to find the first.
        """
        key, ends = f"({stream.column}, id)", (stream.value, self.low, stream.value, self.high)
        return Condition(f"{key} >= ({{}}, {{}}) AND {key} < ({{}}, {{}})", ends)

    def _within(self, stream: Stream) -> Condition:
        """The same to be read in any order."""
        return Condition(f"{stream.column} = {{}} AND id >= {{}} AND id < {{}}", (stream.value, self.low, self.high))

    def _rows(self, stream: Stream, ends: Condition, values: list[Any]) -> str:
        """FROM and WHERE of the rows of a stream; adds its parameters to `values`.

        Where the stream is the organization's its ends name it: named twice, PostgreSQL would walk there from the
        organization's newest row on.
        """
        own = [] if self.org_id is None or stream.column == "org_id" else [equals("org_id", self.org_id)]
        asked = [*own, *stream.others, ends]
        texts = [text.format(*[_given(values, value) for value in given]) for text, given in asked]
        return f"FROM {self.table} WHERE {' AND '.join(texts)}"


def _given(values: list[Any], value: Any) -> str:
    """The placeholder of a parameter; an id that is given already is not given again."""
    if isinstance(value, UUID) and value in values:
        return f"${values.index(value) + 1}"
    values.append(value)
    return f"${len(values)}"


def next_id(row_id: UUID) -> UUID:
    """The smallest id beyond this one; the largest has none, and is given back."""
    return UUID(int=min(row_id.int + 1, 2**128 - 1))
