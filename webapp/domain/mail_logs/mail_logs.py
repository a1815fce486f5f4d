"""Mail logs with their rendered mail and history."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain import link_signing
from webapp.domain.contacts.unsubscribe import variables_of
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.mail_logs.waiting import Waiting, waiting_of
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.dates import rendering_at
from webapp.domain.merge_tags.rendering import Rendered, render_lenient
from webapp.domain.pagination import Cursor, Page
from webapp.domain.tracking.placeholders import as_untracked
from webapp.errors import NotFound
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    Contact,
    Content,
    Email,
    MailEvent,
    MailLog,
    Organization,
    Segment,
    SegmentContact,
)
from webapp.models.campaign import CampaignStatus
from webapp.models.mail_log import HALTED, PENDING, SENT
from webapp.models.queries.mail_log_search import latest_mail_logs, page_of_mail_logs

EVENTS_SHOWN = 200
REPORT = "report"  # came later; the status stays
PART_BYTES = 8 * 1024 * 1024  # of mails in memory; a larger one is loaded alone
RUNS_SEARCHED = 1_000  # newest ones, one index lookup each
MAX_OF_CONTACT = 20
VIEWED_WITHIN = timedelta(days=90)  # by anybody with the signed link

# Uses the index of run and contact, because an index of contacts would cost on each of millions of rows.
OF_CONTACT = f"""
SELECT m.id FROM (SELECT id FROM campaign_runs WHERE org_id = $1 ORDER BY id DESC LIMIT {RUNS_SEARCHED}) r
JOIN mail_logs m ON m.campaign_run_id = r.id AND m.contact_id = $2 ORDER BY m.id DESC LIMIT {MAX_OF_CONTACT}
"""  # noqa: S608 - our own words


@dataclass(frozen=True)
class MailLogView:
    """`mail` is None if retention has deleted the content; `shows_links` if its unsubscribe link works."""

    row: MailLog
    mail: Rendered | None
    shows_links: bool
    waiting: Waiting | None = None

    @property
    def size(self) -> int:
        return len(self.mail.html or self.mail.text or "") if self.mail else 0


@dataclass(frozen=True)
class MailLogListItem:
    row: MailLog
    subject: str | None
    changed_at: datetime | None = None  # in lists sorted by it

    @property
    def waits_for_its_time(self) -> bool:
        row = self.row
        return bool(row.email_id and not row.attempts) and row.status == PENDING and row.next_attempt_at > clock.now()


@dataclass(frozen=True)
class MailLogsListed:
    """Rows whose mails are loaded later, in groups that fit into memory."""

    org: Organization
    groups: list[list[MailLog]]
    page: Page
    total: int
    is_total_exact: bool
    shows_links: bool

    async def load(self) -> AsyncIterator[tuple[list[MailLogView], bool]]:
        """Yields parts, at least one, with True for the last; a group of large mails is split."""
        contents: dict[UUID, Content] = {}
        for number, rows in enumerate(self.groups, 1):
            for content_id in contents.keys() - {row.content_id for row in rows}:
                del contents[content_id]  # frees memory before loading the others
            if missing := [row for row in rows if row.content_id not in contents]:
                loaded = await _contents(self.org, missing, "id", "subject", "html", "text", "is_template")
                contents |= {content.id: await as_untracked(self.org, content) for content in loaded.values()}
            views: list[MailLogView] = []
            bytes_left = PART_BYTES
            for row in rows:
                view = await _rendered_view(row, contents.get(row.content_id), shows_links=self.shows_links)
                if views and view.size > bytes_left:
                    yield views, False
                    views, bytes_left = [], PART_BYTES
                views.append(view)
                bytes_left -= view.size
            yield views, number == len(self.groups)


async def list_mail_logs(org: Organization, search: MailLogSearch, page: Page, *, shows_links: bool) -> MailLogsListed:
    async with db.searching(org.id):
        matching = await page_of_mail_logs(search.query(org, Cursor()), page.size, page.offset)
        newest = await MailLog.newest_among(org, matching.ids)
    sizes = await Content.sizes(org, {row.content_id for row in newest})
    groups: list[list[MailLog]] = [[]]
    bytes_left = PART_BYTES
    for row in newest:
        size = sizes.get(row.content_id, 0)
        if groups[-1] and size > bytes_left:
            groups.append([])
            bytes_left = PART_BYTES
        groups[-1].append(row)
        bytes_left -= size
    return MailLogsListed(org, groups, page, matching.total, matching.is_exact, shows_links)


async def latest_items(org: Organization, count: int) -> list[MailLogListItem]:
    """Some rows being sent and those sent or failed last, filled up to `count` with waiting ones."""
    changed = await latest_mail_logs(org.id, count)
    rows = {row.id: row for row in await MailLog.of(org).filter(id__in=list(changed))}
    items = await add_subjects(org, [rows[row_id] for row_id in changed if row_id in rows])
    return [replace(item, changed_at=changed[item.row.id]) for item in items]


async def add_subjects(org: Organization, rows: list[MailLog]) -> list[MailLogListItem]:
    contents = await _contents(org, rows, "id", "subject", "is_template")
    for content in contents.values():
        content.html = content.text = None  # not loaded

    def items() -> list[MailLogListItem]:
        sent = [(row, contents.get(row.content_id)) for row in rows]
        return [
            MailLogListItem(row, _as_sent(row, mail, shows_links=False).subject if mail else None) for row, mail in sent
        ]

    if any(content.is_template for content in contents.values()):
        return await run_in_render_pool(org.id, items)
    return items()


async def _contents(org: Organization, rows: list[MailLog], *columns: str) -> dict[UUID, Content]:
    contents = await Content.of(org).filter(id__in=list({row.content_id for row in rows})).only(*columns)
    return {content.id: content for content in contents}


async def _rendered_view(row: MailLog, content: Content | None, *, shows_links: bool) -> MailLogView:
    def view() -> MailLogView:
        mail = None if content is None else _as_sent(row, content, shows_links=shows_links)
        return MailLogView(row, mail, shows_links)

    if content is None or not content.is_template:
        return view()
    return await run_in_render_pool(row.org_id, view)


async def find_mail_log(org: Organization, row_id: UUID | str, *, shows_links: bool) -> MailLogView:
    """Without `shows_links`, its unsubscribe link is a sample. Raises NotFound."""
    row = await MailLog.one_of(org, row_id)
    content = await Content.of(org).get_or_none(id=row.content_id)
    shown = None if content is None else await as_untracked(org, content)
    return await _rendered_view(row, shown, shows_links=shows_links)


async def find_waiting(org: Organization, row_id: UUID | str, *, shows_links: bool) -> MailLogView:
    """Like `find_mail_log`, with what it waits for."""
    view = await find_mail_log(org, row_id, shows_links=shows_links)
    return replace(view, waiting=await waiting_of(org, view.row))


async def find_viewed(token: str) -> Rendered | None:
    """The email with this link; None if sent too long ago or deleted. Raises NotFound for an invalid token."""
    row_id, org_id = link_signing.ids_in(link_signing.VIEW, token)
    org = await Organization.get_or_none(id=org_id)
    row = None if org is None else await MailLog.of(org).get_or_none(id=row_id)
    if org is None or row is None or clock.now() - (row.sent_at or row.created_at) > VIEWED_WITHIN:
        return None
    try:
        return (await find_mail_log(org, row.id, shows_links=True)).mail
    except NotFound:
        return None


def _as_sent(row: MailLog, content: Content, *, shows_links: bool) -> Rendered:
    with rendering_at(row.sent_at or row.created_at):
        return render_lenient(content, variables_of(row, shows_links=shows_links))


class CampaignMail(NamedTuple):
    """`campaign` is the title; `tracking` is the run's."""

    row: MailLog
    subject: str | None
    campaign: str
    tracking: Mapping[str, bool]


