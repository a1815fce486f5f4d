"""What the tests of the searches share: rows by the minute, what is asked for, all that is found, and how."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from tests.queries import look_ups, plan_of
from webapp.models.base.row import id_lower_bound
from webapp.models.queries.keyset_search import ScanResult, next_id
from webapp.models.queries.mail_log_search import MailLogQuery
from webapp.models.queries.request_search import RequestQuery

NOTHING, EVERYTHING = UUID(int=0), UUID(int=2**128 - 1)
ROWS = 240
LIMIT = 7
LOOKS = (3, 20, 10_000)

Query = TypeVar("Query", MailLogQuery, RequestQuery)
Search = Callable[..., Awaitable[ScanResult]]


def minute_of(start: datetime, number: int, chance: random.Random) -> dict[str, Any]:
    """The id and the time of a row that is made so many minutes after the start."""
    at = start + timedelta(minutes=number)
    return {"id": UUID(int=id_lower_bound(at).int | chance.getrandbits(70)), "created_at": at}


def some_of(chance: random.Random, ids: Sequence[UUID], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked for: each of these filters in a part of the cases, and the ends as well."""
    low, high = sorted(chance.sample(ids, 2))
    chosen = {name: value for name, value in {**given, "low": low, "high": high}.items() if chance.random() < 0.35}
    return {"low": NOTHING, "high": EVERYTHING, **chosen}


async def check_all_is_found(
    search: Search,
    chance: random.Random,
    rounds: int,
    some_search: Callable[[], Query],
    expected_of: Callable[[Query], list[UUID]],
) -> None:
    """That each row is found once and in its order, whatever is searched, from either end and in looks of any size."""
    sizes = set()
    for number in range(rounds):
        query, max_scanned, oldest_first = some_search(), chance.choice(LOOKS), bool(number % 2)
        expected = expected_of(query)
        found = await _walk(search, query, max_scanned, oldest_first=oldest_first)
        assert found == (expected if oldest_first else expected[::-1])
        sizes.add(len(expected))
    assert max(sizes) > 2 * LIMIT


async def _walk(search: Search, query: Query, max_scanned: int, *, oldest_first: bool) -> list[UUID]:
    """All that the search finds, part by part."""
    found: list[UUID] = []
    for _ in range(2 * ROWS):
        part = await search(query, LIMIT, oldest_first=oldest_first, max_scanned=max_scanned)
        found += part.ids
        last = part.stopped_at if part.stopped_at is not None else (part.ids[-1] if len(part.ids) == LIMIT else None)
        if last is None:
            return found
        query = replace(query, low=next_id(last)) if oldest_first else replace(query, high=last)
    raise AssertionError("the search comes to no end")


async def plans_of(search: Search, searches: Sequence[Query]) -> list[tuple[str, list[str]]]:
    """The statements of these searches from either end, and the steps by which the database answers each."""
    with look_ups() as sent:
        for query in searches:
            for oldest_first in (False, True):
                await search(query, LIMIT, oldest_first=oldest_first)
    assert len(sent) > 2 * len(searches)
    return [(statement, await plan_of(statement, *values)) for statement, values in sent]
