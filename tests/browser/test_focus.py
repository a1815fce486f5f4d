"""The focus survives the replacement of parts of a page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Service, in_acme
from tests.factories import make_contact, make_segment
from webapp.models import Organization

FRESH = "htmx.ajax('GET', location.href, { target: '#campaign', select: '#campaign', swap: 'outerHTML' })"


def test_a_link_has_the_focus_after_the_search_although_it_was_replaced(ada: Page) -> None:
    link = ada.locator("#now").get_by_role("link", name="All accounts")
    link.evaluate("link => (link.dataset.old = true, link.focus())")
    ada.keyboard.press("/")
    expect(ada.locator("[data-old]")).to_have_count(0)
    ada.keyboard.press("Escape")
    expect(link).to_be_focused()


@pytest.mark.parametrize("name", ["Edit", "Duplicate", "View all"])
def test_the_end_of_a_run_does_not_take_the_focus(visit: Callable[..., Page], name: str) -> None:
    page = visit("full")
    page.goto("/campaigns")
    page.get_by_role("link", name="A reading on Thursday").click()
    part = page.locator("#campaign :is(a, button)").get_by_text(name, exact=True).first
    part.evaluate("part => (part.dataset.old = true, part.focus())")
    page.evaluate(FRESH)  # as when the run is over
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(part).to_be_focused()


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE])
def test_the_switch_of_the_colors_keeps_the_focus(ada: Page, size: dict[str, int]) -> None:
    ada.set_viewport_size(size)
    ada.emulate_media(color_scheme="light")
    menu = ada.get_by_label("Menu")
    if menu.is_visible():
        menu.click()
    for name, color in (("Dark", "rgb(22, 21, 19)"), ("Match system", "rgb(245, 242, 235)")):
        button = ada.get_by_role("button", name=name).locator("visible=true")
        button.press("Enter")
        expect(ada.locator("html")).to_have_css("background-color", color)
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-pressed", "true")
    ada.get_by_role("button", name="Dark").locator("visible=true").click()
    expect(ada.locator("html")).to_have_css("background-color", "rgb(22, 21, 19)")
    ada.reload()
    expect(ada.locator("html")).to_have_css("background-color", "rgb(22, 21, 19)")


def test_members_are_removed_one_after_the_other(ada: Page, claimed: Service) -> None:
    async def work(org: Organization) -> None:
        contacts = [await make_contact(org, f"{name}@removed.example") for name in ("cleo", "bert", "anna")]
        await make_segment(org, *contacts, name="Removed")

    in_acme(claimed, work)
    ada.goto("/segments")
    ada.get_by_role("link", name="Removed").click()
    ada.get_by_role("button", name="Remove bert@removed.example").press("Enter")
    expect(ada.get_by_role("button", name="Remove cleo@removed.example")).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("button", name="Remove anna@removed.example")).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.locator("#members")).to_be_focused()
