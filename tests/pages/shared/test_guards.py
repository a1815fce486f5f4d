"""Strangers see nothing, neither of an organization nor of another one's."""

import re
from uuid import uuid4

import pytest
from quart import Quart

from tests.pages.conftest import Page, Visitor
from tests.routes import PUBLIC, Route, lines_of, routes_of
from tests.support.path_ids import make_path_ids
from webapp.models import ApiKey, Organization
from webapp.pages import PAGES

NAMES = {page.blueprint.name for page in PAGES}
NUMBER = {"number": "1"}


def pages_of(app: Quart) -> list[Route]:
    """Every page that is for those who are signed in."""
    routes = [route for route in routes_of(app) if route.endpoint.partition(".")[0] in NAMES]
    return [route for route in routes if str(route) not in lines_of(PUBLIC)]


def test_no_page_changes_anything_by_get(app: Quart) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.partition(".")[0] in NAMES]
    assert all((rule.methods or set()) <= {"GET", "HEAD", "OPTIONS", "POST"} for rule in rules)


async def test_a_stranger_is_sent_to_sign_in_from_everywhere(stranger: Visitor, app: Quart) -> None:
    for route in pages_of(app):
        path = route.at(dict.fromkeys(route.ids, str(uuid4())) | NUMBER)
        form = {"x": "y"} if route.method == "POST" else None
        page = await stranger.send(route.method, path, follow=False, form=form)
        assert page.status == 303, str(route)
        assert page.response.headers["Location"].startswith("/sign-in?next="), str(route)


@pytest.fixture
async def ours(acme: Organization) -> dict[str, str]:
    """The ids of one row of each kind in our organization, by the names that they have in paths."""
    return await make_path_ids(acme) | NUMBER


async def test_another_organizations_rows_are_absent(rival_owner: Visitor, app: Quart, ours: dict[str, str]) -> None:
    token = (await rival_owner.get("/accounts")).token
    routes = [route for route in pages_of(app) if route.ids]
    assert len(routes) >= 15
    for route in routes:
        answers = []
        for row_id in (ours[route.ids[0]], str(uuid4()), "not-an-id"):
            form = {"csrf_token": token, "name": "mine"} if route.method == "POST" else None
            path = route.at(ours | {route.ids[0]: row_id})
            page = await rival_owner.send(route.method, path, follow=False, form=form)
            answers.append((page.status, re.sub(rb"[0-9a-f]{32}|[\w-]{43}\S*", b"", page.data)))
        assert answers == [answers[0]] * 3, str(route)
        assert answers[0][0] == 404, str(route)
    assert (await ApiKey.across_orgs().get(id=ours["key_id"])).revoked_at is None


async def test_pages_of_another_organization_show_nothing_of_ours(
    rival_owner: Visitor, app: Quart, rival: Organization, ours: dict[str, str]
) -> None:
    theirs, seen = await make_path_ids(rival), ""
    numbers = {*NUMBER.values(), ours["attachment_index"]}  # which any page may contain
    for route in pages_of(app):
        if route.method == "GET":
            shown = (await rival_owner.get(route.at(theirs | NUMBER))).data.decode()
            assert not any(row_id in shown for row_id in set(ours.values()) - numbers), str(route)
            seen += shown
    missing = {name for name, row_id in theirs.items() if row_id not in seen} - {"attachment_index"}
    assert missing == {"attachment_id", "property_id"}


def places(page: Page) -> list[str]:
    return [link["href"] for link in page.soup.select("nav.nav a")]


async def test_what_is_absent_is_said_inside_the_frame(owner: Visitor) -> None:
    usual = places(await owner.get("/templates"))
    for path in ("/nothing", f"/templates/{uuid4()}", "/templates/nothing/here"):
        page = await owner.get(path)
        assert (page.status, page.title, places(page)) == (404, "Page not found", usual), path
        assert "ada@acme.example" in page.text


async def test_what_a_role_may_not_is_said_inside_the_frame(viewer: Visitor) -> None:
    page = await viewer.get("/audit")
    assert (page.status, page.title) == (403, "No access")
    assert places(page) == places(await viewer.get("/home"))
    assert "/audit" not in places(page)
    assert "Ask an owner or admin to change your role in Team." in page.text


async def test_the_navigation_folds_all_but_a_few_and_the_group_of_the_page(owner: Visitor) -> None:
    async def seen(path: str) -> list[str]:
        nav = (await owner.get(path)).soup.select_one("nav.nav")
        assert nav
        return [part.text for part in nav.select(":scope > a, summary, [open] > a")]

    home = ["Search/", "Dashboard", "Campaigns", "Contacts", "Segments", "Topics", "Forms", "Templates", "Media"]
    assert await seen("/home") == [*home, "Sending", "Developers", "Organization"]
    sending = ["Sending", "Accounts", "Transactional", "Deliveries", "Suppressions", "Test inbox"]
    assert await seen("/mail-logs") == [*home, *sending, "Developers", "Organization"]
    owner.client.set_cookie("localhost", "nav", "sending.unknown")
    assert await seen("/home") == [*home, *sending, "Developers", "Organization"]


@pytest.mark.parametrize(
    ("path", "current"), [("/home", []), ("/security", ["Profile"]), ("/help/sign-up-forms", ["Help"])]
)
async def test_the_profile_and_the_help_are_below_the_navigation(owner: Visitor, path: str, current: list[str]) -> None:
    page = await owner.get(path)
    for menu in page.soup.select(".side, .menu-sheet"):
        foot = menu.select(".side-foot .who a")
        assert {link.text: link["href"] for link in foot} == {"Profile": "/security", "Help": "/help"}
        assert [link.text for link in foot if link.get("aria-current")] == current
        assert "/help" not in [link["href"] for link in menu.select("nav a")]
