"""The log of API requests on its page: what each line says, searching it, and going through it."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.api.conftest import make_api, serving
from tests.factories import make_api_request, make_request_details
from tests.pages.conftest import Page, Visitor
from webapp import clock, db
from webapp.config import Settings
from webapp.db.dialects import Sqlite
from webapp.domain.api_keys import NewKey, issue_key, revoke_key
from webapp.models import ApiRequest, Organization
from webapp.models.base.row import id_lower_bound
from webapp.models.queries.request_search import MAX_SCANNED


async def make_request(org: Organization, at: datetime | None = None, **fields: Any) -> ApiRequest:
    """A line of the log."""
    then = at or clock.now()
    row_id = UUID(int=id_lower_bound(then).int | uuid7().int & (1 << 64) - 1)
    defaults = {"id": row_id, "request_id": row_id.hex, "path": "/v1/emails", "address": "192.0.2.1"}
    return await make_api_request(org, created_at=then, **defaults | fields)


def ids_on(page: Page) -> list[str]:
    """The request ids that a page shows, from above."""
    return [code.get_text() for code in page.soup.select("#requests .copyable code")]


async def test_a_key_that_is_revoked_or_gone_is_told_so(owner: Visitor, acme: Organization) -> None:
    issued = await issue_key(acme, NewKey(name="<b>shop</b>", role="viewer"))
    await make_request(acme, clock.now() - timedelta(seconds=1), key_id=issued.key.id)
    await make_request(acme, key_id=uuid7())
    await revoke_key(issued.key)
    page = await owner.get("/requests")
    assert [row[3] for row in page.rows] == ["Deleted key 192.0.2.1", "<b>shop</b> Revoked 192.0.2.1"]
    assert "<b>shop</b> (revoked)" in [option.get_text() for option in page.soup.select("#f-key_id option")]


async def test_another_organizations_requests_and_keys_are_not_there(
    rival_owner: Visitor, owner: Visitor, acme: Organization, rival: Organization
) -> None:
    issued = await issue_key(acme, NewKey(name="shop", role="viewer"))
    ours = await make_request(acme, clock.now() - timedelta(seconds=1), key_id=issued.key.id)
    theirs = await make_request(rival, key_id=issued.key.id)  # which cannot be, and tells nothing of ours
    for query in ("", f"?key_id={issued.key.id}", f"?request_id={theirs.request_id}", f"?after={uuid7()}"):
        page = await rival_owner.get(f"/requests{query}")
        assert ids_on(page) == [theirs.request_id], query
        assert "shop" not in page.text
    for query in (f"?request_id={ours.request_id}", f"?after={ours.id}&path=/v1/emails"):
        assert ids_on(await rival_owner.get(f"/requests{query}")) == [], query
    assert ids_on(await owner.get("/requests/list")) == [ours.request_id]


async def test_a_list_is_gone_through_there_and_back(owner: Visitor, acme: Organization) -> None:
    start = clock.now() - timedelta(hours=1)
    rows = [await make_request(acme, start + timedelta(seconds=number)) for number in range(120)]
    expected = [row.request_id for row in reversed(rows)]
    page = await owner.get("/requests?path=/")
    for start, way in ((0, "next"), (50, "next"), (100, "prev"), (50, "prev")):
        assert ids_on(page) == expected[start : start + 50]
        page = await owner.get(page.soup.select_one(f"a[rel={way}]")["href"])
    assert ids_on(page) == expected[:50]
    assert page.soup.select_one("a[rel=prev]") is None
    assert parse_qs(urlsplit(page.soup.select_one("a[rel=next]")["href"]).query)["path"] == ["/"]


async def test_filters_stand_in_the_address(owner: Visitor, acme: Organization) -> None:
    key = "01932b7a-2efb-7375-9b6b-fd9a45e8f2c4"
    for name, fields in {
        "fine": {"status": 200},
        "gone": {"status": 404},
        "slow-down": {"status": 429, "path": "/v1/contacts"},
        "broken": {"status": 500, "path": "/v1/emails/batch", "method": "POST"},
        "hung-up": {"status": 499, "path": "/v1/segments", "key_id": key},
    }.items():
        await make_request(acme, request_id=name, **fields)
    for query, expected in (
        ("status=404", {"gone"}),
        ("status=4xx", {"gone", "slow-down", "hung-up"}),
        ("method=post", {"broken"}),
        ("path=/v1/emails", {"fine", "gone", "broken"}),
        ("path=%25", set()),
        ("request_id=gone", {"gone"}),
        ("status=4xx&path=/v1/emails&method=GET", {"gone"}),
        (f"key_id={key}", {"hung-up"}),
        ("status=+&method=&path=%20", {"fine", "gone", "slow-down", "broken", "hung-up"}),
    ):
        page = await owner.get(f"/requests?{query}")
        assert (page.status, set(ids_on(page))) == (200, expected), query
        assert ("No results" in page.text) != bool(expected)


async def test_days_are_those_of_the_organizations_timezone(owner: Visitor, acme: Organization) -> None:
    await Organization.filter(id=acme.id).update(timezone="Pacific/Auckland")  # 13 hours ahead in November
    for name, at in (
        ("before", datetime(2026, 11, 19, 10, 59, 59, tzinfo=UTC)),
        ("first", datetime(2026, 11, 19, 11, 0, 0, tzinfo=UTC)),
        ("last", datetime(2026, 11, 20, 10, 59, 59, tzinfo=UTC)),
        ("behind", datetime(2026, 11, 20, 11, 0, 0, tzinfo=UTC)),
    ):
        await make_request(acme, at, request_id=name)
    page = await owner.get("/requests?since=2026-11-20&until=2026-11-20")
    assert ids_on(page) == ["last", "first"]
    assert page.soup.select("#requests time")[0]["title"] == "Fri 20 Nov 2026, 23:59:59 NZDT"
    assert ids_on(await owner.get("/requests?since=2026-11-20")) == ["behind", "last", "first"]
    assert ids_on(await owner.get("/requests?until=2026-11-19")) == ["before"]
    assert ids_on(await owner.get("/requests?since=2026-11-21&until=2026-11-20")) == []


async def test_what_means_nothing_is_told_at_its_field(owner: Visitor, acme: Organization) -> None:
    await make_request(acme)
    for query, field, words in (
        ("status=4x", "status", "Enter a status like 404, or 4xx for all 400s."),
        ("since=2026-02-30", "since", "Enter a date like 2026-11-20."),
        ("key_id=nobody", "key_id", "Key must be a UUID."),
        ("path=%00", "path", "Path must not contain line breaks or control characters."),
    ):
        page = await owner.get(f"/requests?{query}")
        assert (page.status, page.error_at(field), ids_on(page)) == (400, words, [])
        assert (await owner.get(f"/requests/list?{query}")).status == 400
    page = await owner.get("/requests?after=x")
    assert page.status == 400
    assert page.soup.select_one("form.form .note").get_text(strip=True) == "Page position must be a UUID."


async def test_a_search_that_has_looked_far_says_how_far_and_goes_on(owner: Visitor, acme: Organization) -> None:
    """Few of so many rows are like that, and the first of all is one."""
    first = await make_request(acme, datetime(2020, 1, 1, tzinfo=UTC), path="/v1/rare")
    await fill(acme, MAX_SCANNED + 1)
    page = await owner.get("/requests?path=/v1/rare")
    assert ids_on(page) == []
    assert re.search(r"Searched back to \w{3} \d+ \w{3} \d{4}, \d\d:\d\d:\d\d UTC\.", page.text)
    link = page.soup.select_one("a[rel=next]")
    assert link.get_text(strip=True) == "Search older"
    page = await owner.get(link["href"])
    assert ids_on(page) == [first.request_id]
    assert "Searched back" not in page.text


async def fill(org: Organization, count: int) -> None:
    """So many requests, made by the database itself."""
    number = "printf('%012x', i)" if isinstance(db.dialect(), Sqlite) else "lpad(to_hex(i), 12, '0')"
    row_id = f"'{str(uuid7())[:24]}' || {number}"
    kind = "TEXT" if isinstance(db.dialect(), Sqlite) else "UUID"
    await db.fetch(
        f"""WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})
            INSERT INTO api_requests
              (id, created_at, org_id, method, path, status, duration_ms, address, request_id)
            SELECT CAST({row_id} AS {kind}), {db.dialect().now}, $1, 'GET', '/v1/emails', 200, 1, '::1', 'busy'
            FROM numbers RETURNING id""",
        org.id,
    )


async def test_a_line_of_the_log_opens_the_request_that_was_refused(
    settings: Settings, acme: Organization, owner: Visitor
) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        headers = {"X-Request-Id": "my-own-id-1", "User-Agent": "shop/1.0", "Cookie": "a=hunter2"}
        given = {"email": "nobody", "custom_fields": {"password": "hunter2"}}
        await api.send("POST", "/v1/contacts", json=given, headers=headers, scope_base={"client": ("203.0.113.7", 1)})
    listed = await owner.get("/requests")
    (row,) = listed.rows
    assert row[:2] == ["POST /v1/contacts my-own-id-1", "400"]
    assert re.fullmatch(r"\d+ ms", row[2])
    assert row[3:5] == ["admin key 203.0.113.7", "just now"]
    page = await owner.get(listed.soup.select_one("#requests tbody a.row-link")["href"])
    told = page.facts
    assert (told["Status"], told["Path"]) == ("400", "/v1/contacts")
    assert (told["API key"], told["IP address"]) == ("admin key", "203.0.113.7")
    assert (told["Request ID"], told["User-Agent"]) == ("my-own-id-1", "shop/1.0")
    assert {"Authorization", "Cookie"}.isdisjoint(told)
    sent, got = [json.loads(code.get_text()) for code in page.soup.select("figure.code code")]
    assert sent == {"email": "nobody", "custom_fields": {"password": "[hidden]"}}
    assert got["error"] == "ValidationError"
    assert "hunter2" not in page.text
    assert api.key not in page.text
    assert "kept for 7 days" in page.text


async def test_each_state_of_a_body_is_told(acme: Organization, owner: Visitor) -> None:
    request = await make_request(acme, status=499)
    await make_request_details(
        acme, request, query="dry=1&q=x", request_body='{"a": "ünï…"}', request_body_is_cut=True, response_body=None
    )
    page = await owner.get(f"/requests/{request.id}")
    for words in ('"a": "ünï…"', "Shortened", "Response body Not stored"):
        assert words in page.text
    assert page.facts["Status"] == "499 Client closed the connection"
    assert page.facts["Path"].endswith("?dry=1&q=x")


async def test_after_seven_days_the_line_alone_is_left(acme: Organization, owner: Visitor) -> None:
    for ago, is_shown in ((timedelta(days=6, hours=23), True), (timedelta(days=7, minutes=1), False)):
        request = await make_request(acme, clock.now() - ago)
        await make_request_details(acme, request, query="page=2", request_body='"a text of ours"')
        page = await owner.get(f"/requests/{request.id}")
        assert page.status == 200
        assert ("a text of ours" in page.text, "page=2" in page.text) == (is_shown, is_shown)
        assert ("No headers or bodies are stored" in page.text) != is_shown
