"""Pages of lists: how many rows they have, which is remembered, and their numbers."""

import pytest

from tests.factories import make_account, make_contact, make_mail, make_segment
from tests.pages.conftest import Page, Visitor
from webapp.models import Organization


def links(page: Page) -> dict[str, str]:
    """The addresses that the pager leads to, by their words."""
    return {link.get_text(" ", strip=True): link["href"] for link in page.soup.select(".pages a")}


def chosen(page: Page) -> str:
    return page.soup.select_one(".sizes [aria-current]").get_text()


async def test_the_size_of_a_page_is_chosen_and_remembered(
    owner: Visitor, viewer: Visitor, rival: Organization, acme: Organization
) -> None:
    for number in range(101):
        await make_contact(acme, f"c{number:03}@example.org")
        await make_contact(rival)
    page = await owner.get("/contacts?q=c&page=2")
    assert (len(page.rows), chosen(page), owner.cookie("page_size")) == (50, "50", None)
    assert "51 to 100 of 101 contacts" in page.text
    assert links(page)["25"] == "/contacts?q=c&page_size=25&page=3"
    page = await owner.get(links(page)["25"])
    assert (len(page.rows), chosen(page), owner.cookie("page_size")) == (25, "25", "25")
    cookie = next(text for text in page.response.headers.getlist("Set-Cookie") if text.startswith("page_size="))
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert len((await owner.get("/contacts?page_size=100")).rows) == 100
    assert len((await owner.get("/contacts")).rows) == 100
    assert len((await viewer.get("/contacts")).rows) == 50


async def test_a_size_that_is_not_offered_is_ignored(owner: Visitor, acme: Organization) -> None:
    for _ in range(51):
        await make_contact(acme)
    for size in ("26", "-25", "25; Path=/"):
        owner.client.set_cookie("localhost", "page_size", size)
        page = await owner.get("/contacts", query_string={"page_size": size})
        assert (page.status, len(page.rows)) == (200, 50), size
        assert not any("page_size" in text for text in page.response.headers.getlist("Set-Cookie"))


async def test_numbered_pages_say_which_they_are_and_none_is_beyond_the_last(
    owner: Visitor, acme: Organization
) -> None:
    segment = await make_segment(acme, *[await make_contact(acme) for _ in range(126)])
    owner.client.set_cookie("localhost", "page_size", "25")
    steps = {
        1: ("/contacts?page=2", "/contacts?page=6", {"Next", "Last page"}),
        3: ("/contacts?page=4", "/contacts?page=6", {"First page", "Previous", "Next", "Last page"}),
        6: (None, None, {"First page", "Previous"}),
    }
    for number, (after, last, words) in steps.items():
        page = await owner.get(f"/contacts?page={number}")
        found = links(page)
        assert f"Page {number} of 6" in page.text
        assert found.keys() - {"25", "50", "100"} == words
        assert (found.get("Next"), found.get("Last page")) == (after, last)
    for place in ("/contacts", f"/segments/{segment.id}", "/segments"):
        assert len((await owner.get(f"{place}?page=9999")).rows) == 1, place


@pytest.mark.parametrize("path", ["/mail-logs", "/emails"])
async def test_lists_by_time_go_on_with_the_size(owner: Visitor, acme: Organization, path: str) -> None:
    account = await make_account(acme)
    for number in range(60):
        await make_mail(acme, account, f"r{number:02}@example.org")
    page = await owner.get(f"{path}?since=2020-01-01")
    assert (len(page.rows), set(links(page))) == (50, {"25", "50", "100", "Older"})
    page = await owner.get(links(page)["25"])
    assert (len(page.rows), chosen(page)) == (25, "25")
    second = await owner.get(links(page)["Older"])
    assert (len(second.rows), set(links(second))) == (25, {"25", "50", "100", "Newest", "Newer", "Older"})
    assert "r34@example.org" in second.text
    whole = await owner.get(links(second)["100"])
    assert len(whole.rows) == 35
    assert "r34@example.org" in whole.text
    assert len((await owner.get(path)).rows) == 60


async def test_a_page_that_is_none_is_an_error_page(owner: Visitor) -> None:
    for number in ("0", "abc", "%D9%A1%D9%A2"):
        page = await owner.get(f"/templates?page={number}")
        assert page.status == 400
        assert page.soup.select_one("main a.main-action")
    assert (await owner.get(f"/templates?page={10**23}")).status == 200
