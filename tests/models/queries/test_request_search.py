"""The search in the log of API requests: what it finds, how far it looks, and what it costs."""

import random
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.support.searching import EVERYTHING, NOTHING, ROWS, check_all_is_found, minute_of, plans_of, some_of
from webapp import clock
from webapp.models import ApiRequest, Organization
from webapp.models.queries.request_search import RequestQuery, search_requests

STATUSES = (200, 201, 301, 400, 401, 404, 499, 500, 599)
KEYS = [UUID(int=number) for number in range(1, 5)]


async def make_requests(org: Organization, count: int, seed: int, **fields: Any) -> list[ApiRequest]:
    """Requests of all kinds, one every minute until now; the oldest first."""
    chance, start = random.Random(seed), clock.now() - timedelta(minutes=count)
    rows = [
        ApiRequest(
            **{
                **minute_of(start, number, chance),
                "org": org,
                "key_id": chance.choice(KEYS),
                "method": chance.choice(("GET", "POST", "DELETE")),
                "path": chance.choice(("/v1/emails", "/v1/emails/batch", "/v1/em%25ails", "/api/v1/emails")),
                "status": chance.choice(STATUSES),
                "duration_ms": chance.randrange(900),
                "address": "192.0.2.1",
                "request_id": f"request-{chance.randrange(count // 4 + 1)}",
                **fields,
            }
        )
        for number in range(count)
    ]
    await ApiRequest.bulk_create(rows)
    return rows


def some_search(chance: random.Random, org: Organization, rows: Sequence[ApiRequest]) -> RequestQuery:
    """A search for this and that: each filter in a part of the cases."""
    given: dict[str, Any] = {
        "key_id": chance.choice([*KEYS, uuid7()]),
        "status": chance.choice([(200, 299), (400, 499), (404, 404), (300, 399), (302, 302), (500, 599)]),
        "method": chance.choice(("GET", "DELETE", "PUT")),
        "path": chance.choice(("/v1/emails", "/v1/em%", "/v1/em_ils", "/", "/v1/emails/batch/more")),
        "request_id": chance.choice(rows).request_id,
    }
    return RequestQuery(org_id=org.id, **some_of(chance, [row.id for row in rows], given))


def is_wanted(wanted: RequestQuery, row: ApiRequest) -> bool:
    """The rule itself, in the plainest words."""
    first, last = wanted.status or (0, 999)
    return (
        wanted.low <= row.id < wanted.high
        and wanted.key_id in (None, row.key_id)
        and first <= row.status <= last
        and wanted.method in (None, row.method)
        and wanted.request_id in (None, row.request_id)
        and row.path.startswith(wanted.path or "")
    )


@pytest.mark.parametrize("seed", [1, 2])
async def test_whatever_is_searched_is_found_once_and_in_its_order(
    acme: Organization, rival: Organization, seed: int
) -> None:
    rows = await make_requests(acme, ROWS, seed)
    await make_requests(rival, ROWS // 4, seed + 100)
    chance = random.Random(seed)
    await check_all_is_found(
        search_requests,
        chance,
        20,
        lambda: some_search(chance, acme, rows),
        lambda wanted: [row.id for row in rows if is_wanted(wanted, row)],
    )


async def test_every_statement_goes_by_an_index_in_the_order_of_the_ids(acme: Organization) -> None:
    await make_requests(acme, 60, 3)
    searches: list[dict[str, Any]] = [
        {},
        {"key_id": KEYS[0]},
        {"status": (404, 404)},
        {"status": (400, 499)},
        {"key_id": KEYS[0], "status": (400, 499)},
        {"path": "/v1/em", "method": "GET", "request_id": "request-1"},
        {"status": (400, 499), "path": "/v1/em"},
    ]
    wanted = [RequestQuery(acme.id, NOTHING, EVERYTHING, **given) for given in searches]
    for statement, steps in await plans_of(search_requests, wanted):
        whole = [step for step in steps if re.search(r"Seq Scan|SCAN api_requests$", step)]
        assert not whole, (statement, steps)
        assert [step for step in steps if "api_requests" in step], steps
