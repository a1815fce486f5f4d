"""The statements that a piece of code sends to the database: counted, or asked how they are run."""

import contextlib
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

from webapp import db
from webapp.db.dialects import Postgres

LOOKS_KEY_UP = re.compile(r'WHERE [^;]*"key_hash"')
LOOKS_UP = re.compile(r"SELECT|UPDATE|DELETE|WITH \w+ AS MATERIALIZED \(SELECT")
# Rows of others, which it reads; not of bound values.
MAKES = re.compile(r"INSERT INTO (?![^;]*FROM \(SELECT \$1 AS)[^;]*\bSELECT\b")


@contextlib.contextmanager
def count_queries(*, with_keys: bool = False) -> Iterator[list[str]]:
    """The statements sent inside the block; a key in use is looked up once a second, which counts `with_keys` alone."""
    found: list[str] = []

    def note(record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not message.startswith("Created connection") and (with_keys or not LOOKS_KEY_UP.search(message)):
            found.append(message)

    with _noting(note):
        yield found


@contextlib.contextmanager
def look_ups() -> Iterator[list[tuple[str, list[Any]]]]:
    """The statements sent inside the block that look rows up, or make some of others, with their values."""
    found: list[tuple[str, list[Any]]] = []

    def note(record: logging.LogRecord) -> None:
        match record.args:
            case (str(sql), values) if LOOKS_UP.match(sql) or MAKES.match(sql):
                values = [*values.values()] if isinstance(values, dict) else values  # SQLite's have names
                found.append((sql, [*values] if isinstance(values, list | tuple) else []))

    with _noting(note):
        yield found


@contextlib.contextmanager
def _noting(note: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Hand what Tortoise logs inside the block to `note`."""

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note(record)

    logger, notes = logging.getLogger("tortoise.db_client"), Notes()
    level = logger.level
    logger.addHandler(notes)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(notes)


async def plan_of(statement: str, *values: Any) -> list[str]:
    """How the database would go about a statement on tables too large to read whole, step by step."""
    async with db.write_transaction():
        await db.read_by_indexes()  # while a table is this small, to read it whole, or to sort its rows, is quickest
        return await chosen_plan_of(statement, *values)


async def chosen_plan_of(statement: str, *values: Any) -> list[str]:
    """How the database would go about a statement here and now, step by step."""
    is_postgres = isinstance(db.dialect(), Postgres)
    for number in range(0 if is_postgres else len(values)):  # Tortoise's parameters on SQLite have no names
        statement = statement.replace("?", f"${number + 1}", 1)
    explain = "EXPLAIN" if is_postgres else "EXPLAIN QUERY PLAN"
    return [str(row.get("QUERY PLAN", row.get("detail"))) for row in await db.fetch(f"{explain} {statement}", *values)]
