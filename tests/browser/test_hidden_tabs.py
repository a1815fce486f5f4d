"""A tab that nobody sees holds no connection: a browser has six for all tabs of a site."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.showcase.instance import Instance

# Chromium without a screen takes every tab for seen: the tests say which one is.
SEEN = "Object.defineProperty(document, 'hidden', {get: () => sessionStorage.getItem('unseen') === 'yes'})"
TURN = """(unseen) => {
    sessionStorage.setItem('unseen', unseen);
    document.dispatchEvent(new Event('visibilitychange'));
}"""
EVENTS, PROGRESS = "**/events", "**/progress"
HOW_FAR = re.compile(r"\d of \d")  # as many as the showcase has


@pytest.fixture
def tab(browser: Browser, shown: Instance) -> Iterator[Page]:
    """A tab at the list of campaigns, of which one is being sent; nothing tells how far it is but events."""
    context = browser.new_context(base_url=shown.base_url)
    shown.sign_in(context, "full")
    context.add_init_script(SEEN)
    page = context.new_page()
    problems = watch(page)
    page.route(PROGRESS, lambda route: route.fulfill(status=204))
    page.goto("/campaigns")
    yield page
    context.close()
    assert problems == []


def test_a_hidden_tab_lets_go_and_listens_again_when_it_is_seen(tab: Page) -> None:
    with tab.expect_response(EVENTS):
        tab.get_by_role("link", name="A reading on Thursday").click()
    for _ in range(2):
        with tab.expect_event("requestfailed", lambda request: request.url.endswith("/events")):
            tab.evaluate(TURN, "yes")
        tab.evaluate("document.querySelector('[sse-swap=progress]').textContent = 'as it was'")
        with tab.expect_response(EVENTS):
            tab.evaluate(TURN, "no")
        expect(tab.locator("[sse-swap=progress]")).to_contain_text(HOW_FAR)


def test_a_tab_that_is_opened_behind_another_listens_once_it_is_seen(tab: Page) -> None:
    tab.evaluate(TURN, "yes")
    with tab.expect_event("requestfailed", lambda request: request.url.endswith("/events")):
        tab.get_by_role("link", name="A reading on Thursday").click()
    with tab.expect_response(EVENTS):
        tab.evaluate(TURN, "no")
    expect(tab.locator("[sse-swap=progress]")).to_contain_text(HOW_FAR)
