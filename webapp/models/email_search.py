"""Searching the transactional emails for a page of them: indexes tell their order, and nothing else of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from webapp import db
from webapp.models.look_through import Condition, Found, LookThrough, equals
from webapp.models.mail_search import LOOK_FOR_TAG, tag_members

LOOK = LOOK_FOR_TAG


@dataclass(frozen=True)
class Wanted:
    """Which emails: ids from `low` to below `high`, and what else is not None.

    One has a `status` when a row of it has, and none is in a status of `not_yet`.
    """

    org_id: UUID
    low: UUID
    high: UUID
    status: str | None = None
    not_yet: Sequence[str] = ()
    account_id: UUID | None = None
    to: str | None = None  # a part of an address, in lower case
    tag: tuple[str, str | None] | None = None


async def search_emails_by_hand(wanted: Wanted, limit: int, *, oldest_first: bool = False, look: int = LOOK) -> Found:
    """The newest of these emails, or the oldest. Reads through `look` of them where anything is asked."""
    search = LookThrough("emails", wanted.org_id, wanted.low, wanted.high, _by_hand(wanted), oldest_first=oldest_first)
    return await search.search([[]], limit, look)


def _by_hand(wanted: Wanted) -> list[Condition]:
    speak, conditions = db.dialect(), []
    if wanted.account_id is not None:
        conditions.append(equals("account_id", wanted.account_id))
    if wanted.tag is not None:
        conditions.append(Condition(speak.lists("tags", "{}"), (tag_members(*wanted.tag),)))
    if wanted.to is not None:
        conditions.append(_rows(speak.contains("lower(m.to_email)", "{}"), wanted.to))
    if wanted.status is not None:
        conditions.append(_rows("m.status = {}", wanted.status))
        conditions += [_rows("m.status = {}", status, has="= 0") for status in wanted.not_yet]
    return conditions


def _rows(text: str, value: str, *, has: str = "> 0") -> Condition:
    """How many rows of an email are so; a query of its own for each: to join them is at the planner's mercy."""
    return Condition(f"(SELECT COUNT(*) FROM mail_logs m WHERE m.email_id = emails.id AND {text}) {has}", (value,))  # noqa: S608 - our own words
