"""Searches transactional emails; indexes only provide the order."""

from collections.abc import Sequence

from webapp import db
from webapp.models.queries.keyset_search import Condition, IndexScan, KeysetSearch, ScanResult, equals
from webapp.models.queries.mail_log_search import MailLogQuery, in_address, tag_members

MAX_SCANNED = 10_000  # emails per search, because the rows of each are looked up


async def scan_emails(
    query: MailLogQuery, statuses: Sequence[str], limit: int, *, oldest_first: bool = False
) -> ScanResult:
    """The first matching emails; with a filter, at most MAX_SCANNED are read.

    An email's status is the first of `statuses` that one of its rows has.
    """
    unindexed = _unindexed(query, statuses)
    search = KeysetSearch("emails", query.org_id, query.low, query.high, unindexed, oldest_first=oldest_first)
    return await search.search([IndexScan("org_id", query.org_id)], limit, MAX_SCANNED)


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
