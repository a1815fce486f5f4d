"""Mail logs as a CSV file, a part at a time."""

from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from typing import Any

from webapp import db
from webapp.domain import audit
from webapp.domain.audit import Deed
from webapp.domain.csv_cells import BOM, csv_lines
from webapp.domain.lists import Cursor
from webapp.domain.mail_events import account_names
from webapp.domain.mail_log_search import MailLogSearch, search_rows
from webapp.domain.mail_logs import MailLogLine, subjects_of
from webapp.models import Organization

MOST_ROWS = 200_000  # of a file: a spreadsheet opens five times as many
PART = 500  # rows of which the subjects are in memory
COLUMNS = (
    "id",
    "created_at",
    "sent_at",
    "status",
    "to_email",
    "recipient_type",
    "from_email",
    "subject",
    "account",
    "campaign_id",
    "campaign_run_id",
    "email_id",
    "attempts",
    "response_code",
    "error",
)


async def begin_export(org: Organization, search: MailLogSearch) -> None:
    """Note in the audit log that what is searched for leaves."""
    tag = ":".join(filter(None, search.tag)) if search.tag else None
    asked = {name: value for name, value in (vars(search) | {"tag": tag}).items() if value is not None}
    async with db.write_transaction():
        await audit.note(org, Deed.EXPORTED, None, "mail logs", **asked)


async def export(
    org: Organization, search: MailLogSearch, *, most_rows: int = MOST_ROWS, part: int = PART
) -> AsyncIterator[bytes]:
    """The file in pieces, newest rows first; at `most_rows` it ends, and its last line says so."""
    yield BOM + csv_lines([COLUMNS])
    cursor, written = Cursor(part), 0
    while True:
        searched = await search_rows(org, search, cursor)
        rows = searched.found.rows
        if rows:
            lines = await subjects_of(org, rows)
            names = await account_names(org, rows)
            yield csv_lines(_cells(line, names) for line in lines)
        written += len(rows)
        goes_on = searched.stopped_at or searched.found.older
        if goes_on is None:
            return
        if written >= most_rows:
            yield csv_lines([[f"This file ends at {most_rows:,} rows: choose fewer days for the others."]])
            return
        cursor = Cursor(part, after=goes_on)


def _cells(line: MailLogLine, names: dict[str, str]) -> Iterable[Any]:
    row = line.row
    beside = {"subject": line.subject, "account": names.get(str(row.account_id))}
    for column in COLUMNS:
        value = beside[column] if column in beside else getattr(row, column)
        yield _in_utc(value) if isinstance(value, datetime) else value


def _in_utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
