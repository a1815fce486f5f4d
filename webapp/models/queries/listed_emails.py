"""Lists and searches emails and their recipients, by indexes even in tables that were never analyzed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_instant, as_json, as_uuid
from webapp.models.base.row import FIRST_ID, LAST_ID
from webapp.models.mail_log import EMAIL_OR_ROW, NOT_SENDING, SENDING
from webapp.models.queries.keyset_search import (
    FIRST_SCAN,
    Condition,
    IndexScan,
    KeysetSearch,
    Plan,
    ScanResult,
    choose,
)
from webapp.models.queries.mail_log_search import MailLogQuery, has_tag, in_address, of_recipient
from webapp.models.queries.refusals import is_refusal

MAX_SCANNED = 10_000  # emails per search, because the rows of each are looked up
FIRST_EMAILS = 1_000  # most searches find a page among them
INDEXED = ("recipient", "tag", "sender", "subject", "status")
KEYS = {"sender": "from_key", "subject": "subject_key"}


class ListedEmail(NamedTuple):
    """An email without variables and headers, which may have a megabyte."""

    id: UUID
    account_id: UUID
    content_id: UUID
    template_id: UUID | None
    topic_id: UUID | None
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
        return is_refusal(self.error)


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


def _listed(row_id: Any, account_id: Any, content_id: Any, *others: Any) -> ListedEmail:
    template_id, topic_id, sender, message_id, addresses, tags, created_at, scheduled_at = others
    return ListedEmail(
        as_uuid(row_id),
        as_uuid(account_id),
        as_uuid(content_id),
        template_id and as_uuid(template_id),
        topic_id and as_uuid(topic_id),
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
    query: MailLogQuery,
    statuses: Sequence[str],
    limit: int,
    *,
    oldest_first: bool = False,
    max_scanned: int = MAX_SCANNED,
) -> ScanResult:
    """The first matching emails; with several filters, about `max_scanned` are read.

    An email's status is the first of `statuses` that one of its rows has.
    """
    names = [name for name in INDEXED if getattr(query, name) is not None]
    plans = [_plan(query, name, statuses, oldest_first=oldest_first) for name in names or (None,)]
    search, scans = await choose(plans, min(FIRST_EMAILS, max_scanned))
    return await search.search(scans, limit, max_scanned, FIRST_EMAILS)


def _plan(query: MailLogQuery, name: str | None, statuses: Sequence[str], *, oldest_first: bool) -> Plan:
    """Scans the index of one filter; the others are checked on each email."""
    table, key, email_id, scans = "emails", "id", "emails.id", [IndexScan("org_id", query.org_id)]
    is_email = Condition("email_id IS NOT NULL", ())
    if name in KEYS:
        scans = [IndexScan(KEYS[name], getattr(query, name))]
    elif name == "tag":
        table, key, email_id, scans = "email_tags", "email_id", "email_tags.email_id", [IndexScan("tag", query.tag_key)]
    elif name == "recipient":
        table, key, email_id = "mail_logs", EMAIL_OR_ROW, "mail_logs.email_id"
        scans = [scan.also([is_email]) for scan in of_recipient(query)]
    elif name == "status":
        table, key, email_id = "mail_logs", "email_id", "mail_logs.email_id"
        is_stored = [] if query.status == SENDING else [Condition(NOT_SENDING, ())]
        scans = [IndexScan("status", query.status, [is_email, *is_stored])]
    unindexed = _unindexed(query, statuses, email_id, without=name)
    search = KeysetSearch(table, query.org_id, query.low, query.high, unindexed, oldest_first=oldest_first, key=key)
    return search, scans


async def newest_emails_with(org_id: UUID, text: str, limit: int) -> list[UUID]:
    """The newest ids with `text`, in lower case, in the subject or an address, among the newest FIRST_SCAN."""
    has_recipient = _of_rows("emails.id", "COUNT(*)", in_address("lower(m.to_email)", text), "> 0")
    has_subject = db.dialect().contains("lower(c.subject)", "{}")
    subject = f"(SELECT {has_subject} FROM contents c WHERE c.id = emails.content_id)"
    either = Condition(f"({has_recipient.text} OR {subject})", (*has_recipient.values, text))
    search, scans = KeysetSearch("emails", org_id, FIRST_ID, LAST_ID, [either]), [IndexScan("org_id", org_id)]
    return (await search.search_until(scans, limit, await search.scan_limit(scans, FIRST_SCAN))).ids


def _unindexed(query: MailLogQuery, statuses: Sequence[str], email_id: str, without: str | None) -> list[Condition]:
    conditions = []
    for name, column in {"account_id": "account_id", **KEYS}.items():
        value = getattr(query, name)
        if value is not None and name != without:
            conditions.append(Condition(f"(SELECT e.{column} FROM emails e WHERE e.id = {email_id}) = {{}}", (value,)))
    if query.tag is not None and without != "tag":
        conditions.append(has_tag(email_id, query))
    if query.to is not None:
        conditions.append(_of_rows(email_id, "COUNT(*)", in_address("lower(m.to_email)", query.to), "> 0"))
    if query.recipient is not None and without != "recipient":
        is_to = Condition("lower(m.to_email) = lower({})", (query.recipient,))
        conditions.append(_of_rows(email_id, "COUNT(*)", is_to, "> 0"))
    rank = None if query.status is None else statuses.index(query.status)
    if rank is not None and (rank > 0 or without != "status"):  # one waiting row is enough
        ranks = " ".join(f"WHEN '{status}' THEN {number}" for number, status in enumerate(statuses))
        every = Condition("1 = 1", ())
        conditions.append(_of_rows(email_id, f"MIN(CASE m.status {ranks} END)", every, "= {}", rank))
    return conditions


def _of_rows(email_id: str, aggregate: str, which: Condition, has: str, *values: int) -> Condition:
    """A condition on an aggregate of the email's rows, as a subquery that the planner cannot join."""
    query = f"SELECT {aggregate} FROM mail_logs m WHERE m.email_id = {email_id} AND {which.text}"
    return Condition(f"({query}) {has}", (*which.values, *values))