async def campaign_mail(org: Organization, contact: Contact) -> list[CampaignMail]:
    ids = await db.fetch_ids(OF_CONTACT, org.id, contact.id)
    lines = await add_subjects(org, await MailLog.newest_among(org, ids))
    runs = CampaignRun.of(org).filter(id__in=list({line.row.campaign_run_id for line in lines}))
    tracking: Mapping[UUID | None, Mapping[str, bool]] = {run.id: run.tracking or {} for run in await runs}
    campaigns = Campaign.of(org).filter(id__in=list({line.row.campaign_id for line in lines}))
    titles: Mapping[UUID | None, str] = {campaign.id: campaign.title for campaign in await campaigns}
    return [
        CampaignMail(
            line.row, line.subject, titles.get(line.row.campaign_id, ""), tracking.get(line.row.campaign_run_id, {})
        )
        for line in lines
    ]


async def segments_of(org: Organization, contact: Contact) -> list[Segment]:
    members = await SegmentContact.of(org).filter(contact_id=contact.id)
    return await Segment.of(org).filter(id__in=[member.segment_id for member in members]).order_by("name_key", "id")


class Step(NamedTuple):
    status: str  # or REPORT
    cause: str
    at: datetime


async def list_steps(org: Organization, row: MailLog) -> list[Step]:
    """The moves until the row was sent, and later reports."""
    events = await MailEvent.of(org).filter(mail_log_id=row.id).order_by("id").limit(EVENTS_SHOWN)
    moves = [Step(event.to_status, event.cause, event.created_at) for event in events if event.from_status != SENT]
    reports = [Step(REPORT, event.cause, event.created_at) for event in events if event.from_status == SENT]
    steps = [Step(PENDING, "added to the queue", row.created_at), *moves]
    if row.status == SENT and row.sent_at is not None and steps[-1].status != SENT:
        steps.append(Step(SENT, row.smtp_message_id or "accepted by the server", row.sent_at))
    return [*steps, *reports]


async def accounts_of(org: Organization, rows: Sequence[MailLog | Email]) -> dict[str, Account]:
    """The accounts that still exist, by id."""
    wanted = {row.account_id for row in rows if row.account_id}
    accounts = Account.of(org).filter(id__in=list(wanted)).only("id", "name", "status", "failing_since", "rest_until")
    return {str(account.id): account for account in await accounts}


async def paused_campaigns(org: Organization, rows: Sequence[MailLog]) -> set[UUID]:
    """The campaigns whose halted rows go on when they are resumed; nothing sends the other halted rows."""
    ids = {row.campaign_id for row in rows if row.status == HALTED and row.campaign_id}
    paused = Campaign.of(org).filter(id__in=list(ids), status=CampaignStatus.HALTED)
    return {campaign.id for campaign in await paused} if ids else set()


async def account_names(org: Organization, rows: Sequence[MailLog | Email]) -> dict[str, str]:
    return {account_id: account.name for account_id, account in (await accounts_of(org, rows)).items()}


async def account_of(org: Organization, row: MailLog) -> Account | None:
    return await Account.of(org).get_or_none(id=row.account_id) if row.account_id else None


async def campaign_of(org: Organization, row: MailLog) -> Campaign | None:
    return await Campaign.of(org).get_or_none(id=row.campaign_id) if row.campaign_id else None
