"""The search over everything and the folding navigation, with the keyboard."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE


def test_the_search_is_opened_moved_through_and_closed_by_keys(visit: Callable[..., Page]) -> None:
    page = visit("full")
    auditor = Auditor(page.context)
    page.goto("/home")
    dialog, box = page.get_by_role("dialog", name="Search"), page.get_by_label("Search everything")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    for key in ("/", "Control+k"):
        page.keyboard.press(key)
        page.keyboard.type("audit")  # at once
        expect(box).to_have_value("audit")
        expect(dialog.locator("#search-results")).to_have_attribute("data-query", "audit")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    page.keyboard.press("/")
    page.evaluate("""() => {
        document.querySelector("#dialog").close(); // whose input has the focus until the next frame
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    }""")
    expect(box).to_be_focused()
    page.keyboard.type("e")
    results = dialog.locator("#search-results")
    expect(results).to_have_attribute("data-query", "e")
    assert auditor.violations(page, knows_navigation=True) == []
    links = results.get_by_role("link")
    page.keyboard.press("ArrowDown")  # the first is highlighted already
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(links.last).to_be_focused()
    page.keyboard.type("v")  # goes on in the box
    expect(results).to_have_attribute("data-query", "ev")
    box.fill("audit")
    expect(results).to_have_attribute("data-query", "audit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Audit log")


def test_a_phone_has_the_search_in_its_head(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE)
    page.goto("/home")
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search everything").fill("deliv")
    page.get_by_role("dialog").get_by_role("link", name="Deliveries", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deliveries")


def test_a_finger_closes_the_search(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE, has_touch=True)
    page.goto("/home")
    dialog = page.get_by_role("dialog", name="Search")
    page.get_by_role("link", name="Search").tap()
    dialog.get_by_label("Search everything").fill("x")
    dialog.get_by_role("button", name="Close the search").tap()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Search").tap()
    dialog.get_by_label("Search everything").tap()
    expect(dialog).to_be_visible()
    page.touchscreen.tap(195, 800)  # beside it
    expect(dialog).to_be_hidden()
    page.goto("/search")
    expect(page.get_by_role("button", name="Close the search")).to_be_hidden()


def test_the_search_is_a_page_without_javascript(visit: Callable[..., Page]) -> None:
    page = visit("full", java_script_enabled=False)
    page.goto("/home")
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search everything").fill("api keys")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("main").get_by_role("link", name="API keys", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API keys")


def test_groups_of_the_navigation_stay_as_they_were_folded(visit: Callable[..., Page]) -> None:
    page = visit("full")
    page.goto("/home")
    nav = page.get_by_role("navigation", name="Main")
    expect(nav.get_by_role("link", name="Webhooks")).to_be_hidden()
    nav.get_by_text("Developers").click()
    expect(nav.get_by_role("link", name="Webhooks")).to_be_visible()
    page.goto("/contacts")
    expect(nav.get_by_role("link", name="Webhooks")).to_be_visible()
    nav.get_by_text("Developers").click()
    page.goto("/campaigns")
    expect(nav.get_by_role("link", name="Webhooks")).to_be_hidden()


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE])
def test_a_result_is_beside_the_middle_of_its_icon(visit: Callable[..., Page], size: Any) -> None:
    page = visit("full", viewport=size)
    page.goto("/search?q=audit")
    middles = """result => [...result.children].map(part => part.getBoundingClientRect()).map(box => box.top + box.height / 2)"""
    result = page.locator("#search-results").get_by_role("link", name="Audit log")
    icon, title = result.evaluate(middles)
    assert icon == pytest.approx(title, abs=1)  # pixel
