"""Pages that follow what happens while they are open, in a real browser."""

import re

from playwright.sync_api import Page, expect

SECONDS = 45_000  # milliseconds that a busy machine may take to send a mail


def test_a_test_mails_page_follows_it_until_it_is_sent(ada: Page) -> None:
    ada.goto("/accounts")
    ada.get_by_role("link", name="Send a test mail through Sandbox").click()
    ada.get_by_role("dialog").get_by_role("button", name="Send").click()
    ada.wait_for_url("**/mail-logs/*")
    ada.evaluate("window.isSamePage = true")
    expect(ada.locator("#state .badge").first).to_have_text("Sent", timeout=SECONDS)
    expect(ada.locator("#state")).not_to_have_attribute("hx-get", re.compile(""))
    assert ada.evaluate("window.isSamePage")
