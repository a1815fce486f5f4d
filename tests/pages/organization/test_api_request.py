"""One request of the log on its page: its line, and for seven days its query, headers and bodies."""

import json
from datetime import timedelta

from tests.api.conftest import make_api, serving
from tests.factories import make_request_details
from tests.pages.conftest import Page, Visitor
from tests.pages.organization.test_api_requests import make_request
from webapp import clock
from webapp.config import Settings
from webapp.models import ApiRequest, Organization


def facts(page: Page) -> dict[str, str]:
    """The names and values that the page lists."""
    values = [" ".join(one.get_text(" ").split()) for one in page.soup.select("dl.facts dd")]
    return dict(zip([one.get_text() for one in page.soup.select("dl.facts dt")], values, strict=True))


def sections(page: Page) -> dict[str, str]:
    """The text below each heading."""
    return {
        section.h2.get_text(): " ".join(section.get_text(" ").replace(section.h2.get_text(), "", 1).split())
        for section in page.soup.select("main section")
        if section.h2
    }


def bodies(page: Page) -> list[object]:
    return [json.loads(code.get_text()) for code in page.soup.select("figure.code code")]


async def test_a_line_of_the_log_opens_the_request_that_was_refused(
    settings: Settings, acme: Organization, owner: Visitor
) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        headers = {"X-Request-Id": "my-own-id-1", "User-Agent": "shop/1.0", "Cookie": "a=hunter2"}
        given = {"email": "nobody", "custom_fields": {"password": "hunter2"}}
        path = "/v1/contacts?dry=1&token=hunter2"
        await api.send("POST", path, json=given, headers=headers, scope_base={"client": ("203.0.113.7", 1)})
    listed = await owner.get("/requests")
    link = listed.soup.select_one("#requests tbody a.row-link")
    row = await ApiRequest.of(acme).get()
    assert (link["href"], link.get_text()) == (f"/requests/{row.id}", "POST /v1/contacts")
    page = await owner.get(link["href"])
    assert page.title == "POST /v1/contacts"
    told = facts(page)
    assert told["Status"] == "400"
    assert told["Method"] == "POST"
    assert told["Path"] == "/v1/contacts?dry=1&token=[hidden]"
    assert told["Duration"].endswith("ms")
    assert told["API key"] == "admin key"
    assert told["IP address"] == "203.0.113.7"
    assert told["Request ID"] == "my-own-id-1"
    assert "UTC" in told["Date"]
    assert told["User-Agent"] == "shop/1.0"
    assert {"Authorization", "Cookie"}.isdisjoint(told)
    sent, got = bodies(page)
    assert sent == {"email": "nobody", "custom_fields": {"password": "[hidden]"}}
    assert got["error"] == "ValidationError"
    assert "hunter2" not in page.text
    assert api.key not in page.text
    assert "kept for 7 days" in page.text
    assert page.soup.select_one("a.crumb")["href"] == "/requests"


async def test_each_state_of_a_body_is_told(acme: Organization, owner: Visitor) -> None:
    request = await make_request(acme, status=499)
    await make_request_details(
        acme, request, request_body='{"a": "ünï…"}', request_body_is_cut=True, response_body=None
    )
    page = await owner.get(f"/requests/{request.id}")
    told = sections(page)
    assert '"a": "ünï…"' in told["Request body"]
    assert "Shortened" in told["Request body"]
    assert told["Response body"].startswith("Not stored")
    assert facts(page)["Status"] == "499 Client closed the connection"


async def test_after_seven_days_the_line_alone_is_left(acme: Organization, owner: Visitor) -> None:
    for ago, is_shown in ((timedelta(days=6, hours=23), True), (timedelta(days=7, minutes=1), False)):
        request = await make_request(acme, clock.now() - ago)
        await make_request_details(acme, request, query="page=2", request_body='"a text of ours"')
        page = await owner.get(f"/requests/{request.id}")
        assert page.status == 200
        assert ("a text of ours" in page.text, "page=2" in page.text) == (is_shown, is_shown)
        assert ("No headers or bodies are stored" in page.text) != is_shown
