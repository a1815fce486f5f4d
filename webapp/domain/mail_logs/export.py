"""Mail logs as a CSV file, a line per recipient."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

from webapp.domain.csv_writer import MOST_ROWS, mail_file
from webapp.domain.mail_logs.mail_logs import MailLogListItem, account_names, add_subjects
from webapp.domain.mail_logs.search import MailLogSearch, search_rows
from webapp.models import MailLog, Organization

PART = 500  # rows whose subjects are in memory at once
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


def export_mail_logs(
    org: Organization, search: MailLogSearch, *, most_rows: int = MOST_ROWS, part: int = PART
) -> AsyncIterator[bytes]:
    """Newest rows first; ends at `most_rows`, which its last line says."""
    return mail_file(COLUMNS, partial(search_rows, org, search), partial(_lines, org), most_rows=most_rows, part=part)


async def _lines(org: Organization, rows: list[MailLog]) -> Iterable[Iterable[Any]]:
    names = await account_names(org, rows)
    return (_cells(line, names) for line in await add_subjects(org, rows))


def _cells(line: MailLogListItem, names: dict[str, str]) -> Iterable[Any]:
    row = line.row
    beside = {"subject": line.subject, "account": names.get(str(row.account_id))}
    return (beside[column] if column in beside else getattr(row, column) for column in COLUMNS)
