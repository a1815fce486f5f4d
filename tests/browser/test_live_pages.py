"""Pages that follow what happens while they are open, and let go while nobody sees them, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

SECONDS = 45_000  # milliseconds that a busy machine may take to send a mail
# Chromium without a screen takes every tab for seen: the tests say which one is.
SEEN = "Object.defineProperty(document, 'hidden', {get: () => sessionStorage.getItem('unseen') === 'yes'})"
TURN = """(unseen) => {
    sessionStorage.setItem('unseen', unseen);
    document.dispatchEvent(new Event('visibilitychange'));
}"""
EVENTS, PROGRESS = "**/events", "**/progress"
HOW_FAR = re.compile(r"\d of \d")  # as many as the showcase has


def test_a_test_mails_page_follows_it_until_it_is_sent(ada: Page) -> None:
    ada.goto("/accounts")
    ada.get_by_role("link", name="Send test email through Sandbox").click()
    ada.get_by_role("dialog").get_by_role("button", name="Send test email").click()
    ada.wait_for_url("**/mail-logs/*")
    ada.evaluate("window.isSamePage = true")
    expect(ada.locator("#state .badge").first).to_have_text("Sent", timeout=SECONDS)
    expect(ada.locator("#state")).not_to_have_attribute("hx-get", re.compile(""))
    assert ada.evaluate("window.isSamePage")


def test_news_leave_a_page_that_moves_on(ada: Page) -> None:
    ada.goto("/accounts")
    ada.get_by_role("link", name="Send test email through Sandbox").click()
    ada.get_by_label("To", exact=True).fill("tempfail+x@example.org")
    ada.get_by_role("dialog").get_by_role("button", name="Send test email").click()
    expect(ada.locator("#notes .good")).to_be_visible()
    expect(ada.locator("#notes .good")).to_be_hidden(timeout=SECONDS)
    expect(ada.locator("#state .badge").first).not_to_have_text("Sent")


def test_the_whole_page_of_a_campaign_follows_its_run(visit: Callable[..., Page]) -> None:
    page = visit("full")
    page.goto("/campaigns")
    page.get_by_role("link", name="A reading on Thursday").click()
    runs, deliveries = page.locator("#runs-card"), page.locator(".deliveries")
    page.evaluate("document.querySelectorAll('#runs-card, .deliveries').forEach((one) => one.replaceChildren())")
    expect(runs).to_contain_text("Sending")
    expect(deliveries).not_to_be_empty()
    page.get_by_role("link", name="Stop waiting for").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_contain_text("emails of “A reading on Thursday”?")
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()


# A tab that nobody sees holds no connection: a browser has six for all tabs of a site.


@pytest.fixture
def tab(visit: Callable[..., Page]) -> Page:
    """A tab at the list of campaigns, of which one is being sent; nothing tells how far it is but events."""
    page = visit("full")
    page.add_init_script(SEEN)
    page.route(PROGRESS, lambda route: route.fulfill(status=204))
    page.goto("/campaigns")
    return page


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
