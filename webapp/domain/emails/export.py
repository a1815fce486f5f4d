"""Exports emails as CSV with one line per email."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

from webapp.domain.csv_writer import MOST_ROWS, csv_file
from webapp.domain.emails.emails import STATUSES, EmailView, search_emails, without_bodies
from webapp.domain.mail_logs.mail_logs import account_names
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.models import Email, Organization
from webapp.models.mail_log import RecipientType

PART = 200  # emails in memory with all recipients, at most 50 each
COLUMNS = (
    "id",
    "created_at",
    "scheduled_at",
    "sent_at",
    "status",
    "from",
    *RecipientType,
    "subject",
    "tags",
    "template_id",
    "account",
    "recipients",
    *STATUSES,
    "error",
)


def export_emails(
    org: Organization, search: MailLogSearch, *, most_rows: int = MOST_ROWS, part: int = PART
) -> AsyncIterator[bytes]:
    return csv_file(COLUMNS, partial(search_emails, org, search), partial(_lines, org), most_rows=most_rows, part=part)


async def _lines(org: Organization, emails: list[Email]) -> Iterable[Iterable[Any]]:
    names = await account_names(org, emails)
    return (_cells(view, names) for view in await without_bodies(org, emails))


def _cells(view: EmailView, names: dict[str, str]) -> Iterable[Any]:
    email, states = view.email, Counter(row.status for row in view.recipients)
    return (
        email.id,
        email.created_at,
        email.scheduled_at,
        view.sent_at,
        view.status,
        email.sender,
        *(", ".join(email.addresses[kind]) for kind in RecipientType),
        view.subject,
        ", ".join(f"{tag['name']}:{tag['value']}" for tag in email.tags),
        email.template_id,
        names.get(str(email.account_id)),
        len(view.recipients),
        *(states[status] for status in STATUSES),
        view.error,
    )
