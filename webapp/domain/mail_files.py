"""SearchPage mail as a CSV file, a part at a time; what is a line of it is said by who searches."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from webapp import db
from webapp.domain.audit import audit
from webapp.domain.csv_writer import BOM, csv_lines
from webapp.domain.emails.search import EmailSearch
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.pagination import Cursor, SearchPage, TimedRow
from webapp.models import Organization

MOST_ROWS = 200_000  # of a file: a spreadsheet opens five times as many

Search = Callable[[Cursor], Awaitable[SearchPage[TimedRow]]]
Lines = Callable[[list[TimedRow]], Awaitable[Iterable[Iterable[Any]]]]


async def begin_export(org: Organization, target: str, search: MailLogSearch | EmailSearch) -> None:
    """Note in the audit log that what is searched for leaves."""
    tag = ":".join(filter(None, search.tag)) if search.tag else None
    asked = {name: value for name, value in (vars(search) | {"tag": tag}).items() if value is not None}
    async with db.write_transaction():
        await audit.record_export(org, target, **asked)


async def mail_file(
    columns: Sequence[str], search: Search[TimedRow], lines: Lines[TimedRow], *, most_rows: int, part: int
) -> AsyncIterator[bytes]:
    """The file in pieces of `part` rows, newest first; at `most_rows` it ends, and its last line says so."""
    yield BOM + csv_lines([columns])
    cursor, written = Cursor(part), 0
    while True:
        searched = await search(cursor)
        rows = searched.found.rows
        if rows:
            yield csv_lines(map(_plain, line) for line in await lines(rows))
        written += len(rows)
        goes_on = searched.stopped_at or searched.found.older
        if goes_on is None:
            return
        if written >= most_rows:
            yield csv_lines([[f"This file ends at {most_rows:,} rows: choose fewer days for the others."]])
            return
        cursor = Cursor(part, after=goes_on)


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(value, datetime) else value
