"""SQL that differs between PostgreSQL and SQLite. Parameters are $1, $2, ...; a list of ids is one parameter."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import orjson

from webapp.languages.spelling import ACCENTS, PLAIN_LETTERS


class Values(list[Any]):
    def name(self, value: Any) -> str:
        self.append(value)
        return f"${len(self)}"


class Postgres:
    now = "now()"
    greatest = "GREATEST"
    fence = "OFFSET 0"  # at the end of a subquery, so that it is planned separately
    has_one_writer = False

    def lock(self, clause: str) -> str:
        return clause

    def id_beside(self, row_id: str) -> str:
        """A new UUIDv7 with the millisecond of `row_id` (RFC 9562, 5.7)."""
        return f"CAST(substr(CAST({row_id} AS TEXT), 1, 18) || substr(CAST(gen_random_uuid() AS TEXT), 19) AS UUID)"

    def later(self, seconds: str) -> str:
        return f"(now() + ({seconds})::float8 * interval '1 second')"

    def since(self, instant: str) -> str:
        return f"EXTRACT(EPOCH FROM now() - {instant})::float8"

    def epoch(self, instant: str) -> str:
        return f"CAST(FLOOR(EXTRACT(EPOCH FROM {instant})) AS BIGINT)"

    def octets(self, text: str) -> str:
        """The length in bytes, for which PostgreSQL does not read the text."""
        return f"octet_length({text})"

    def among(self, parameter: str) -> str:
        """A condition: the id is in the list parameter."""
        return f"= ANY({parameter}::uuid[])"

    def not_among(self, parameter: str) -> str:
        """The opposite of `among`, with a hash table, because PostgreSQL searches an array for each row."""
        return f"NOT IN (SELECT unnest({parameter}::uuid[]))"

    def listed(self, ids: Iterable[UUID]) -> Any:
        """Ids as one parameter for `nth_id`, which avoids a join that the planner could get wrong."""
        return list(ids)

    def nth_id(self, parameter: str, number: str) -> str:
        """The id with this number, from 1, in a parameter of `listed`."""
        return f"({parameter}::uuid[])[{number}]"

    def json_with(self, document: str, members: Mapping[str, str]) -> str:
        """A flat JSON object with these members (name to column) replaced; nulls are left out."""
        pairs = ", ".join(f"'{name}', {column}" for name, column in members.items())
        return f"jsonb_strip_nulls({document} || jsonb_build_object({pairs}))"

    def json_merged(self, document: str, added: str) -> str:
        """A JSON object with the members of another; SQLite leaves out nulls in the added ones."""
        return f"({document} || {added})"

    def member(self, document: str, name: str) -> str:
        """A member of a flat JSON object as text, by an SQL expression of its name; null if missing."""
        return f"({document} ->> {name})"

    def is_true(self, document: str, name: str) -> str:
        """A condition: the flat JSON object has true in a member; never null."""
        return f"COALESCE(({document} ->> '{name}') = 'true', false)"

    def text_member(self, document: str, name: str) -> str:
        """Like `member` for a name in the code, so that an index can have it."""
        return f"({document} ->> '{name}')"

    def bytewise(self, text: str) -> str:
        """The text, compared by its bytes as in PrefixIndex, so that a range has all with a prefix."""
        return f'{text} COLLATE "C"'

    def member_named(self, document: str, name: str, values: Values) -> str:
        return f"({document} ->> CAST({values.name(name)} AS TEXT))"

    def has_member(self, document: str, name: str, text: str, values: Values) -> str:
        """A condition: the flat JSON object has this text in a member; uses its index."""
        return f"({document} @> CAST({values.name(json.dumps({name: text}))} AS jsonb))"

    def contains(self, text: str, part: str) -> str:
        return f"strpos({text}, {part}) > 0"

    def plain(self, text: str) -> str:
        """The plain form of a text (webapp/languages/spelling.py)."""
        bare = f"regexp_replace(normalize({text}, NFKD), '{ACCENTS.pattern}', '', 'g')"
        letters = f"lower(normalize({bare}, NFC))"
        for letter, plain in PLAIN_LETTERS.items():
            letters = f"replace({letters}, '{letter}', '{plain}')"
        return letters

    def bytes_contain(self, data: str, part: str) -> str:
        return f"position({part}::bytea in {data}) > 0"

    def domain(self, email: str) -> str:
        return f"split_part({email}, '@', 2)"

    def with_items(self, document: str, alias: str) -> str:
        """A left join with the items of a JSON list, each as `value`."""
        return f"LEFT JOIN LATERAL jsonb_array_elements({document}) {alias}(value) ON true"

    def one_of(self, query: str) -> str:
        """A condition: the id is among some thousands that a query finds, as an array to prevent a join."""
        return f"= ANY(ARRAY({query}))"

    def none_of(self, column: str, query: str) -> str:
        """A condition: a query finds other ids. An anti-join, because PostgreSQL hashes only short lists of NOT IN."""
        return f"NOT EXISTS (SELECT 1 FROM ({query}) AS found(id) WHERE found.id = {column})"

    def of_owners(self, table: str, owner: str, parameter: str) -> str:
        """The rows of `table` with a listed owner, found one by one (OFFSET 0), because a join might read all rows."""
        own = f"SELECT id FROM {table} WHERE {owner} = k.id OFFSET 0"
        return f"= ANY(ARRAY(SELECT o.id FROM unnest({parameter}::uuid[]) AS k(id) CROSS JOIN LATERAL ({own}) AS o))"

    def with_each(self, table: str, alias: str, condition: str) -> str:
        """A left join that finds the rows of each row separately (OFFSET 0), even without statistics."""
        return f"LEFT JOIN LATERAL (SELECT * FROM {table} {alias} WHERE {condition} OFFSET 0) {alias} ON true"

    def with_found(self, table: str, alias: str, condition: str) -> str:
        """Like `with_each`, without the rows that have none."""
        return f"CROSS JOIN LATERAL (SELECT * FROM {table} {alias} WHERE {condition} OFFSET 0) {alias}"

    def records(self, parameter: str, columns: Mapping[str, str]) -> str:
        """The objects of a JSON list as rows `k` with these columns and PostgreSQL types."""
        typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        return f"jsonb_to_recordset({parameter}::jsonb) AS k({typed})"

    def table(self, columns: Mapping[str, str]) -> str:
        """The rows of `table_values` as rows `k`, from the first parameters; arrays are ten times as fast as JSON."""
        arrays = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(columns.values(), 1))
        return f"unnest({arrays}) AS k({', '.join(columns)})"

    def table_values(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        return [list(column) for column in zip(*rows, strict=True)]

    def is_of_table(self, column: str, name: str) -> str:
        """A condition: the id equals `name` of `table`; the second half prevents PostgreSQL from reading all rows."""
        return f"{column} = k.{name} AND {column} {self.among('$1')}"

    def looked_up(self, table: str, owner: str, column: str, lock: str) -> str:
        """Joins the rows `k` to the rows `o` of owner $2 with the same value in `column`, finding them one by one.

        Otherwise PostgreSQL may read all rows of the owner, for example by a cached plan from when there were none. The
        ORDER BY lets only the index on both columns serve.
        """
        row = f"{owner} = $2 AND {column} BETWEEN k.{column} AND k.{column} ORDER BY {column} LIMIT 1 {lock}"
        return f"CROSS JOIN LATERAL (SELECT * FROM {table} WHERE {row}) AS o"

    def parameters(self, values: Sequence[Any]) -> Any:
        return values


class Sqlite:
    """SQLite 3.35 and later. Instants are text, as Tortoise writes them: 2026-11-20 15:52:47.774850+00:00."""

    now = "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000+00:00')"
    greatest = "MAX"
    fence = "LIMIT -1"
    has_one_writer = True  # so batches must pause, or other processes never get the lock

    def lock(self, clause: str) -> str:  # noqa: ARG002 - a writing transaction locks the whole database
        return ""

    def id_beside(self, row_id: str) -> str:
        rest = "'-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))"
        return f"substr({row_id}, 1, 18) || {rest}"

    def later(self, seconds: str) -> str:
        return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', ({seconds}) || ' seconds') || '000+00:00')"

    def since(self, instant: str) -> str:
        return f"((julianday('now') - julianday({instant})) * 86400.0)"

    def epoch(self, instant: str) -> str:
        return f"CAST(strftime('%s', {instant}) AS INTEGER)"

    def octets(self, text: str) -> str:
        return f"length(CAST({text} AS BLOB))"

    def among(self, parameter: str) -> str:
        return f"IN (SELECT value FROM json_each({parameter}))"

    def not_among(self, parameter: str) -> str:
        return f"NOT {self.among(parameter)}"

    def listed(self, ids: Iterable[UUID]) -> Any:
        return "".join(map(str, ids)).encode()

    def nth_id(self, parameter: str, number: str) -> str:
        return f"CAST(substr({parameter}, ({number} - 1) * 36 + 1, 36) AS TEXT)"

    def json_with(self, document: str, members: Mapping[str, str]) -> str:
        pairs = ", ".join(f"'{name}', {column}" for name, column in members.items())
        return f"json_patch(json_patch('{{}}', {document}), json_object({pairs}))"

    def json_merged(self, document: str, added: str) -> str:
        return f"json_patch({document}, {added})"

    def member(self, document: str, name: str) -> str:
        return f"(SELECT j.value FROM json_each({document}) j WHERE j.key = {name})"

    def is_true(self, document: str, name: str) -> str:
        return f"COALESCE(json_extract({document}, '$.{name}') = 1, false)"

    def text_member(self, document: str, name: str) -> str:
        return f"json_extract({document}, '$.{name}')"

    def bytewise(self, text: str) -> str:
        return text

    def member_named(self, document: str, name: str, values: Values) -> str:
        path = f'$."{name}"'
        return f"json_extract({document}, {values.name(path)})"

    def has_member(self, document: str, name: str, text: str, values: Values) -> str:
        return f"COALESCE({self.member_named(document, name, values)} = {values.name(text)}, false)"

    def contains(self, text: str, part: str) -> str:
        return f"instr({text}, {part}) > 0"

    def plain(self, text: str) -> str:
        return f"plain_form({text})"  # a function of webapp/db/sqlite.py

    def bytes_contain(self, data: str, part: str) -> str:
        return f"instr({data}, {part}) > 0"

    def domain(self, email: str) -> str:
        return f"substr({email}, instr({email}, '@') + 1)"

    def with_items(self, document: str, alias: str) -> str:
        return f"LEFT JOIN json_each({document}) {alias} ON true"

    def one_of(self, query: str) -> str:
        return f"IN ({query})"

    def none_of(self, column: str, query: str) -> str:
        return f"{column} NOT IN ({query})"

    def of_owners(self, table: str, owner: str, parameter: str) -> str:
        return f"IN (SELECT id FROM {table} WHERE {owner} {self.among(parameter)})"

    def with_each(self, table: str, alias: str, condition: str) -> str:
        return f"LEFT JOIN {table} {alias} ON {condition}"

    def with_found(self, table: str, alias: str, condition: str) -> str:
        return f"CROSS JOIN {table} {alias} ON {condition}"  # which keeps the order of the tables

    def records(self, parameter: str, columns: Mapping[str, str]) -> str:
        fields = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in columns)
        return f"(SELECT {fields} FROM json_each({parameter})) AS k"

    def table(self, columns: Mapping[str, str]) -> str:
        fields = ", ".join(f"json_extract(value, '$[{position}]') AS {name}" for position, name in enumerate(columns))
        return f"(SELECT {fields} FROM json_each($1)) AS k"

    def table_values(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        return [json.dumps(rows, default=str)]

    def is_of_table(self, column: str, name: str) -> str:
        return f"{column} = k.{name}"

    def looked_up(self, table: str, owner: str, column: str, lock: str) -> str:  # noqa: ARG002 - PostgreSQL's
        return f"CROSS JOIN {table} AS o ON o.{owner} = $2 AND o.{column} = k.{column}"

    def parameters(self, values: Sequence[Any]) -> Any:
        return {str(number): self._value(value) for number, value in enumerate(values, 1)}

    def _value(self, value: Any) -> Any:
        if isinstance(value, UUID):
            return str(value)
        if isinstance(value, datetime):
            return str(value.astimezone(UTC))
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, list):
            return json.dumps([str(item) for item in value])
        return value


Dialect = Postgres | Sqlite
DIALECTS: dict[str, Dialect] = {"postgres": Postgres(), "sqlite": Sqlite()}


def json_records(records: Sequence[Mapping[str, Any]]) -> str:
    return json.dumps(records, default=str)


def as_uuid(value: Any) -> UUID:
    """An id from either driver; asyncpg's is a subclass of UUID that compares equal."""
    return value if isinstance(value, UUID) else UUID(value)


def as_instant(value: Any) -> datetime:
    instant = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return instant.astimezone(UTC)


def as_json(value: Any) -> Any:
    return orjson.loads(value) if isinstance(value, str) else value
