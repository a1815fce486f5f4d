"""Exports mail logs as CSV with one line per recipient."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

from webapp import db
from webapp.domain.audit.audit import record_export
from webapp.domain.csv_writer import MOST_ROWS, csv_file
from webapp.domain.mail_logs.mail_logs import MailLogListItem, account_names, add_subjects
from webapp.domain.mail_logs.search import MailLogSearch, search_rows
from webapp.models import MailLog, Organization

PART = 500  # rows in memory with their subjects
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


async def record_mail_export(org: Organization, target: str, search: MailLogSearch) -> None:
    """Records the export in the audit log; commits."""
    tag = ":".join(filter(None, search.tag)) if search.tag else None
    filters = {name: value for name, value in (vars(search) | {"tag": tag}).items() if value is not None}
    async with db.write_transaction():
        await record_export(org, target, **filters)


def export_mail_logs(
    org: Organization, search: MailLogSearch, *, most_rows: int = MOST_ROWS, part: int = PART
) -> AsyncIterator[bytes]:
    return csv_file(COLUMNS, partial(search_rows, org, search), partial(_lines, org), most_rows=most_rows, part=part)


async def _lines(org: Organization, rows: list[MailLog]) -> Iterable[Iterable[Any]]:
    names = await account_names(org, rows)
    return (_cells(line, names) for line in await add_subjects(org, rows))


def _cells(line: MailLogListItem, names: dict[str, str]) -> Iterable[Any]:
    row = line.row
    beside = {"subject": line.subject, "account": names.get(str(row.account_id))}
    return (beside[column] if column in beside else getattr(row, column) for column in COLUMNS)
