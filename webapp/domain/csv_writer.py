"""CSV files (RFC 4180) whose cells spreadsheets show but never calculate, and exports of searches."""

import asyncio
import csv
import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from math import inf
from typing import Any

from webapp.domain.pagination import Cursor, CursorPage, TimedRow

BOM = b"\xef\xbb\xbf"  # so that spreadsheets recognize UTF-8
# The start of a formula (OWASP, "CSV injection"), including full-width forms and leading apostrophes.
FORMULA = re.compile("'*[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")
ESCAPED = re.compile(f"'{FORMULA.pattern}")
MOST_ROWS = 200_000  # per file; spreadsheets open five times as many

Search = Callable[[Cursor], Awaitable[CursorPage[TimedRow]]]
Lines = Callable[[list[TimedRow]], Awaitable[Iterable[Iterable[Any]]]]


def safe_cell(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and ESCAPED.match(cell) else cell


def csv_lines(rows: Iterable[Iterable[object]], delimiter: str = ",") -> bytes:
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([safe_cell(as_text(value)) for value in row] for row in rows)
    return lines.getvalue().encode(errors="replace")


async def csv_part(rows: Iterable[Iterable[object]], delimiter: str = ",") -> bytes:
    """Encodes rows in a thread, because 500 contacts with 400 custom fields take a quarter of a second."""
    return await asyncio.to_thread(csv_lines, rows, delimiter)


async def csv_file(
    columns: Sequence[str], search: Search[TimedRow], lines: Lines[TimedRow], *, part: int, most_rows: float = inf
) -> AsyncIterator[bytes]:
    """The rows of a search, `part` at a time, newest first; the last line says if they end at `most_rows`."""
    yield BOM + csv_lines([columns])
    cursor, written = Cursor(part), 0
    while True:
        searched = await search(cursor)
        rows = searched.rows
        if rows:
            yield await csv_part(await lines(rows))
        written += len(rows)
        older = searched.stopped_at or searched.older
        if older is None:
            return
        if written >= most_rows:
            yield csv_lines([[f"This file stops at {most_rows:,} rows. Choose a shorter date range for the rest."]])
            return
        cursor = Cursor(part, after=older)


def as_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
