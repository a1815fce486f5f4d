"""Making a letter of blocks in a real browser, with and without JavaScript."""

import re

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import EMAIL, PASSWORD


def block(page: Page, name: str) -> Locator:
    """The form of one block, by its kind and number."""
    return page.get_by_role("group", name=name, exact=True)


def add(page: Page, kind: str) -> None:
    page.get_by_role("group", name="Add a block", exact=True).get_by_role("button", name=kind, exact=True).click()


def write(page: Page) -> None:
    """A heading, a text with bold words and a button, out of the first blocks."""
    page.goto("/templates")
    page.get_by_role("link", name="Create template").first.click()
    page.get_by_role("link", name="Start from blocks").click()
    page.get_by_label("Name").fill("Letter")
    page.get_by_label("Subject").fill("News for {{ first_name }}")
    block(page, "Heading 1").get_by_label("Text").fill("Dear {{ first_name }}")
    block(page, "Text 2").get_by_label("Text").fill("Some **bold** words.")
    block(page, "Button 3").get_by_label("Link").fill("https://example.com/spring")
    add(page, "Divider")
    expect(block(page, "Divider 5")).to_be_visible()
    block(page, "Divider 5").get_by_role("button", name=re.compile("^Up")).click()
    expect(block(page, "Footer 5")).to_be_visible()
    block(page, "Text 2").get_by_role("button", name="Duplicate").click()
    expect(block(page, "Text 3").get_by_label("Text")).to_have_value("Some **bold** words.")
    block(page, "Text 3").get_by_label("Text").fill("And more.")
    block(page, "Text 3").get_by_role("button", name=re.compile("^Up")).click()
    expect(block(page, "Text 2").get_by_label("Text")).to_have_value("And more.")
    block(page, "Divider 5").get_by_role("button", name="Delete").click()
    expect(block(page, "Footer 5")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Letter")


def check_saved(page: Page) -> None:
    """The saved letter as its page shows it."""
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#notes")).to_have_text("“Letter” saved.")
    mail = page.frame_locator("iframe.mail-frame")
    expect(mail.get_by_role("heading", name="Dear Ada")).to_be_visible()
    expect(mail.locator("strong")).to_have_text("bold")
    expect(mail.get_by_role("link", name="Read more")).to_have_attribute("href", "https://example.com/spring")
    texts = mail.locator("p").all_inner_texts()
    assert texts.index("And more.") < texts.index("Some bold words.")


def test_a_letter_of_blocks_is_made_beside_its_preview(ada: Page) -> None:
    write(ada)
    mail = ada.frame_locator("iframe.mail-frame")
    expect(mail.get_by_text("And more.")).to_be_visible()
    block(ada, "Text 3").get_by_label("Text").fill("Typed just now.")
    expect(mail.get_by_text("Typed just now.")).to_be_visible()
    add(ada, "2 columns")
    columns = block(ada, "Columns 6")
    columns.get_by_text("Add to column 2").click()
    columns.get_by_role("button", name="Button in column 2").click()
    expect(block(ada, "Button 2 in column 2").get_by_label("Label")).to_be_visible()
    expect(mail.get_by_role("link", name="Read more")).to_have_count(2)
    block(ada, "Button 2 in column 2").get_by_label("Link").fill("nowhere")
    ada.get_by_role("button", name="Save", exact=True).last.click()
    expect(block(ada, "Button 2 in column 2").get_by_label("Link")).to_be_focused()
    expect(block(ada, "Button 2 in column 2")).to_contain_text("Must be an address like https://example.com/news.")
    block(ada, "Columns 6").get_by_role("button", name="Delete Columns 6").click()
    expect(block(ada, "Columns 6")).to_have_count(0)
    block(ada, "Text 3").get_by_label("Text").fill("Some **bold** words.")
    check_saved(ada)
    assert not ada.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_enter_in_a_field_saves_and_moves_nothing(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Quick")
    block(ada, "Heading 1").get_by_label("Text").press("Enter")
    expect(ada.locator("#notes")).to_have_text("“Quick” saved.")
    expect(block(ada, "Heading 1")).to_be_visible()


def test_who_has_moved_a_block_is_asked_before_leaving(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    block(ada, "Text 2").get_by_role("button", name=re.compile("^Up")).click()
    expect(block(ada, "Text 1")).to_be_visible()
    expect(ada.locator("#editor")).to_have_attribute("data-edited", "")


def test_a_letter_of_blocks_is_made_without_javascript(without_javascript: BrowserContext) -> None:
    page = without_javascript.new_page()
    page.goto("/sign-in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    write(page)
    page.get_by_role("button", name="Preview").click()
    expect(page.frame_locator("iframe.mail-frame").get_by_text("And more.")).to_be_visible()
    check_saved(page)
    assert re.search(r"/templates/[0-9a-f-]{36}", page.url)
    block(page, "Text 2").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Letter")).to_be_visible()
    expect(block(page, "Button 3")).to_be_visible()
