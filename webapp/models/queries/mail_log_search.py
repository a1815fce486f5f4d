"""A search of the mail logs, which may have millions of rows, for a page of them.

Indexes have the rows of a status, an account, a campaign or a run in the order of their ids, some by status. Of two
such filters the one with fewer rows is scanned, and the other is checked on each row, as are the recipient's address
and the tag, which have no index.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from webapp import db
from webapp.addresses import A_LABEL
from webapp.models.mail_log import NOT_SENDING, SENDING, MailStatus
from webapp.models.queries.keyset_search import NEAR, Condition, Found, LookThrough, Stream, equals, hidden_equals

LOOK = 20_000  # rows that are read through at once
LOOK_FOR_TAG = 10_000  # of each the email is looked up
INDEXED = ("campaign_run_id", "campaign_id", "account_id", "status")
OF_EACH_STATE = [Stream("status", status) for status in MailStatus]


@dataclass(frozen=True)
class Wanted:
    """The rows to find: ids from `low` to below `high`, and every filter that is not None.

    The caller has found the run through its organization.
    """

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

    def others(self, column: str | None) -> list[tuple[str, Any]]:
        """The filters that the index of a column does not answer."""
        told = {column, "status"} if column == "campaign_run_id" else {column}
        return [(name, value) for name, value in self.indexed.items() if name not in told]


async def search_mail_logs(wanted: Wanted, limit: int, *, oldest_first: bool = False, look: int | None = None) -> Found:
    """The first of these rows; with unindexed filters it scans about `look` rows."""
    rows = look if look is not None else LOOK if wanted.tag is None else LOOK_FOR_TAG
    plans = [_plan(wanted, column, oldest_first=oldest_first) for column in wanted.indexed or (None,)]
    search, streams = plans[0]
    if len(plans) > 1:
        ends = [await search.end_of_look(streams, min(NEAR, rows)) for search, streams in plans]
        search, streams = plans[_farthest(ends, oldest_first=oldest_first)]
    return await search.search(streams, limit, rows)


async def page_of_mail_logs(wanted: Wanted, limit: int, offset: int) -> tuple[list[UUID], int]:
    """The newest of these rows behind `offset`, and their total count, by indexed filters alone."""
    column = next(iter(wanted.indexed), None)
    others = [equals(name, value) for name, value in wanted.others(column)]
    if column == "campaign_run_id":
        others.append(hidden_equals("org_id", wanted.org_id))  # nobody has asked yet whose the run is
    search = LookThrough("mail_logs", _org_of(wanted, column), wanted.low, wanted.high)
    return await search.page([stream.also(others) for stream in _streams(wanted, column)], limit, offset)


def _plan(wanted: Wanted, column: str | None, *, oldest_first: bool) -> tuple[LookThrough, Sequence[Stream]]:
    """The search by the index of a column."""
    others = [hidden_equals(name, value) for name, value in wanted.others(column)]
    by_hand, org_id = [*others, *_by_hand(wanted)], _org_of(wanted, column)
    search = LookThrough("mail_logs", org_id, wanted.low, wanted.high, by_hand, oldest_first=oldest_first)
    return search, _streams(wanted, column)


def _org_of(wanted: Wanted, column: str | None) -> UUID | None:
    return None if column == "campaign_run_id" else wanted.org_id  # its index has no organization in it


def _streams(wanted: Wanted, column: str | None) -> Sequence[Stream]:
    """Index scans of the rows with the wanted value of a column, or of all.

    An account's or campaign's rows that are being sent are found among all such rows, which are few. Scans of other
    statuses than the wanted one are left out, as they would be read whole to find nothing.
    """
    if column is None:
        return OF_EACH_STATE
    value = wanted.indexed[column]
    if column == "status":
        return [Stream(column, value)]
    if column == "campaign_run_id":
        states = OF_EACH_STATE if wanted.status is None else [Stream("status", wanted.status)]
        return [state.also([equals(column, value)]) for state in states]
    others = Stream(column, value, [Condition(f"{column} IS NOT NULL AND {NOT_SENDING}", ())])
    being_sent = Stream("status", SENDING, [hidden_equals(column, value)])
    if wanted.status is None:
        return [others, being_sent]
    return [being_sent] if wanted.status == SENDING else [others]


def _farthest(ends: list[UUID | None], *, oldest_first: bool) -> int:
    """The number of the scan whose rows reach farthest; one that ends earlier may be read whole."""
    if None in ends:
        return ends.index(None)
    reached = [end for end in ends if end is not None]
    return reached.index(max(reached) if oldest_first else min(reached))


def _by_hand(wanted: Wanted) -> list[Condition]:
    sql, conditions = db.dialect(), []
    if wanted.to is not None:
        conditions.append(in_address("lower(to_email)", wanted.to))
    if wanted.tag is not None:
        # A query of its own for each row: to join the emails is at the planner's mercy.
        has = f"(SELECT {sql.lists('e.tags', '{}')} FROM emails e WHERE e.id = mail_logs.email_id)"
        conditions.append(Condition(has, (tag_members(*wanted.tag),)))
    return conditions


def in_address(column: str, part: str) -> Condition:
    """A condition that an address contains `part`, as stored or as people write it.

    Domains beyond ASCII are stored as A-labels, which have the ASCII characters of the name in the same order: this
    finds all such rows and some others, which `has_part` removes.
    """
    contains = db.dialect().contains
    local, at, domain = part.rpartition("@")
    pieces = [local + at, A_LABEL, *("".join(filter(str.isascii, label)) for label in domain.split("."))]
    kept = [piece for piece in pieces if piece]
    like = " AND ".join(contains(column, "{}") for _ in kept)
    return Condition(f"({contains(column, '{}')} OR ({like}))", (part, *kept))


def tag_members(name: str, value: str | None) -> str:
    """A tag of this name and value as JSON."""
    return json.dumps([{"name": name} | ({} if value is None else {"value": value})])
