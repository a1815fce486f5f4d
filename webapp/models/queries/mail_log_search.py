"""Searches mail logs, which may have millions of rows, for a page.

Indexes cover status, account, campaign, run, recipient and tag in ID order. If two of them filter, the one with fewer
rows is scanned; the other is checked on each row, like a part of the recipient's address.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from webapp import db
from webapp.addresses import A_LABEL
from webapp.db.dialects import as_instant, as_uuid
from webapp.models.base import row_total
from webapp.models.base.row import FIRST_ID, LAST_ID
from webapp.models.base.row_total import LongTable, total_sql
from webapp.models.mail_log import ADDRESS, EMAIL_OR_ROW, FAILED, NOT_SENDING, SENDING, SENT, MailStatus
from webapp.models.queries.keyset_search import (
    FEW_COUNTED,
    FIRST_SCAN,
    MAX_COUNTED,
    Condition,
    IndexScan,
    KeysetSearch,
    PageOfIds,
    Plan,
    ScanResult,
    choose,
    equals,
    equals_without_index,
)

MAX_SCANNED = 10_000  # rows per search
RECENT = 40  # newest rows by ID in each state, which include those that changed last
BEING_SENT = 3  # of hundreds that workers may have claimed, so that outcomes are seen too
FAILED_AT = "(SELECT e.created_at FROM mail_events e WHERE e.mail_log_id = m.id ORDER BY e.id DESC LIMIT 1)"
INDEXED = ("campaign_run_id", "campaign_id", "account_id", "status")
OF_EACH_STATE = [IndexScan("status", status) for status in MailStatus]


@dataclass(frozen=True)
class MailLogQuery:
    """Ids from `low` to below `high`; the caller found the run through its organization."""

    org_id: UUID
    low: UUID
    high: UUID
    status: str | None = None
    account_id: UUID | None = None
    campaign_id: UUID | None = None
    campaign_run_id: UUID | None = None
    to: str | None = None  # part of the address in lower case
    tag: tuple[str, str | None] | None = None  # the email's tag name and value
    recipient: str | None = None  # the whole address
    sender: str | None = None  # of emails
    subject: str | None = None  # of emails

    @property
    def tag_key(self) -> str:
        return ":".join(filter(None, self.tag or ()))

    @property
    def indexed(self) -> dict[str, Any]:
        return {name: value for name in INDEXED if (value := getattr(self, name)) is not None}

    def others(self, column: str | None) -> list[tuple[str, Any]]:
        """The filters that the index of `column` does not cover."""
        answered = {column, "status"} if column == "campaign_run_id" else {column}
        return [(name, value) for name, value in self.indexed.items() if name not in answered]


async def search_mail_logs(
    query: MailLogQuery, limit: int, *, oldest_first: bool = False, max_scanned: int = MAX_SCANNED
) -> ScanResult:
    """The first matching rows; with unindexed filters, about `max_scanned` are read."""
    plans = [_plan(query, column, oldest_first=oldest_first) for column in query.indexed or (None,)]
    search, scans = await choose(plans, min(FIRST_SCAN, max_scanned))
    return await search.search(scans, limit, max_scanned)


async def page_of_mail_logs(query: MailLogQuery, limit: int, offset: int, max_counted: int | None = None) -> PageOfIds:
    """The newest rows after `offset` and their total number; searches no parts of addresses.

    With a recipient or a tag, the ids and the order are those of emails, with which their rows stand together.
    """
    names = [name for name in ("recipient", "tag") if getattr(query, name) is not None]
    plans = [_plan_of_emails(query, name) for name in names]
    if query.indexed or not plans:
        column = next(iter(query.indexed), None)
        others = [equals(name, value) for name, value in query.others(column)] + _exact(query, names)
        if column == "campaign_run_id":
            others.append(equals_without_index("org_id", query.org_id))
        search = KeysetSearch("mail_logs", _org_of(query, column), query.low, query.high, others)
        plans.append((search, _scans(query, column)))
    counted = max_counted or (MAX_COUNTED if query.tag is None else FEW_COUNTED)
    search, scans = await choose(plans, min(FIRST_SCAN, counted))
    return await search.page(scans, limit, offset, _total(query), counted)


def _plan_of_emails(query: MailLogQuery, name: str) -> Plan:
    indexed = [equals_without_index(column, value) for column, value in query.indexed.items()]
    search = KeysetSearch("mail_logs", query.org_id, query.low, query.high)
    if name == "recipient":
        others = [*indexed, *_exact(query, ["tag"])]
        return replace(search, unindexed=others, key=EMAIL_OR_ROW, joined_id="id"), of_recipient(query)
    is_of_email = "m.email_id = email_tags.email_id AND COALESCE(m.org_id, m.org_id) = email_tags.org_id"
    by_tag = replace(
        search,
        table="email_tags",
        unindexed=[Condition("m.id IS NOT NULL", ()), *indexed, *_exact(query, ["recipient"])],
        key="email_tags.email_id",
        joined=db.dialect().with_each("mail_logs", "m", is_of_email),
        joined_id="m.id",
    )
    return by_tag, [IndexScan("tag", query.tag_key)]


def of_recipient(query: MailLogQuery) -> Sequence[IndexScan]:
    """The rows to an address."""
    stored = IndexScan(ADDRESS, query.recipient, [Condition(NOT_SENDING, ())], "lower({})")
    return [stored, IndexScan("status", SENDING, _exact(query, ["recipient"]))]


def _exact(query: MailLogQuery, names: Sequence[str]) -> list[Condition]:
    conditions = []
    if "recipient" in names and query.recipient is not None:
        conditions.append(Condition(f"{ADDRESS} = lower({{}})", (query.recipient,)))
    if "tag" in names and query.tag is not None:
        conditions.append(has_tag("mail_logs.email_id", query))
    return conditions


def has_tag(email_id: str, query: MailLogQuery) -> Condition:
    has = f"SELECT COUNT(*) FROM email_tags t WHERE t.org_id = {{}} AND t.tag = {{}} AND t.email_id = {email_id}"
    return Condition(f"({has}) > 0", (query.org_id, query.tag_key))


def _total(query: MailLogQuery) -> Condition | None:
    if query != MailLogQuery(query.org_id, FIRST_ID, LAST_ID, query.status) or not row_total.are_maintained():
        return None
    status = [] if query.status is None else [query.status]
    return Condition(total_sql(LongTable.MAIL_LOGS, "{0}", *["{1}" for _ in status]), (query.org_id, *status))


def _plan(query: MailLogQuery, column: str | None, *, oldest_first: bool) -> Plan:
    others = [equals_without_index(name, value) for name, value in query.others(column)]
    unindexed, org_id = [*others, *_unindexed(query)], _org_of(query, column)
    search = KeysetSearch("mail_logs", org_id, query.low, query.high, unindexed, oldest_first=oldest_first)
    return search, _scans(query, column)


def _org_of(query: MailLogQuery, column: str | None) -> UUID | None:
    return None if column == "campaign_run_id" else query.org_id  # the run's index has no organization


def _scans(query: MailLogQuery, column: str | None) -> Sequence[IndexScan]:
    """Rows with the value in the column, or all; without scans of statuses that the query excludes."""
    if column is None:
        return OF_EACH_STATE
    value = query.indexed[column]
    if column == "status":
        return [IndexScan(column, value)]
    if column == "campaign_run_id":
        states = OF_EACH_STATE if query.status is None else [IndexScan("status", query.status)]
        return [state.also([equals(column, value)]) for state in states]
    others = IndexScan(column, value, [Condition(f"{column} IS NOT NULL AND {NOT_SENDING}", ())])
    being_sent = IndexScan("status", SENDING, [equals_without_index(column, value)])  # which are few
    if query.status is None:
        return [others, being_sent]
    return [being_sent] if query.status == SENDING else [others]


def _unindexed(query: MailLogQuery) -> list[Condition]:
    conditions = []
    if query.to is not None:
        conditions.append(in_address("lower(to_email)", query.to))
    if query.tag is not None:
        conditions.append(has_tag("mail_logs.email_id", query))
    return conditions


def in_address(column: str, part: str) -> Condition:
    """An address contains `part` in either form; `has_part` removes those that only match by A-labels."""
    contains = db.dialect().contains
    local, at, domain = part.rpartition("@")
    pieces = [local + at, A_LABEL, *("".join(filter(str.isascii, label)) for label in domain.split("."))]
    parts = [piece for piece in pieces if piece]
    like = " AND ".join(contains(column, "{}") for _ in parts)
    return Condition(f"({contains(column, '{}')} OR ({like}))", (part, *parts))


async def latest_mail_logs(org_id: UUID, count: int) -> dict[UUID, datetime | None]:
    """Some rows being sent, those sent or failed last with that time, and then the newest waiting ones."""
    rows = await db.fetch(latest_rows(), org_id, RECENT, count)
    return {as_uuid(row["id"]): (at := row["changed_at"]) and as_instant(at) for row in rows}


def latest_rows() -> str:
    """BETWEEN and ORDER BY leave the planner only the index by status."""
    now = db.dialect().now
    times = {SENDING: now, SENT: "COALESCE(sent_at, created_at)", FAILED: f"COALESCE({FAILED_AT}, created_at)"}
    of_each = " UNION ALL ".join(
        f"""SELECT * FROM (SELECT id, {times.get(status, f"CASE WHEN false THEN {now} END")} AS changed_at
            FROM mail_logs m WHERE org_id = $1 AND status BETWEEN '{status}' AND '{status}'
            ORDER BY status DESC, id DESC LIMIT {BEING_SENT if status == SENDING else "$2"}) {status}"""
        for status in MailStatus
    )
    return f"SELECT id, changed_at FROM ({of_each}) m ORDER BY changed_at IS NULL, changed_at DESC, id DESC LIMIT $3"
