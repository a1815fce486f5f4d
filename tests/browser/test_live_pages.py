"""Pages that follow what happens while they are open, in a real browser."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.showcase.instance import Instance

SECONDS = 45_000  # milliseconds that a busy machine may take to send a mail


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
    expect(ada.locator("#notes .good")).to_have_count(0, timeout=SECONDS)
    expect(ada.locator("#state .badge").first).not_to_have_text("Sent")


def test_the_whole_page_of_a_campaign_follows_its_run(browser: Browser, shown: Instance) -> None:
    context = browser.new_context(base_url=shown.base_url)
    shown.sign_in(context, "full")
    page = context.new_page()
    problems = watch(page)
    page.goto("/campaigns")
    page.get_by_role("link", name="A reading on Thursday").click()
    runs, deliveries = page.locator("#runs-card"), page.locator(".deliveries")
    page.evaluate("document.querySelectorAll('#runs-card, .deliveries').forEach((one) => one.replaceChildren())")
    expect(runs).to_contain_text("Sending")
    expect(deliveries).not_to_be_empty()
    page.get_by_role("link", name="Give up on").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_contain_text("emails of “A reading on Thursday”?")
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    context.close()
    assert problems == []
