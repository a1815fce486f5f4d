"""A webhook is made, seen to fail, mended and replayed, with JavaScript and without."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import beside_the_browser, sign_in
from tests.fakes.endpoint import Endpoint, Received, Reply

SECONDS = 45_000  # milliseconds that a busy machine may take to post an event


def answer(got: Received) -> Reply:
    return Reply(204, b"") if got.path.startswith("/mended") else Reply(500, b"the shop is closed")


def follow(page: Page, text: str) -> None:
    """Waits until an attempt shows this on the open page."""
    expect(page.get_by_role("table").filter(has_text=text)).to_be_visible(timeout=SECONDS)
    expect(page.locator("#state")).not_to_have_attribute("hx-get", re.compile(""), timeout=SECONDS)


def refresh(page: Page, text: str) -> None:
    """Refreshes the page until an attempt shows this."""
    for _ in range(40):
        if page.get_by_role("table").filter(has_text=text).count():
            return
        page.wait_for_timeout(500)
        page.get_by_role("link", name="Refresh").click()
    raise AssertionError(page.locator("main").inner_text())


def mend(page: Page, endpoint: Endpoint, until_seen: Callable[[Page, str], None]) -> None:
    page.goto("/webhooks")
    page.get_by_role("link", name="Create webhook").first.click()
    page.get_by_label("URL").fill(endpoint.url)
    page.get_by_role("button", name="Create webhook").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your signing secret")
    expect(page.locator("#secret")).to_contain_text("whsec_")
    page.get_by_role("link", name="Webhook", exact=True).click()
    page.get_by_role("button", name="Send a test").click()
    until_seen(page, "500")
    place = page.url
    page.get_by_role("table").get_by_role("link", name="webhook.test").first.click()
    expect(page.locator("#response-body")).to_have_text("the shop is closed")
    page.goto(place)
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("URL").fill(endpoint.url.replace("/hooks", "/mended"))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("Webhook saved.")
    page.get_by_role("button", name="Replay the event webhook.test").first.click()
    expect(page.get_by_role("status").first).to_contain_text("Event queued again.")
    until_seen(page, "204")
    assert len({one.id for one in endpoint.received}) == 1
    page.get_by_role("link", name="Delete webhook").click()
    page.get_by_role("button", name="Delete webhook").click()
    expect(page.get_by_role("status").first).to_contain_text("Webhook deleted.")


def test_a_failing_endpoint_is_seen_mended_and_replayed(ada: Page) -> None:
    endpoint = Endpoint(answer)
    with beside_the_browser(endpoint):
        mend(ada, endpoint, follow)


def test_a_failing_endpoint_is_mended_without_javascript(without_javascript: BrowserContext) -> None:
    endpoint, page = Endpoint(answer), without_javascript.new_page()
    sign_in(page)
    with beside_the_browser(endpoint):
        mend(page, endpoint, refresh)
