"""What the tests of the searches share: rows by the minute, what is asked for, all that is found, and how."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from tests.queries import look_ups, plan_of
from webapp.models.queries.keyset_search import Found, next_id
from webapp.models.queries.mail_log_search import Wanted as WantedMail
from webapp.models.queries.request_search import Wanted as WantedRequests
from webapp.models.row import id_lower_bound

NOTHING, EVERYTHING = UUID(int=0), UUID(int=2**128 - 1)
ROWS = 240
LIMIT = 7
LOOKS = (3, 20, 10_000)

Wanted = TypeVar("Wanted", WantedMail, WantedRequests)
Search = Callable[..., Awaitable[Found]]


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
    some_search: Callable[[], Wanted],
    expected_of: Callable[[Wanted], list[UUID]],
) -> None:
    """That each row is found once and in its order, whatever is searched, from either end and in looks of any size."""
    sizes = set()
    for number in range(rounds):
        wanted, look, oldest_first = some_search(), chance.choice(LOOKS), bool(number % 2)
        expected = expected_of(wanted)
        found = await _walk(search, wanted, look, oldest_first=oldest_first)
        assert found == (expected if oldest_first else expected[::-1])
        sizes.add(len(expected))
    assert max(sizes) > 2 * LIMIT


async def _walk(search: Search, wanted: Wanted, look: int, *, oldest_first: bool) -> list[UUID]:
    """All that the search finds, part by part."""
    found: list[UUID] = []
    for _ in range(2 * ROWS):
        part = await search(wanted, LIMIT, oldest_first=oldest_first, look=look)
        found += part.ids
        last = part.stopped_at if part.stopped_at is not None else (part.ids[-1] if len(part.ids) == LIMIT else None)
        if last is None:
            return found
        wanted = replace(wanted, low=next_id(last)) if oldest_first else replace(wanted, high=last)
    raise AssertionError("the search comes to no end")


async def plans_of(search: Search, searches: Sequence[Wanted]) -> list[tuple[str, list[str]]]:
    """The statements of these searches from either end, and the steps by which the database answers each."""
    with look_ups() as sent:
        for wanted in searches:
            for oldest_first in (False, True):
                await search(wanted, LIMIT, oldest_first=oldest_first)
    assert len(sent) > 2 * len(searches)
    return [(statement, await plan_of(statement, *values)) for statement, values in sent]
