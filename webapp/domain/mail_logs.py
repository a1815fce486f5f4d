"""Mail logs: the delivery history, as it was rendered."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from webapp.domain.lists import Listed, Page, fetch_page
from webapp.domain.rendering import Rendered, rendered
from webapp.models import Content, MailLog, Organization
from webapp.models.mail_log import MailStatus

__all__ = [
    "MailLogFilters",
    "MailLogLine",
    "MailLogView",
    "MailStatus",
    "find_mail_log",
    "latest_lines",
    "list_lines",
    "list_mail_logs",
]


@dataclass(frozen=True)
class MailLogFilters:
    """Which rows are wanted; what names nothing of the organization finds nothing."""

    campaign_id: UUID | None = None
    account_id: UUID | None = None
    status: MailStatus | None = None
    campaign_run_id: UUID | None = None


@dataclass(frozen=True)
class MailLogView:
    """A row and its mail as the recipient gets it; None where retention has removed the content."""

    row: MailLog
    mail: Rendered | None


@dataclass(frozen=True)
class MailLogLine:
    """A row and its subject, for lists that show no body; None where retention has removed the content."""

    row: MailLog
    subject: str | None


class Head(NamedTuple):
    """A content without its bodies, which may be megabytes."""

    subject: str
    html: None = None
    text: None = None


async def list_mail_logs(org: Organization, filters: MailLogFilters, page: Page) -> Listed[MailLogView]:
    """Rows, newest first, each with its rendered mail; three queries however many they are."""
    found = await _fetch_rows(org, filters, page)
    by_id = await _contents(org, found.rows, "id", "subject", "html", "text")
    return Listed([_view(row, by_id.get(row.content_id)) for row in found.rows], page, found.total)


async def list_lines(org: Organization, filters: MailLogFilters, page: Page) -> Listed[MailLogLine]:
    """The rows of `list_mail_logs`, each with its subject alone."""
    found = await _fetch_rows(org, filters, page)
    return Listed(await _lines(org, found.rows), page, found.total)


async def latest_lines(org: Organization, count: int) -> list[MailLogLine]:
    """The newest rows; unlike a list of pages it counts nothing."""
    return await _lines(org, await MailLog.of(org).order_by("-id").limit(count))


async def _fetch_rows(org: Organization, filters: MailLogFilters, page: Page) -> Listed[MailLog]:
    wanted = {name: value for name, value in vars(filters).items() if value is not None}
    return await fetch_page(MailLog.of(org).filter(**wanted).order_by("-id"), page)


async def _lines(org: Organization, rows: list[MailLog]) -> list[MailLogLine]:
    by_id = await _contents(org, rows, "id", "subject")
    heads = {content_id: Head(content.subject) for content_id, content in by_id.items()}
    return [
        MailLogLine(row, rendered(heads[row.content_id], row.variables).subject if row.content_id in heads else None)
        for row in rows
    ]


async def _contents(org: Organization, rows: list[MailLog], *columns: str) -> dict[UUID, Content]:
    found = await Content.of(org).filter(id__in=list({row.content_id for row in rows})).only(*columns)
    return {content.id: content for content in found}


async def find_mail_log(org: Organization, row_id: UUID | str) -> MailLogView:
    """The row with this id. Raises NotFound."""
    row = await MailLog.one_of(org, row_id)
    return _view(row, await Content.of(org).get_or_none(id=row.content_id))


def _view(row: MailLog, content: Content | None) -> MailLogView:
    return MailLogView(row, None if content is None else rendered(content, row.variables))
