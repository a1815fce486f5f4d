"""People who use only a keyboard: what has the focus is in view, and no key does what nobody asked for."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import EMAIL, Service, in_acme, without_javascript
from tests.factories import make_account
from webapp.models import Account, Organization

COVERED = """() => {
  const { bottom } = document.activeElement.getBoundingClientRect(), bar = document.querySelector(".ticked");
  return !bar.contains(document.activeElement) && bottom > bar.getBoundingClientRect().top;
}"""


def test_a_slash_opens_the_search_from_a_tick_box(visit: Callable[..., Page]) -> None:
    page = visit("full")
    page.goto("/contacts")
    page.get_by_label("Select all on this page").focus()
    page.keyboard.press("/")
    expect(page.get_by_label("Search everything")).to_be_focused()
    page.keyboard.press("Escape")
    words = page.get_by_placeholder("Search email, name or phone")
    words.press("/")
    expect(words).to_have_value("/")


def test_the_bar_of_selected_contacts_covers_no_focus(visit: Callable[..., Page]) -> None:
    page = visit("full")
    page.goto("/contacts")
    page.get_by_label("Select all on this page").press("Space")
    for _ in range(30):
        page.keyboard.press("Tab")
        assert not page.evaluate(COVERED)


def test_a_merge_tag_leaves_what_the_tab_key_selected(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    subject = ada.get_by_label("Subject")
    subject.fill("News for ")
    ada.keyboard.press("Tab")
    ada.keyboard.press("Shift+Tab")  # into the subject, whose words are selected now
    ada.keyboard.press("Shift+Tab")
    ada.keyboard.press("Enter")
    ada.get_by_role("button", name="First name", exact=True).press("Enter")
    expect(subject).to_have_value("News for {{ first_name }}")


def test_ctrl_s_saves_a_template_from_any_field(ada: Page) -> None:
    ada.goto("/templates/new?kind=text")
    ada.get_by_label("Name", exact=True).fill("By keyboard")
    ada.get_by_label("Subject").fill("Hello")
    ada.get_by_label("Body").fill("Hello")
    ada.keyboard.press("Control+s")
    expect(ada.get_by_text("“By keyboard” saved.")).to_be_visible()


def test_what_was_undone_is_redone(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    blocks, label = ada.locator(".block > legend"), ada.get_by_label("Label")
    label.fill("Buy")
    ada.get_by_role("button", name="Delete Text 2").click()
    expect(blocks).to_have_text(["Heading 1", "Button 2", "Footer 3"])
    for _ in range(2):
        ada.keyboard.press("Control+z")
        expect(blocks).to_have_count(4)
    expect(label).to_have_value("Read more")
    ada.keyboard.press("Control+y")
    expect(label).to_have_value("Buy")
    ada.keyboard.press("Control+Shift+z")
    expect(blocks).to_have_text(["Heading 1", "Button 2", "Footer 3"])
    ada.keyboard.press("Control+z")
    expect(blocks).to_have_count(4)


def test_a_wrong_password_is_entered_again(page: Page, claimed: Service) -> None:
    page.goto("/sign-in")
    expect(page.get_by_label("Email")).to_be_focused()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Tab")
    page.keyboard.type("wrong password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Incorrect email or password.")).to_be_visible()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()


@without_javascript
def test_a_wrong_password_is_entered_again_without_javascript(page: Page, claimed: Service) -> None:
    test_a_wrong_password_is_entered_again(page, claimed)


def test_a_fault_is_in_view_each_time_it_is_refused(ada: Page, claimed: Service) -> None:
    async def work(org: Organization) -> None:
        await make_account(org, name="Keys")

    async def remove(org: Organization) -> None:
        await Account.of(org).filter(name="Keys").delete()

    in_acme(claimed, work)
    ada.goto("/accounts")
    ada.get_by_role("link", name="Keys").first.click()
    ada.get_by_role("region", name="Pace").get_by_role("link").click()
    hour = ada.get_by_label("From", exact=True)
    hour.fill("9")
    for _ in range(3):
        ada.get_by_label("Growth").scroll_into_view_if_needed()
        with ada.expect_response("**/pace"):
            hour.press("Enter")
        expect(hour).to_be_focused()
        expect(hour).to_be_in_viewport()
        expect(ada.locator("#f-window_from-error")).to_be_in_viewport()
    in_acme(claimed, remove)


def test_enter_on_a_link_of_a_preview_leads_nowhere(ada: Page) -> None:
    page = ada.context.new_page()  # its console complains of what the sandbox refuses
    page.goto("/organization/brand")
    frame = page.locator("iframe[name=sample]").content_frame
    link = frame.get_by_role("link", name="a link")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    expect(link).to_be_visible()
    assert len(ada.context.pages) == 2


def test_the_entry_of_a_page_is_in_view_in_an_open_group(ada: Page) -> None:
    ada.set_viewport_size({"width": 1366, "height": 768})
    ada.goto("/sandbox")
    bottom = ada.locator(".side .nav [aria-current]").evaluate("entry => entry.getBoundingClientRect().bottom")
    assert bottom <= ada.locator(".side > .side-foot").evaluate("foot => foot.getBoundingClientRect().top")


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_tab_leads_from_words_in_the_preview_to_their_field(ada: Page, key: str) -> None:
    ada.goto("/templates/new?kind=blocks")
    shown = ada.locator("iframe[name=preview]").content_frame
    shown.get_by_role("heading", name="Hello Ada").click()
    ada.keyboard.press("Control+a")
    ada.keyboard.type("Good morning")
    ada.keyboard.press(key)
    expect(shown.locator("[contenteditable]")).to_have_count(0)
    expect(shown.get_by_role("heading", name="Good morning")).to_be_visible()
    expect(ada.locator("[name='blocks[0].text']")).to_be_focused()
