"""Forms in a real browser: what they say while they are sent, and where they lead when something is wrong."""

from playwright.sync_api import Page, expect

from tests.conftest import free_port


def fill_account(page: Page, **fields: str) -> None:
    page.goto("/accounts/new")
    for label, text in {"Name": "Relay", "Host": "127.0.0.1", "Port": str(free_port()), **fields}.items():
        page.get_by_label(label, exact=True).fill(text)


def test_a_form_says_what_it_waits_for(ada: Page) -> None:
    fill_account(ada)
    ada.get_by_role("button", name="Save and test the login").click()
    busy = ada.get_by_role("button", name="Testing the login…")
    expect(busy).to_be_disabled()
    expect(ada.locator("#notes")).to_contain_text("cannot send yet")
    fill_account(ada, Port="none")
    ada.get_by_role("button", name="Save and test the login").click()
    expect(ada.get_by_label("Port")).to_be_focused()
    expect(ada.get_by_role("button", name="Save and test the login")).to_be_enabled()


def test_a_form_that_got_no_answer_can_be_sent_again(ada: Page) -> None:
    fill_account(ada)
    ada.route("**/accounts", lambda route: route.fulfill(status=204))
    with ada.expect_response("**/accounts"):
        ada.get_by_role("button", name="Save and test the login").click()
    expect(ada.get_by_role("button", name="Save and test the login")).to_be_enabled()
