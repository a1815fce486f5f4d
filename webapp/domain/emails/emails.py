"""Finds, lists, searches, cancels and reschedules transactional emails; accept.py writes them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from uuid import UUID

from webapp import db
from webapp.addresses import bare, has_part, sought
from webapp.domain.accounts.selection import check_scope
from webapp.domain.emails.inputs import scheduled_time
from webapp.domain.mail_logs.files import find_file, list_files
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.pagination import Cursor, CursorPage, check_cursor, id_bounds, search_page
from webapp.domain.time_words import TimeWords
from webapp.domain.tracking.engagement import EmailEngagement, engagement_of_email
from webapp.domain.tracking.placeholders import links_of, untracked
from webapp.errors import Conflict, NotFound
from webapp.models import Attachment, Content, Email, MailLog, Organization, Template, Topic
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT, RecipientType
from webapp.models.outbox.emails import Halt, halt_email, reschedule_email
from webapp.models.queries.listed_emails import (
    EmailRecipient,
    ListedEmail,
    newest_emails_with,
    page_of_emails,
    recipients_of,
    scan_emails,
)

STATUSES = (PENDING, SENDING, DEFERRED, HALTED, SENT, FAILED)  # an email's status is the first that one of its rows has
CAUSE = "canceled before it was sent"
TRIES = 50  # while a worker has leased its rows, which lasts milliseconds
PAUSE_SECONDS = 0.02
UNCANCELLABLE: dict[str, str] = {
    SENDING: "it is already being sent",
    SENT: "it was already sent",
    FAILED: "it has already failed",
    HALTED: "it was already canceled",
}


@dataclass(frozen=True)
class EmailView:
    email: Email | ListedEmail
    subject: str
    recipients: Sequence[EmailRecipient]

    @property
    def status(self) -> str:
        present = {recipient.status for recipient in self.recipients}
        return next((status for status in STATUSES if status in present), FAILED)

    @property
    def error(self) -> str | None:
        return next((recipient.error for recipient in self.recipients if recipient.error), None)

    @property
    def sent_at(self) -> datetime | None:
        return min((recipient.sent_at for recipient in self.recipients if recipient.sent_at is not None), default=None)


@dataclass(frozen=True)
class EmailPage:
    """`stopped` has the cursor `searched_until` if the search stopped early."""

    emails: list[EmailView]
    has_more: bool
    stopped: dict[str, UUID] = field(default_factory=dict)


@dataclass(frozen=True)
class WholeEmail(EmailView):
    email: Email
    content: Content
    attachments: Sequence[Attachment]
    engagement: EmailEngagement

    @property
    def size(self) -> int:
        headers = self.email.headers.items()
        return sum(map(len, (self.content.html or "", self.content.text or "", *chain.from_iterable(headers))))


async def find_email(org: Organization, row_id: UUID | str) -> WholeEmail:
    """The email with this id or with a row of this id. Raises NotFound."""
    email = await _email_of(org, row_id)
    content = await Content.one_of(org, email.content_id)  # missing if retention has just pruned the email
    if not (views := await without_bodies(org, [email])):
        raise NotFound
    files = await list_files(org, email)
    links = await links_of(org.id, content)
    engagement, shown = await engagement_of_email(org, email.id, content, links), untracked(content, links)
    return WholeEmail(email, content.subject, views[0].recipients, shown, files, engagement)


async def _email_of(org: Organization, row_id: UUID | str) -> Email:
    try:
        return await Email.one_of(org, row_id)
    except NotFound:
        row = await MailLog.one_of(org, row_id)
        if row.email_id is None:
            raise
        return await Email.one_of(org, row.email_id)


async def find_attachment(org: Organization, row_id: UUID | str, key: str) -> Attachment:
    """The attachment with this index or id. Raises NotFound."""
    return await find_file(org, await _email_of(org, row_id), key)


async def list_emails(org: Organization, search: MailLogSearch, cursor: Cursor) -> EmailPage:
    """Without bodies, newest first. Raises ValidationError for a wrong cursor, or two."""
    await check_cursor(Email.of(org), cursor, "an email")
    if search != MailLogSearch(search.since, search.until):
        matching = await search_emails(org, search, cursor)
        stopped = {} if matching.stopped_at is None else {"searched_until": matching.stopped_at}
        return EmailPage(await without_bodies(org, matching.rows), matching.has_more or bool(stopped), stopped)
    low, high = id_bounds(search.since, search.until, cursor)
    page = await page_of_emails(org.id, low, high, cursor.limit + 1, oldest_first=cursor.before is not None)
    rows = page[: cursor.limit]
    return EmailPage(await without_bodies(org, rows[::-1] if cursor.before else rows), len(page) > cursor.limit)


async def search_emails(org: Organization, search: MailLogSearch, cursor: Cursor) -> CursorPage[Email]:
    query = search.query(org, cursor)

    def is_to(email: Email) -> bool:
        addresses = (bare(address) for kind in RecipientType for address in email.addresses[kind])
        return query.to is None or any(has_part(address, query.to) for address in addresses)

    async with db.searching(org.id):
        scanned = await scan_emails(query, STATUSES, cursor.limit + 1, oldest_first=cursor.before is not None)
        return await search_page(scanned, Email.of(org).only(*ListedEmail._fields), cursor, is_to)


async def find_recent_emails(org: Organization, text: str, limit: int) -> list[EmailView]:
    """Searches the subjects and recipients of the latest thousands of emails."""
    async with db.searching(org.id):
        ids = await newest_emails_with(org.id, sought(text), limit)
        return await without_bodies(
            org, await Email.of(org).filter(id__in=ids).only(*ListedEmail._fields).order_by("-id")
        )


async def without_bodies(org: Organization, emails: Sequence[Email | ListedEmail]) -> list[EmailView]:
    recipients = await recipients_of(org.id, [(email.id, email.content_id) for email in emails])
    return [EmailView(email, *recipients[email.id]) for email in emails if email.id in recipients]


async def template_of(org: Organization, email: Email) -> Template | None:
    return await Template.of(org).only("id", "name").get_or_none(id=email.template_id) if email.template_id else None


async def topic_of(org: Organization, email: Email) -> Topic | None:
    return await Topic.of(org).only("id", "name").get_or_none(id=email.topic_id) if email.topic_id else None


async def cancel_email(org: Organization, view: EmailView) -> WholeEmail:
    """Raises Conflict if halted, or if a recipient is being sent to, was sent to or failed."""
    halt = await _unless_busy(lambda: halt_email(view.email.id, CAUSE))
    current = await find_email(org, view.email.id)
    if halt is not Halt.DONE:
        raise Conflict(f"the email can no longer be canceled: {reason_not_cancellable(current)}")
    return current


async def reschedule(org: Organization, view: EmailView, at: datetime | TimeWords) -> WholeEmail:
    """Raises Conflict if it was not scheduled, or if sending has begun, ValidationError and OutsideScope."""
    await check_scope(org, [view.email.account_id], bare(view.email.sender))
    if view.email.scheduled_at is None:
        raise Conflict("the email can't be rescheduled: it was not scheduled")
    when = at if isinstance(at, datetime) else await run_in_render_pool(org.id, scheduled_time, at, org.timezone)
    moved = await _unless_busy(lambda: reschedule_email(view.email.id, when))
    current = await find_email(org, view.email.id)
    if moved is not Halt.DONE:
        reason = "its sending has begun" if can_cancel(current) else reason_not_cancellable(current)
        raise Conflict(f"the email can no longer be rescheduled: {reason}")
    return current


async def _unless_busy(change: Callable[[], Awaitable[Halt]]) -> Halt:
    for _ in range(TRIES):
        done = await change()
        if done is not Halt.BUSY:
            break
        await asyncio.sleep(PAUSE_SECONDS)
    return done


def can_cancel(view: EmailView) -> bool:
    """True while it waits for all recipients that are not suppressed."""
    waiting = [recipient.status not in UNCANCELLABLE for recipient in view.recipients if not recipient.is_suppressed]
    return bool(waiting) and all(waiting)


def reason_not_cancellable(view: EmailView) -> str:
    recipients = sorted(view.recipients, key=lambda recipient: recipient.is_suppressed)
    reasons = (UNCANCELLABLE[item.status] for item in recipients if item.status in UNCANCELLABLE)
    return next(reasons, UNCANCELLABLE[SENDING])
