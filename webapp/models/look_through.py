"""Searching a long table for a page of rows in the order of their ids.

What an index finds in that order costs no more than the page. What no index tells is looked for among so many of the
next rows alone: the search says how far it came, and goes on from there when it is asked to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import sql


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


Stream = Sequence[Condition]  # what makes one index give the rows in the order of their ids


class Found(NamedTuple):
    """Ids in the order that was asked for, and the last one looked at where the search stopped before its end."""

    ids: list[UUID]
    stopped_at: UUID | None


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
        first = await self.end_of_look(streams, 0)
        if first is None:
            return Found([], None)
        found, there = Found([], None), self._from(first)
        for rows in (min(NEAR, look), look):
            stop = await there.end_of_look(streams, rows // len(streams))
            found = await there.search_until(streams, limit, stop)
            if found.stopped_at is None:
                break
        return found

    def _from(self, first: UUID) -> "LookThrough":
        """The same from the first row of the streams on.

        PostgreSQL believes the rows of a stream to be spread evenly, and would read all that are newer than those of
        an old run to find the first of them.
        """
        return replace(self, low=first) if self.oldest_first else replace(self, high=next_id(first))

    async def search_until(self, streams: Sequence[Stream], limit: int, stop: UUID | None) -> Found:
        """The first rows of all streams together, `stop` the last that is looked at."""
        ids = await self._find(streams, limit, stop)
        return Found(ids, stop if len(ids) < limit else None)

    async def end_of_look(self, streams: Sequence[Stream], rows: int) -> UUID | None:
        """The last id to look at: beyond it some stream has more rows than are read at once. None: all may be read."""
        ends = []
        for stream in streams:
            values: list[Any] = []
            text = self._rows(stream, values, self.low, self.high)
            ends += await db.fetch(f"{text} ORDER BY {self._order} LIMIT 1 OFFSET {rows}", *values)
        return self.nearest([sql.as_uuid(row["id"]) for row in ends])

    def nearest(self, ids: Sequence[UUID]) -> UUID | None:
        """The one that is come to first; None without any."""
        return (min if self.oldest_first else max)(ids, default=None)

    @property
    def _order(self) -> str:
        return "id" if self.oldest_first else "id DESC"

    async def _find(self, streams: Sequence[Stream], limit: int, stop: UUID | None) -> list[UUID]:
        low, high = self.low, self.high
        if stop is not None:
            low, high = (low, next_id(stop)) if self.oldest_first else (stop, high)
        values: list[Any] = []
        parts = [
            f"SELECT id FROM ({self._rows([*stream, *self.by_hand], values, low, high)} "  # noqa: S608 - our own words
            f"ORDER BY {self._order} LIMIT {limit}) AS s{number}"
            for number, stream in enumerate(streams)
        ]
        rows = await db.fetch(f"{' UNION ALL '.join(parts)} ORDER BY {self._order} LIMIT {limit}", *values)
        return [sql.as_uuid(row["id"]) for row in rows]

    def _rows(self, conditions: Sequence[Condition], values: list[Any], low: UUID, high: UUID) -> str:
        """The rows that meet the conditions within these ids; adds its parameters to `values`."""
        own = [] if self.org_id is None else [equals("org_id", self.org_id)]
        asked = [*own, *conditions, Condition("id >= {} AND id < {}", (low, high))]
        texts = [text.format(*[_given(values, value) for value in given]) for text, given in asked]
        return f"SELECT id FROM {self.table} WHERE {' AND '.join(texts)}"  # noqa: S608 - as above


def _given(values: list[Any], value: Any) -> str:
    """The placeholder of one more parameter."""
    values.append(value)
    return f"${len(values)}"


def next_id(row_id: UUID) -> UUID:
    """The smallest id beyond this one; the largest has none, and is given back."""
    return UUID(int=min(row_id.int + 1, 2**128 - 1))
