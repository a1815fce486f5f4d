"""Mail logs: the delivery history, as it was rendered."""

from dataclasses import dataclass
from uuid import UUID

from webapp.domain.lists import Listed, Page, fetch_page
from webapp.domain.rendering import Rendered, rendered
from webapp.models import Content, MailLog, Organization
from webapp.models.mail_log import MailStatus

__all__ = ["MailLogFilters", "MailLogView", "MailStatus", "find_mail_log", "list_mail_logs"]


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


async def list_mail_logs(org: Organization, filters: MailLogFilters, page: Page) -> Listed[MailLogView]:
    """Rows, newest first, each with its rendered mail; three queries however many they are."""
    wanted = {name: value for name, value in vars(filters).items() if value is not None}
    found = await fetch_page(MailLog.of(org).filter(**wanted).order_by("-id"), page)
    contents = await Content.of(org).filter(id__in=list({row.content_id for row in found.rows}))
    by_id = {content.id: content for content in contents}
    return Listed([_view(row, by_id.get(row.content_id)) for row in found.rows], page, found.total)


async def find_mail_log(org: Organization, row_id: UUID | str) -> MailLogView:
    """The row with this id. Raises NotFound."""
    row = await MailLog.one_of(org, row_id)
    return _view(row, await Content.of(org).get_or_none(id=row.content_id))


def _view(row: MailLog, content: Content | None) -> MailLogView:
    return MailLogView(row, None if content is None else rendered(content, row.variables))
