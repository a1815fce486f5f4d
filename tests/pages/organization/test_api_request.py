"""One request of the log on its page: its line, and for seven days its query, headers and bodies."""

import json
from datetime import timedelta

import pytest
from quart import Quart
from uuid_utils.compat import uuid7

from tests.api.conftest import make_api, serving
from tests.factories import make_request_details
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from tests.pages.organization.test_api_requests import make_request
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key, revoke_key
from webapp.domain.roles import Role
from webapp.models import ApiRequest, Organization

HOSTILE = "</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>"


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


async def test_only_an_admin_of_the_same_organization_opens_a_request(
    app: Quart, acme: Organization, rival_owner: Visitor, stranger: Visitor
) -> None:
    request = await make_request(acme)
    await make_request_details(acme, request, request_body='"a text of ours"')
    for role in Role:
        visitor = await visitor_for(app, acme, await make_person(acme, f"{role}@acme.example", role))
        page = await visitor.get(f"/requests/{request.id}")
        assert page.status == (200 if role.allows(Role.ADMIN) else 403)
        assert ("a text of ours" in page.text) == role.allows(Role.ADMIN)
    for path in (f"/requests/{request.id}", f"/requests/{uuid7()}"):
        page = await rival_owner.get(path)
        assert (page.status, page.title) == (404, "Page not found")
        assert "a text of ours" not in page.text
    assert (await stranger.get(f"/requests/{request.id}", follow=False)).status == 303


@pytest.mark.parametrize("name", ["x", "1", "0" * 32, "..%2f", "%ff"])
async def test_what_is_no_request_is_not_found(owner: Visitor, name: str) -> None:
    assert (await owner.get(f"/requests/{name}")).status == 404


async def test_hostile_text_is_shown_as_text(acme: Organization, owner: Visitor) -> None:
    request = await make_request(acme, path="/v1/x")
    await make_request_details(
        acme,
        request,
        query=HOSTILE,
        headers=json.dumps([["User-Agent", HOSTILE]]),
        request_body=json.dumps({HOSTILE: HOSTILE}),
        response_body=json.dumps(HOSTILE),
    )
    page = await owner.get(f"/requests/{request.id}")
    assert facts(page)["User-Agent"] == HOSTILE
    assert bodies(page) == [{HOSTILE: HOSTILE}, HOSTILE]
    assert "alert(1)" not in "".join(script.get_text() for script in page.soup.select("script"))
    assert not page.soup.select("img[onerror]")


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
    request = await make_request(acme)
    await make_request_details(acme, request)
    told = sections(await owner.get(f"/requests/{request.id}"))
    assert (told["Request body"], told["Response body"]) == ("No body.", "No body.")


async def test_after_seven_days_the_line_alone_is_left(acme: Organization, owner: Visitor) -> None:
    for ago, is_shown in ((timedelta(days=6, hours=23), True), (timedelta(days=7, minutes=1), False)):
        request = await make_request(acme, clock.now() - ago)
        await make_request_details(acme, request, query="page=2", request_body='"a text of ours"')
        page = await owner.get(f"/requests/{request.id}")
        assert page.status == 200
        assert ("a text of ours" in page.text, "page=2" in page.text) == (is_shown, is_shown)
        assert ("No headers or bodies are stored" in page.text) != is_shown


async def test_the_page_says_the_days_of_a_plan_that_keeps_less(
    settings: Settings, acme: Organization, owner: Visitor
) -> None:
    use_plans(settings, {"enterprise": {"kept_days": 3}})
    request = await make_request(acme)
    assert "kept for 3 days" in (await owner.get(f"/requests/{request.id}")).text


async def test_a_key_that_is_revoked_or_gone_is_told_so(acme: Organization, owner: Visitor) -> None:
    issued = await issue_key(acme, NewKey(name="<b>shop</b>", role="viewer"))
    await revoke_key(issued.key)
    request = await make_request(acme, key_id=issued.key.id)
    assert facts(await owner.get(f"/requests/{request.id}"))["API key"] == "<b>shop</b> Revoked"
    request = await make_request(acme, key_id=uuid7())
    assert facts(await owner.get(f"/requests/{request.id}"))["API key"] == "Deleted key"
