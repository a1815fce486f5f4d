"""What every list of the API has in common: its pages, its order, its cost, and nothing of strangers."""

from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import Api
from tests.factories import make_account, make_contact, make_one_of_each, make_run
from tests.queries import count_queries
from webapp.models import CampaignRun, Organization, Segment, SegmentContact, WebhookAttempt

PAGES = [
    "/v1/accounts",
    "/v1/segments",
    "/v1/topics",
    "/v1/segments/{segment_id}/contacts",
    "/v1/contacts",
    "/v1/contacts?segment_id={segment_id}",
    "/v1/forms",
    "/v1/templates",
    "/v1/campaigns",
    "/v1/campaigns/{campaign_id}/runs",
    "/v1/mail-logs",
    "/v1/sandbox/messages",
    "/v1/webhooks",
]
PARTS = ["/v1/emails", "/v1/events", "/v1/media", "/v1/suppressions", "/v1/webhooks/{webhook_id}/attempts"]
LISTS = PAGES + PARTS
RANGES = ("/v1/events", "/v1/webhooks/{webhook_id}/attempts")  # which may end at both cursors
ENDLESS = 10**30  # of pages and their sizes


async def make_rows(org: Organization, ids: dict[str, str] | None = None) -> dict[str, str]:
    """Two more of everything, of which the lists within another row get some too; the ids of the first of all."""
    made = [await make_one_of_each(org, await make_account(org)) for _ in range(2)]
    ids = ids or made[0]
    for _ in range(2):
        contact = await make_contact(org)
        await SegmentContact.create(org=org, segment_id=UUID(ids["segment_id"]), contact=contact)
        await Segment.add_to_counts([UUID(ids["segment_id"])], 1)
        run, _ = await make_run(org, [], 1)
        await CampaignRun.filter(id=run.id).update(campaign_id=ids["campaign_id"])
        about = {"webhook_id": ids["webhook_id"], "event_id": ids["event_id"], "number": 2}
        await WebhookAttempt.create(org=org, response_status=500, answer="no", milliseconds=1, **about)
    return ids


@pytest.fixture
async def ids(acme: Organization) -> dict[str, str]:
    """Ids of the first of everything, by their names in paths."""
    return await make_rows(acme)


def asked(path: str, ids: dict[str, str], query: str = "") -> str:
    where = path.format(**ids)
    return f"{where}{'&' if '?' in where else '?'}{query}" if query else where


async def rows_of(api: Api, place: str) -> list[dict[str, Any]]:
    status, body = await api.get(place)
    assert status == 200, body
    rows: list[dict[str, Any]] = body["data"]
    return rows


async def test_every_list_is_a_page_of_1_to_100_rows_and_50_by_itself(api: Api, ids: dict[str, str]) -> None:
    for path in PAGES:
        for query, page, size in (
            ("", 1, 50),
            ("page=2", 2, 50),
            ("page_size=1", 1, 1),
            ("page_size=101", 1, 100),
            (f"page={ENDLESS}&page_size={ENDLESS}", ENDLESS, 100),
        ):
            status, body = await api.get(asked(path, ids, query))
            assert (status, set(body), set(body["meta"])) == (200, {"data", "meta"}, {"page", "page_size", "total"})
            assert (body["meta"]["page"], body["meta"]["page_size"]) == (page, size), path
            assert body["meta"]["total"] >= 2, path
            assert len(body["data"]) == (0 if page > 1 else min(size, body["meta"]["total"])), path
        for name in ("page", "page_size"):
            for value in ("0", "x", "1.0", "%D9%A1"):
                status, body = await api.get(asked(path, ids, f"{name}={value}"))
                assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", name), path


async def test_the_pages_of_a_list_are_the_whole_newest_first(api: Api, ids: dict[str, str]) -> None:
    for path in PAGES:
        whole = await rows_of(api, asked(path, ids))
        pages = range(1, len(whole) // 2 + 2)
        found = [await rows_of(api, asked(path, ids, f"page={page}&page_size=2")) for page in pages]
        assert [row for rows in found for row in rows] == whole, path
        if path not in ("/v1/segments", "/v1/topics"):  # which are in an order of their own
            assert [row["id"] for row in whole] == sorted((row["id"] for row in whole), reverse=True), path


async def test_a_list_by_cursor_is_walked_both_ways_newest_first(api: Api, ids: dict[str, str]) -> None:
    for path in PARTS:
        whole = await rows_of(api, asked(path, ids))
        keys = [row["id"] for row in whole]
        assert keys == sorted(keys, reverse=True), path
        assert len(keys) >= 2, path
        for query, expected, has_more in (
            ("limit=1", whole[:1], True),
            (f"after={keys[0]}", whole[1:], False),
            (f"limit=1&before={keys[-1]}", whole[-2:-1], len(keys) > 2),
            (f"before={keys[1]}", whole[:1], False),
        ):
            status, body = await api.get(asked(path, ids, query))
            assert (status, body["data"], body["has_more"]) == (200, expected, has_more), (path, query)
        bad = ["limit=0", "limit=101", "limit=%D9%A1", "after=nonsense"]
        for query in bad if path in RANGES else [*bad, f"before={keys[0]}&after={keys[0]}"]:
            status, body = await api.get(asked(path, ids, query))
            assert (status, body["details"][0]["field"]) == (400, query.partition("=")[0]), (path, query)


async def test_a_list_costs_the_same_queries_for_few_rows_and_for_many(
    api: Api, acme: Organization, ids: dict[str, str]
) -> None:
    async def cost_of(path: str) -> tuple[int, int]:
        with count_queries() as sent:
            rows = await rows_of(api, asked(path, ids))
        return len(rows), len(sent)

    await rows_of(api, "/v1/accounts")  # signs the key in
    few = [await cost_of(path) for path in LISTS]
    await make_rows(acme, ids)
    for path, (rows, cost) in zip(LISTS, few, strict=True):
        more, cost_of_more = await cost_of(path)
        assert (more > rows, cost_of_more) == (True, cost), path


async def test_a_list_has_nothing_of_a_strangers(api: Api, rival_api: Api, ids: dict[str, str]) -> None:
    for path in LISTS:
        if "{" not in path:
            assert await rows_of(api, path)
            assert await rows_of(rival_api, path) == [], path
