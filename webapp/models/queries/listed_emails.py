"""Lists and searches emails and their recipients, by indexes even in tables that were never analyzed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_instant, as_json, as_uuid
from webapp.models.queries.keyset_search import FIRST_SCAN, Condition, IndexScan, KeysetSearch, ScanResult, equals
from webapp.models.queries.mail_log_search import ALL_IDS, MailLogQuery, in_address, tag_members
from webapp.models.queries.suppressed import SUPPRESSED

MAX_SCANNED = 10_000  # emails per search, because the rows of each are looked up


class ListedEmail(NamedTuple):
    """An email without variables and headers, which may have a megabyte."""

    id: UUID
    account_id: UUID
    content_id: UUID
    template_id: UUID | None
    sender: str
    message_id: str
    addresses: dict[str, list[str]]
    tags: list[dict[str, str]]
    created_at: datetime
    scheduled_at: datetime | None


class EmailRecipient(NamedTuple):
    id: UUID
    to_email: str
    recipient_type: str
    status: str
    error: str | None
    sent_at: datetime | None

    @property
    def is_suppressed(self) -> bool:
        return (self.error or "").startswith(SUPPRESSED)


class Addressed(NamedTuple):
    subject: str
    recipients: Sequence[EmailRecipient]


async def page_of_emails(
    org_id: UUID, low: UUID, high: UUID, limit: int, *, oldest_first: bool = False
) -> list[ListedEmail]:
    """The first emails with ids from `low` to below `high`."""
    order = "ASC" if oldest_first else "DESC"
    query = f"""SELECT {", ".join(ListedEmail._fields)} FROM emails
        WHERE (org_id, id) >= ($1, $2) AND (org_id, id) < ($1, $3) ORDER BY org_id {order}, id {order} LIMIT $4"""
    return [_listed(*row) for row in await db.records(query, org_id, low, high, limit)]


def _listed(row_id: Any, account_id: Any, content_id: Any, template_id: Any, sender: str, *others: Any) -> ListedEmail:
    message_id, addresses, tags, created_at, scheduled_at = others
    return ListedEmail(
        as_uuid(row_id),
        as_uuid(account_id),
        as_uuid(content_id),
        template_id and as_uuid(template_id),
        sender,
        message_id,
        as_json(addresses),
        as_json(tags),
        as_instant(created_at),
        scheduled_at and as_instant(scheduled_at),
    )


async def recipients_of(org_id: UUID, emails: Sequence[tuple[UUID, UUID]]) -> Mapping[UUID, Addressed]:
    """Maps email IDs to recipients; `emails` are pairs of email and content ID. Emails just pruned are left out.

    COALESCE hides the organization's index, because PostgreSQL would read all of it per email without statistics.
    """
    if not emails:
        return {}
    sql = db.dialect()
    query = f"""SELECT k.id, c.subject, m.id, m.to_email, m.recipient_type, m.status, m.error, m.sent_at
        FROM {sql.table({"id": "uuid", "content_id": "uuid", "org_id": "uuid"})}
        {sql.with_each("contents", "c", "c.id = k.content_id AND COALESCE(c.org_id, c.org_id) = k.org_id")}
        {sql.with_each("mail_logs", "m", "m.email_id = k.id AND COALESCE(m.org_id, m.org_id) = k.org_id")}
        ORDER BY m.id"""
    subjects: dict[UUID, tuple[str, dict[str, EmailRecipient]]] = {}
    asked = [(*email, org_id) for email in emails]
    for key, subject, row_id, to_email, kind, status, error, sent_at in await db.records(
        query, *sql.table_values(asked)
    ):
        if subject is None:
            continue
        _, newest = subjects.setdefault(as_uuid(key), (subject, {}))
        if row_id is not None:  # failed ones may have been retried
            sent = None if sent_at is None else as_instant(sent_at)
            newest[to_email] = EmailRecipient(as_uuid(row_id), to_email, kind, status, error, sent)
    return {key: Addressed(subject, list(newest.values())) for key, (subject, newest) in subjects.items()}


async def scan_emails(
    query: MailLogQuery, statuses: Sequence[str], limit: int, *, oldest_first: bool = False
) -> ScanResult:
    """The first matching emails; with a filter, at most MAX_SCANNED are read.

    An email's status is the first of `statuses` that one of its rows has.
    """
    unindexed = _unindexed(query, statuses)
    search = KeysetSearch("emails", query.org_id, query.low, query.high, unindexed, oldest_first=oldest_first)
    return await search.search([IndexScan("org_id", query.org_id)], limit, MAX_SCANNED)


async def newest_emails_with(org_id: UUID, text: str, limit: int) -> list[UUID]:
    """The newest ids with `text`, in lower case, in the subject or an address, among the newest FIRST_SCAN."""
    has_recipient = _of_rows("COUNT(*)", in_address("lower(m.to_email)", text), "> 0")
    has_subject = db.dialect().contains("lower(c.subject)", "{}")
    subject = f"(SELECT {has_subject} FROM contents c WHERE c.id = emails.content_id)"
    either = Condition(f"({has_recipient.text} OR {subject})", (*has_recipient.values, text))
    search, scans = KeysetSearch("emails", org_id, *ALL_IDS, [either]), [IndexScan("org_id", org_id)]
    return (await search.search_until(scans, limit, await search.scan_limit(scans, FIRST_SCAN))).ids


def _unindexed(query: MailLogQuery, statuses: Sequence[str]) -> list[Condition]:
    sql, conditions = db.dialect(), []
    if query.account_id is not None:
        conditions.append(equals("account_id", query.account_id))
    if query.tag is not None:
        conditions.append(Condition(sql.lists("tags", "{}"), (tag_members(*query.tag),)))
    if query.to is not None:
        conditions.append(_of_rows("COUNT(*)", in_address("lower(m.to_email)", query.to), "> 0"))
    if query.status is not None:
        ranks = " ".join(f"WHEN '{status}' THEN {rank}" for rank, status in enumerate(statuses))
        rank = statuses.index(query.status)
        conditions.append(_of_rows(f"MIN(CASE m.status {ranks} END)", Condition("1 = 1", ()), "= {}", rank))
    return conditions


def _of_rows(aggregate: str, which: Condition, has: str, *values: int) -> Condition:
    """A condition on an aggregate of the email's rows, as a subquery that the planner cannot join."""
    query = f"SELECT {aggregate} FROM mail_logs m WHERE m.email_id = emails.id AND {which.text}"
    return Condition(f"({query}) {has}", (*which.values, *values))
