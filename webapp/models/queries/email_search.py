"""A search of the transactional emails for a page of them; indexes give their order and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from webapp import db
from webapp.models.queries.keyset_search import Condition, Found, LookThrough, Stream, equals
from webapp.models.queries.mail_log_search import in_address, tag_members

LOOK = 10_000  # emails that are read through at once: the rows of each are looked up


@dataclass(frozen=True)
class Wanted:
    """The emails to find: ids from `low` to below `high`, and every filter that is not None.

    An email's status is the first of `statuses` that a row of it has.
    """

    org_id: UUID
    low: UUID
    high: UUID
    status: str | None = None
    statuses: Sequence[str] = ()
    account_id: UUID | None = None
    to: str | None = None  # a part of an address, in lower case
    tag: tuple[str, str | None] | None = None


async def search_emails_by_hand(wanted: Wanted, limit: int, *, oldest_first: bool = False, look: int = LOOK) -> Found:
    """The first of these emails; with any filter it scans up to `look` of them."""
    search = LookThrough("emails", wanted.org_id, wanted.low, wanted.high, _by_hand(wanted), oldest_first=oldest_first)
    return await search.search([Stream("org_id", wanted.org_id)], limit, look)


def _by_hand(wanted: Wanted) -> list[Condition]:
    sql, conditions = db.dialect(), []
    if wanted.account_id is not None:
        conditions.append(equals("account_id", wanted.account_id))
    if wanted.tag is not None:
        conditions.append(Condition(sql.lists("tags", "{}"), (tag_members(*wanted.tag),)))
    if wanted.to is not None:
        conditions.append(_of_rows("COUNT(*)", in_address("lower(m.to_email)", wanted.to), "> 0"))
    if wanted.status is not None:
        ranks = " ".join(f"WHEN '{status}' THEN {rank}" for rank, status in enumerate(wanted.statuses))
        rank = wanted.statuses.index(wanted.status)
        conditions.append(_of_rows(f"MIN(CASE m.status {ranks} END)", Condition("1 = 1", ()), "= {}", rank))
    return conditions


def _of_rows(what: str, which: Condition, has: str, *values: int) -> Condition:
    """A condition on an aggregate of an email's rows, as a subquery that the planner cannot join."""
    query = f"SELECT {what} FROM mail_logs m WHERE m.email_id = emails.id AND {which.text}"
    return Condition(f"({query}) {has}", (*which.values, *values))
