"""The words in which the two dialects differ, so that a hot statement is written once.

Statements number their parameters $1, $2, ...; lists travel as one JSON parameter.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import orjson

PARAMETER = re.compile(r"\$(\d+)")


class Postgres:
    """PostgreSQL 13 and later."""

    now = "now()"
    skip_locked = "FOR UPDATE SKIP LOCKED"
    for_update = "FOR UPDATE"
    for_share = "FOR SHARE"
    greatest = "GREATEST"
    has_one_writer = False

    def later(self, seconds: str) -> str:
        """The instant that many seconds from now; `seconds` is an SQL expression."""
        return f"(now() + ({seconds})::float8 * interval '1 second')"

    def since(self, instant: str) -> str:
        """Seconds since an instant."""
        return f"EXTRACT(EPOCH FROM now() - {instant})::float8"

    def octets(self, text: str) -> str:
        """How many bytes a text has; PostgreSQL knows it without reading the text."""
        return f"octet_length({text})"

    def ids(self, parameter: str) -> str:
        """The ids in a JSON list of strings, as a subquery."""
        return f"(SELECT value::uuid FROM jsonb_array_elements_text({parameter}::jsonb))"

    def among(self, parameter: str) -> str:
        """That an id is in a parameter that `id_list` made."""
        return f"= ANY({parameter}::uuid[])"

    def id_list(self, ids: Iterable[UUID]) -> Any:
        """Ids as one parameter for `among`."""
        return list(ids)

    def listed(self, ids: Iterable[UUID]) -> Any:
        """Ids as one parameter of which `nth_id` takes one in no time: to join a list is at the planner's mercy."""
        return list(ids)

    def nth_id(self, parameter: str, number: str) -> str:
        """The id with this number, from 1, in a parameter that `listed` made."""
        return f"({parameter}::uuid[])[{number}]"

    def json_with(self, document: str, members: Mapping[str, str]) -> str:
        """A flat JSON object with these members, by their columns, in the place of its own of the same names.

        What is null is left out.
        """
        pairs = ", ".join(f"'{name}', {column}" for name, column in members.items())
        return f"jsonb_strip_nulls({document} || jsonb_build_object({pairs}))"

    def member(self, document: str, name: str) -> str:
        """A member of a flat JSON object as text, by the SQL expression of its name; null where it is not there."""
        return f"({document} ->> {name})"

    def contains(self, text: str, part: str) -> str:
        """That a text has a part in it."""
        return f"strpos({text}, {part}) > 0"

    def lists(self, document: str, parameter: str) -> str:
        """That a JSON list has an object with these members; the parameter is a list of such an object alone."""
        return f"{document} @> CAST({parameter} AS jsonb)"

    def one_of(self, query: str) -> str:
        """That an id is one of some thousands that a query finds; as an array, which is looked up and never joined."""
        return f"= ANY(ARRAY({query}))"

    def of_owners(self, table: str, owner: str, parameter: str) -> str:
        """That an id is of a row of `table` whose `owner` is in a parameter that `id_list` made.

        Looked up owner by owner (OFFSET 0 keeps the subquery from being joined in another way): of a table that was
        never analysed PostgreSQL believes each owner to have a two-hundredth of it, and reads it whole.
        """
        own = f"SELECT id FROM {table} WHERE {owner} = k.id OFFSET 0"
        return f"= ANY(ARRAY(SELECT o.id FROM unnest({parameter}::uuid[]) AS k(id) CROSS JOIN LATERAL ({own}) AS o))"

    def records(self, parameter: str, columns: Mapping[str, str]) -> str:
        """The objects in a JSON list as rows `k` with these columns and PostgreSQL types."""
        typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        return f"jsonb_to_recordset({parameter}::jsonb) AS k({typed})"

    def table(self, columns: Mapping[str, str]) -> str:
        """The rows of `table_values` as rows `k` with these columns and types; they are the statement's first values.

        Arrays travel in binary and are read in a tenth of the time that JSON takes.
        """
        arrays = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(columns.values(), 1))
        return f"unnest({arrays}) AS k({', '.join(columns)})"

    def table_values(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The values that `table` reads these rows from, one at least."""
        return [list(column) for column in zip(*rows, strict=True)]

    def is_of_table(self, column: str, name: str) -> str:
        """That a column, an id, is the first one of `table`, with this name: looked up, whatever the planner expects.

        It may prefer to read all rows of another condition, which it believes to be few.
        """
        return f"{column} = k.{name} AND {column} {self.among('$1')}"

    def looked_up(self, table: str, owner: str, column: str, lock: str) -> str:
        """Join to the rows of `table`, of one column, the owner's ($2) rows `o` with that value, looked up one by one.

        For hundreds of values PostgreSQL may read all rows of the owner and compare each with every one of them. For
        one value it may still do so, by a plan that it made while there were none, and keeps: but the index of both
        columns alone has them in the order that is asked for.
        """
        one = f"{owner} = $2 AND {column} BETWEEN k.{column} AND k.{column} ORDER BY {column} LIMIT 1 {lock}"
        return f"CROSS JOIN LATERAL (SELECT * FROM {table} WHERE {one}) AS o"

    def with_ids(self, row: Sequence[Any], places: Collection[int]) -> Sequence[Any]:  # noqa: ARG002 - SQLite's
        """A row with its ids at these places as UUIDs: the driver makes them."""
        return row

    def text(self, sql: str) -> str:
        """The statement with this dialect's placeholders."""
        return sql

    def value(self, value: Any) -> Any:
        """A parameter as the driver takes it."""
        return value


class Sqlite:
    """SQLite 3.35 and later. Instants are text, as Tortoise writes them: 2026-11-20 15:52:47.774850+00:00."""

    now = "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000+00:00')"
    skip_locked = ""  # a writing transaction has the whole database
    for_update = ""
    for_share = ""
    greatest = "MAX"
    has_one_writer = True  # who asks for the lock again and again, without a pause, keeps it from other processes

    def later(self, seconds: str) -> str:
        """The instant that many seconds from now; `seconds` is an SQL expression."""
        return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', ({seconds}) || ' seconds') || '000+00:00')"

    def since(self, instant: str) -> str:
        """Seconds since an instant."""
        return f"((julianday('now') - julianday({instant})) * 86400.0)"

    def octets(self, text: str) -> str:
        """How many bytes a text has."""
        return f"length(CAST({text} AS BLOB))"

    def ids(self, parameter: str) -> str:
        """The ids in a JSON list of strings, as a subquery."""
        return f"(SELECT value FROM json_each({parameter}))"

    def among(self, parameter: str) -> str:
        """That an id is in a parameter that `id_list` made."""
        return f"IN {self.ids(parameter)}"

    def id_list(self, ids: Iterable[UUID]) -> Any:
        """Ids as one parameter for `among`."""
        return json_ids(ids)

    def listed(self, ids: Iterable[UUID]) -> Any:
        """Ids as one parameter of which `nth_id` takes one in no time: bytes have no characters to be counted."""
        return "".join(map(str, ids)).encode()

    def nth_id(self, parameter: str, number: str) -> str:
        """The id with this number, from 1, in a parameter that `listed` made."""
        return f"CAST(substr({parameter}, ({number} - 1) * 36 + 1, 36) AS TEXT)"

    def json_with(self, document: str, members: Mapping[str, str]) -> str:
        """A flat JSON object with these members, by their columns, in the place of its own of the same names.

        What is null is left out (RFC 7396: a null in a patch removes).
        """
        pairs = ", ".join(f"'{name}', {column}" for name, column in members.items())
        return f"json_patch(json_patch('{{}}', {document}), json_object({pairs}))"

    def member(self, document: str, name: str) -> str:
        """A member of a flat JSON object, by the SQL expression of its name; null where it is not there."""
        return f"(SELECT j.value FROM json_each({document}) j WHERE j.key = {name})"

    def contains(self, text: str, part: str) -> str:
        """That a text has a part in it."""
        return f"instr({text}, {part}) > 0"

    def lists(self, document: str, parameter: str) -> str:
        """That a JSON list has an object with these members; the parameter is a list of such an object alone."""
        has = "SELECT value FROM json_each(wanted.value) AS member WHERE json_extract(had.value, '$.' || member.key)"
        return (
            f"EXISTS (SELECT 1 FROM json_each({document}) AS had, json_each({parameter}) AS wanted "
            f"WHERE NOT EXISTS ({has} IS NOT member.value))"
        )

    def one_of(self, query: str) -> str:
        """That an id is one of some thousands that a query finds."""
        return f"IN ({query})"

    def of_owners(self, table: str, owner: str, parameter: str) -> str:
        """That an id is of a row of `table` whose `owner` is in a parameter that `id_list` made."""
        return f"IN (SELECT id FROM {table} WHERE {owner} {self.among(parameter)})"

    def records(self, parameter: str, columns: Mapping[str, str]) -> str:
        """The objects in a JSON list as rows `k` with these columns."""
        fields = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in columns)
        return f"(SELECT {fields} FROM json_each({parameter})) AS k"

    def table(self, columns: Mapping[str, str]) -> str:
        """The rows of `table_values` as rows `k` with these columns; they are the statement's first value."""
        fields = ", ".join(f"json_extract(value, '$[{place}]') AS {name}" for place, name in enumerate(columns))
        return f"(SELECT {fields} FROM json_each($1)) AS k"

    def table_values(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The values that `table` reads these rows from, one at least."""
        return [json.dumps(rows, default=str)]

    def is_of_table(self, column: str, name: str) -> str:
        """That a column, an id, is the first one of `table`, with this name."""
        return f"{column} = k.{name}"

    def looked_up(self, table: str, owner: str, column: str, lock: str) -> str:  # noqa: ARG002 - PostgreSQL's
        """Join to the rows of `table`, of one column, the owner's ($2) rows `o` with that value."""
        return f"CROSS JOIN {table} AS o ON o.{owner} = $2 AND o.{column} = k.{column}"

    def with_ids(self, row: Sequence[Any], places: Collection[int]) -> Sequence[Any]:
        """A row with its ids at these places as UUIDs."""
        return [as_uuid(value) if place in places and value else value for place, value in enumerate(row)]

    def text(self, sql: str) -> str:
        """The statement with this dialect's placeholders."""
        return PARAMETER.sub(r"?\1", sql)

    def value(self, value: Any) -> Any:
        """A parameter as the driver takes it: the texts that Tortoise keeps."""
        if isinstance(value, UUID):
            return str(value)
        if isinstance(value, datetime):
            return str(value.astimezone(UTC))
        if isinstance(value, date):
            return value.isoformat()
        return value


Dialect = Postgres | Sqlite
DIALECTS: dict[str, Dialect] = {"postgres": Postgres(), "sqlite": Sqlite()}


def json_ids(ids: Iterable[UUID]) -> str:
    """A list of ids as one parameter."""
    return json.dumps([str(one) for one in ids])


def json_records(records: Sequence[Mapping[str, Any]]) -> str:
    """A list of records as one parameter; ids and days become strings."""
    return json.dumps(records, default=str)


def as_uuid(value: Any) -> UUID:
    """An id as either driver gives it; asyncpg's are of a subclass that is equal and has the same hash."""
    return value if isinstance(value, UUID) else UUID(value)


def as_instant(value: Any) -> datetime:
    """An instant as either driver gives it, in UTC."""
    found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return found.astimezone(UTC)


def as_json(value: Any) -> Any:
    """A JSON column as either driver gives it."""
    return orjson.loads(value) if isinstance(value, str) else value
