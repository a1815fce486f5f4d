"""The API reference in a browser: its contents stay at hand, and its search answers while one types."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.test_phones import WIDER

WORDS = "daily_mail_limit"
HIT = re.compile(r"/reference/accounts#accounts_create\.daily_mail_limit$")


@pytest.mark.parametrize(("person", "width"), [("", 390), ("full", 1440)])
def test_no_page_is_wider_than_its_screen(visit: Callable[..., Page], person: str, width: int) -> None:
    page = visit(person, viewport={"width": width, "height": 844})
    page.goto("/reference")
    links = page.locator(".reference-side > nav > ul > li > a").all()
    paths = [str(link.get_attribute("href")) for link in links]
    assert len(paths) > 5
    for path in (*paths, "/reference?q=e", "/reference?q=" + "x" * 200):
        page.goto(path)
        assert not page.evaluate(WIDER), path


def test_a_phone_folds_the_contents(visit: Callable[..., Page]) -> None:
    page = visit(viewport=PHONE)
    page.goto("/reference/emails")
    entry = page.get_by_role("link", name="POST Send an email")
    expect(entry).to_be_hidden()
    page.get_by_text("Contents").click()
    entry.click()
    expect(page).to_have_url(re.compile("#emails_create$"))
    expect(page.locator("#emails_create")).to_be_in_viewport()


def test_the_contents_stay_beside_the_text(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport={"width": 1440, "height": 900})
    page.goto("/reference/campaigns")
    page.get_by_role("link", name="POST Stop a campaign").click()
    expect(page.locator("#campaigns_stop")).to_be_in_viewport()
    for name in ("Overview", "Templates"):  # the last of those that fit beside the longest page
        link = page.get_by_role("navigation", name="API reference").get_by_role("link", name=name)
        expect(link).to_be_in_viewport()


def test_the_search_answers_while_one_types(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1440, "height": 900})
    page.goto("/reference/emails")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = page.get_by_role("searchbox", name="Search the reference")
    box.press_sequentially(WORDS)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Search results")
    expect(heading).to_be_in_viewport()
    expect(box).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/reference/emails\?q={WORDS}$"))
    expect(page.get_by_role("status").first).to_contain_text(f"for {WORDS}")
    box.fill("")
    expect(heading).to_have_text("Emails")
    box.fill(WORDS)
    follow_the_hit(page)
    page.go_back()
    expect(heading).to_have_text("Search results")


def test_the_search_works_without_scripts(visit: Callable[..., Page]) -> None:
    page = visit(viewport=PHONE, java_script_enabled=False)
    page.goto("/reference")
    page.get_by_role("searchbox", name="Search the reference").fill(WORDS)
    page.get_by_role("button", name="Search").click()
    follow_the_hit(page)


def follow_the_hit(page: Page) -> None:
    page.get_by_role("link", name=WORDS).first.click()
    expect(page).to_have_url(HIT)
    expect(page.locator("tr:target")).to_be_in_viewport()
