"""Mail logs: rows with their mail as it was rendered."""

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain.contacts.unsubscribe import variables_of
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.dates import rendering_at
from webapp.domain.merge_tags.rendering import Rendered, Stored, render_lenient
from webapp.domain.pagination import NEWEST, OLDEST, Listed, Page
from webapp.models import Content, MailLog, Organization
from webapp.models.mail_log import PENDING, MailStatus
from webapp.models.queries.mail_log_search import MailLogQuery, page_of_mail_logs, search_mail_logs

PART_BYTES = 8 * 1024 * 1024  # of mails in memory at once; a larger one is loaded alone


@dataclass(frozen=True)
class MailLogFilters:
    campaign_id: UUID | None = None
    account_id: UUID | None = None
    status: MailStatus | None = None
    campaign_run_id: UUID | None = None


@dataclass(frozen=True)
class MailLogView:
    """`mail` is None once retention has deleted the content; `shows_links` when its unsubscribe link works."""

    row: MailLog
    mail: Rendered | None
    shows_links: bool  # whether its unsubscribe link is the one that works

    @property
    def size(self) -> int:
        """Characters of the body."""
        return len(self.mail.html or self.mail.text or "") if self.mail else 0


@dataclass(frozen=True)
class MailLogListItem:
    """`subject` is None once retention has deleted the content."""

    row: MailLog
    subject: str | None

    @property
    def waits_for_its_time(self) -> bool:
        """True for an email that is scheduled for later."""
        row = self.row
        return bool(row.email_id and not row.attempts) and row.status == PENDING and row.next_attempt_at > clock.now()


class ContentHead(NamedTuple):
    """A content without its bodies, which may be megabytes."""

    subject: str
    is_template: bool
    html: None = None
    text: None = None


class MailLogPart(NamedTuple):
    views: list[MailLogView]
    is_last: bool


@dataclass(frozen=True)
class MailLogsListed:
    """Rows whose mails are loaded later, in groups whose contents fit into memory together."""

    org: Organization
    groups: list[list[MailLog]]
    page: Page
    total: int
    shows_links: bool

    async def load(self) -> AsyncIterator[MailLogPart]:
        """One part at least; a group comes in several when its mails are larger than its contents."""
        contents: dict[UUID, Content] = {}
        for number, rows in enumerate(self.groups, 1):
            await self._swap_contents(contents, rows)
            views: list[MailLogView] = []
            bytes_left = PART_BYTES
            for row in rows:
                view = await _rendered_view(row, contents.get(row.content_id), shows_links=self.shows_links)
                if views and view.size > bytes_left:
                    yield MailLogPart(views, is_last=False)
                    views, bytes_left = [], PART_BYTES
                views.append(view)
                bytes_left -= view.size
            yield MailLogPart(views, is_last=number == len(self.groups))

    async def _swap_contents(self, contents: dict[UUID, Content], rows: list[MailLog]) -> None:
        """Frees the other contents first."""
        wanted = {row.content_id for row in rows}
        for content_id in contents.keys() - wanted:
            del contents[content_id]
        missing = [row for row in rows if row.content_id not in contents]
        if missing:
            contents |= await _contents(self.org, missing, "id", "subject", "html", "text", "is_template")


async def list_mail_logs(
    org: Organization, filters: MailLogFilters, page: Page, *, shows_links: bool
) -> MailLogsListed:
    """Newest first; the mails, which may be megabytes each, are loaded part by part."""
    found = await _fetch_rows(org, filters, page)
    sizes = await Content.sizes(org, {row.content_id for row in found.rows})
    groups: list[list[MailLog]] = [[]]
    bytes_left = PART_BYTES
    for row in found.rows:
        size = sizes.get(row.content_id, 0)
        if groups[-1] and size > bytes_left:
            groups.append([])
            bytes_left = PART_BYTES
        groups[-1].append(row)
        bytes_left -= size
    return MailLogsListed(org, groups, page, found.total, shows_links)


async def latest_items(org: Organization, count: int) -> list[MailLogListItem]:
    """Unlike a list of pages it counts no rows."""
    found = await search_mail_logs(MailLogQuery(org.id, OLDEST, NEWEST), count)
    return await list_items(org, found.ids)


async def list_items(org: Organization, ids: Collection[UUID]) -> list[MailLogListItem]:
    return await add_subjects(org, await MailLog.of(org).filter(id__in=list(ids)).order_by("-id"))


async def _fetch_rows(org: Organization, filters: MailLogFilters, page: Page) -> Listed[MailLog]:
    async with db.searching(org.id):
        ids, total = await page_of_mail_logs(
            MailLogQuery(org.id, OLDEST, NEWEST, **vars(filters)), page.size, page.offset
        )
        return Listed(await MailLog.of(org).filter(id__in=ids).order_by("-id") if ids else [], page, total)


async def add_subjects(org: Organization, rows: list[MailLog]) -> list[MailLogListItem]:
    by_id = await _contents(org, rows, "id", "subject", "is_template")
    heads = {content_id: ContentHead(content.subject, content.is_template) for content_id, content in by_id.items()}
    if any(head.is_template for head in heads.values()):
        return await run_in_render_pool(org.id, _with_subjects, rows, heads)
    return _with_subjects(rows, heads)


def _with_subjects(rows: list[MailLog], heads: dict[UUID, ContentHead]) -> list[MailLogListItem]:
    return [MailLogListItem(row, _subject_of(row, heads.get(row.content_id))) for row in rows]


def _subject_of(row: MailLog, head: ContentHead | None) -> str | None:
    return None if head is None else _as_sent(row, head, shows_links=False).subject


async def _contents(org: Organization, rows: list[MailLog], *columns: str) -> dict[UUID, Content]:
    found = await Content.of(org).filter(id__in=list({row.content_id for row in rows})).only(*columns)
    return {content.id: content for content in found}


async def _rendered_view(row: MailLog, content: Content | None, *, shows_links: bool) -> MailLogView:
    if content is None or not content.is_template:
        return _view(row, content, shows_links)
    return await run_in_render_pool(row.org_id, _view, row, content, shows_links)


async def find_mail_log(org: Organization, row_id: UUID | str, *, shows_links: bool) -> MailLogView:
    """Without `shows_links` its unsubscribe link is a sample. Raises NotFound."""
    row = await MailLog.one_of(org, row_id)
    return await _rendered_view(row, await Content.of(org).get_or_none(id=row.content_id), shows_links=shows_links)


def _view(row: MailLog, content: Content | None, shows_links: bool) -> MailLogView:  # noqa: FBT001 - handed on by its place
    mail = None if content is None else _as_sent(row, content, shows_links=shows_links)
    return MailLogView(row, mail, shows_links)


def _as_sent(row: MailLog, content: Stored, *, shows_links: bool) -> Rendered:
    """Dates in it are those of its sending."""
    with rendering_at(row.sent_at or row.created_at):
        return render_lenient(content, variables_of(row, shows_links=shows_links))
