"""Searching the mail logs, which may have millions of rows, for a page of them.

Indexes find the rows of the organization, of a status, an account, a campaign or a run in the order of their ids. Of
two such filters the one is gone by whose rows are fewer, and the other is asked of each row, as are the recipient's
address and the tag, which no index tells.
"""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from webapp import db
from webapp.models.look_through import NEAR, Condition, Found, LookThrough, Stream, equals, hidden_equals

LOOK = 20_000  # rows that are read through at once
LOOK_FOR_TAG = 10_000  # of each the email is looked up
INDEXED = ("campaign_run_id", "campaign_id", "account_id", "status")


@dataclass(frozen=True)
class Wanted:
    """Which rows: ids from `low` to below `high`, and what else is not None. The run is one of the organization."""

    org_id: UUID
    low: UUID
    high: UUID
    status: str | None = None
    account_id: UUID | None = None
    campaign_id: UUID | None = None
    campaign_run_id: UUID | None = None
    to: str | None = None  # a part of the address, in lower case
    tag: tuple[str, str | None] | None = None  # of the email: a name, and its value

    @property
    def indexed(self) -> dict[str, Any]:
        """The filters that have an index."""
        return {name: value for name in INDEXED if (value := getattr(self, name)) is not None}


async def search_mail_logs(wanted: Wanted, limit: int, *, oldest_first: bool = False, look: int | None = None) -> Found:
    """The newest of these rows, or the oldest. Reads through `look` rows or so where no index tells them."""
    rows = look if look is not None else LOOK if wanted.tag is None else LOOK_FOR_TAG
    plans = [_plan(wanted, column, oldest_first=oldest_first) for column in wanted.indexed or (None,)]
    search, stream = plans[0]
    if len(plans) > 1:
        ends = [await search.end_of_look([stream], min(NEAR, rows)) for search, stream in plans]
        search, stream = plans[_farthest(ends, oldest_first=oldest_first)]
    return await search.search([stream], limit, rows)


def _plan(wanted: Wanted, column: str | None, *, oldest_first: bool) -> tuple[LookThrough, Stream]:
    """How the index of a column finds them."""
    others = [hidden_equals(name, value) for name, value in wanted.indexed.items() if name != column]
    by_hand = [*others, *_by_hand(wanted)]
    org_id = None if column == "campaign_run_id" else wanted.org_id  # its index has no organization in it
    search = LookThrough("mail_logs", org_id, wanted.low, wanted.high, by_hand, oldest_first=oldest_first)
    return search, [] if column is None else [equals(column, wanted.indexed[column])]


def _farthest(ends: list[UUID | None], *, oldest_first: bool) -> int:
    """The number of the stream whose rows reach farthest; one that ends before may be read whole."""
    if None in ends:
        return ends.index(None)
    reached = [end for end in ends if end is not None]
    return reached.index(max(reached) if oldest_first else min(reached))


def _by_hand(wanted: Wanted) -> list[Condition]:
    speak, conditions = db.dialect(), []
    if wanted.to is not None:
        conditions.append(Condition(speak.contains("lower(to_email)", "{}"), (wanted.to,)))
    if wanted.tag is not None:
        # A query of its own for each row: to join the emails is at the planner's mercy.
        has = f"(SELECT {speak.lists('e.tags', '{}')} FROM emails e WHERE e.id = mail_logs.email_id)"  # noqa: S608 - our own words
        conditions.append(Condition(has, (tag_members(*wanted.tag),)))
    return conditions


def tag_members(name: str, value: str | None) -> str:
    """What a tag of this name has, in JSON."""
    return json.dumps([{"name": name} | ({} if value is None else {"value": value})])
