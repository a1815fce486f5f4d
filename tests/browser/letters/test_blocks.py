"""Making a letter of blocks in a real browser, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, without_javascript

CENTER = "grip => grip.scrollIntoView({ block: 'center' })"  # not below the bar at the bottom


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
    expect(block(page, "Divider 4")).to_be_visible()
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
    page.reload()
    assert names(page) == ["Heading", "Text", "Text", "Button", "Footer"]
    expect(block(page, "Text 2").get_by_label("Text")).to_have_value("And more.")


def test_a_letter_of_blocks_is_made_beside_its_preview(ada: Page) -> None:
    write(ada)
    mail = ada.frame_locator("iframe.mail-frame")
    expect(mail.get_by_text("And more.")).to_be_visible()
    block(ada, "Text 3").get_by_label("Text").fill("Typed just now.")
    expect(mail.get_by_text("Typed just now.")).to_be_visible()
    add(ada, "2 columns")
    columns = block(ada, "Columns 5")
    columns.get_by_text("Add to column 2").click()
    columns.get_by_role("button", name="Button in column 2").click()
    expect(block(ada, "Button 2 in column 2").get_by_label("Label")).to_be_visible()
    expect(mail.get_by_role("link", name="Read more")).to_have_count(2)
    block(ada, "Button 2 in column 2").get_by_label("Link").fill("nowhere")
    ada.get_by_role("button", name="Save", exact=True).last.click()
    expect(block(ada, "Button 2 in column 2").get_by_label("Link")).to_be_focused()
    expect(block(ada, "Button 2 in column 2")).to_contain_text("Must be an address like https://example.com/news.")
    block(ada, "Columns 5").get_by_role("button", name="Delete Columns 5").click()
    expect(block(ada, "Columns 5")).to_have_count(0)
    block(ada, "Text 3").get_by_label("Text").fill("Some **bold** words.")
    check_saved(ada)
    assert not ada.evaluate("document.documentElement.scrollWidth > innerWidth")


def names(page: Page) -> list[str]:
    """The kinds of the blocks in their order, with those in columns."""
    return page.locator(".block-head > b").all_inner_texts()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#notes")).to_contain_text(" saved.")
    page.reload()


def test_a_block_is_dragged_to_its_place_and_stays_there(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Dragged")
    block(ada, "Heading 1").get_by_label("Text").fill("Typed before")
    drag(ada, "Footer 4", "Heading 1", 0.1)
    expect(block(ada, "Footer 1")).to_be_visible()
    expect(block(ada, "Heading 2").get_by_label("Text")).to_have_value("Typed before")
    drag(ada, "Heading 2", "Button 4", 0.9)
    expect(block(ada, "Heading 4")).to_be_visible()
    expect(ada.locator("#editor")).to_have_attribute("data-edited", "")
    save(ada)
    assert names(ada) == ["Footer", "Text", "Button", "Heading"]
    expect(ada.frame_locator("iframe.mail-frame").get_by_role("heading", name="Typed before")).to_be_visible()


def test_a_block_is_dragged_beyond_the_screen(ada: Page) -> None:
    ada.set_viewport_size({"width": 1280, "height": 500})
    ada.goto("/templates/new?kind=blocks")
    tall = ada.evaluate("document.documentElement.scrollHeight")
    grip(ada, "Heading 1").evaluate(CENTER)
    x, y = middle(grip(ada, "Heading 1"))
    ada.mouse.move(x, y)
    ada.mouse.down()
    ada.mouse.move(x, 490)  # at the edge, where the page scrolls by itself
    expect(ada.get_by_text("Tests go to")).to_be_in_viewport(ratio=1)
    assert ada.evaluate("document.documentElement.scrollHeight") == tall
    ada.mouse.up()
    expect(block(ada, "Heading 4")).to_be_visible()
    assert names(ada) == ["Text", "Button", "Footer", "Heading"]


def test_a_block_is_dragged_within_its_column_and_not_out_of_it(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Columns")
    add(ada, "2 columns")
    expect(block(ada, "Text 1 in column 1").get_by_label("Text")).to_be_focused()
    columns = block(ada, "Columns 4")
    columns.get_by_text("Add to column 2").click()
    columns.get_by_role("button", name="Divider in column 2").click()
    drag(ada, "Divider 2 in column 2", "Heading 1", 0.1)  # over the blocks around it: to the top of its column
    expect(block(ada, "Divider 1 in column 2")).to_be_visible()
    save(ada)
    assert names(ada) == ["Heading", "Text", "Button", "Columns", "Text", "Divider", "Text", "Footer"]


def test_a_click_on_the_grip_and_a_drag_to_nowhere_move_nothing(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.wait_for_load_state("networkidle")
    sent: list[str] = []
    ada.on("request", lambda request: sent.append(request.url))
    grip(ada, "Text 2").click()
    drag(ada, "Text 2", "Text 2", 0.5)
    ada.wait_for_load_state("networkidle")
    assert sent == []
    assert names(ada) == ["Heading", "Text", "Button", "Footer"]
    assert block(ada, "Text 2").evaluate("(one) => one.style.translate") == ""


@pytest.mark.browser_context_args(has_touch=True, is_mobile=True, viewport=PHONE)
def test_a_finger_drags_a_block_as_well(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    grip(ada, "Text 2").evaluate(CENTER)
    start, end = middle(grip(ada, "Text 2")), middle(grip(ada, "Heading 1"))
    fingers = ada.context.new_cdp_session(ada)
    for kind, (x, y) in (("touchStart", start), ("touchMove", start), ("touchMove", end), ("touchEnd", end)):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(block(ada, "Text 1")).to_be_visible()
    assert names(ada) == ["Text", "Heading", "Button", "Footer"]


def test_markdown_is_written_by_buttons(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Marked")
    text = block(ada, "Text 2").get_by_label("Text")
    marks = block(ada, "Text 2").get_by_role("group", name="Formatting")
    text.fill("Come to our garden on Sunday.")
    text.evaluate("(area) => area.setSelectionRange(8, 19)")  # with the space behind the word
    marks.get_by_role("button", name="Bold").click()
    expect(text).to_have_value("Come to **our garden** on Sunday.")
    text.press("ControlOrMeta+z")
    expect(text).to_have_value("Come to our garden on Sunday.")
    text.evaluate("(area) => area.setSelectionRange(12, 18)")
    marks.get_by_role("button", name="Link").click()
    ada.keyboard.insert_text("https://example.com/garden")  # over the example of an address
    text.evaluate("(area) => area.setSelectionRange(0, 4)")
    marks.get_by_role("button", name="Italic").click()
    text.press("ControlOrMeta+End")
    ada.keyboard.insert_text("\n\n")
    marks.get_by_role("button", name="List").click()
    ada.keyboard.insert_text("Cake\nTea")  # over the example of an item
    marks.get_by_role("button", name="List").click()
    expect(text).to_have_value("*Come* to our [garden](https://example.com/garden) on Sunday.\n\n- Cake\n- Tea")
    mail = ada.frame_locator("iframe.mail-frame")
    expect(mail.get_by_role("listitem")).to_have_text(["Cake", "Tea"])
    expect(mail.get_by_role("link", name="garden")).to_have_attribute("href", "https://example.com/garden")
    expect(mail.locator("em")).to_have_text("Come")


def grip(page: Page, name: str) -> Locator:
    """The handle by which a block is dragged."""
    return block(page, name).locator("> .block-head > .grip")


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, onto: str, share: float) -> None:
    """Drags a block to a share of the height of another."""
    grip(page, name).evaluate(CENTER)
    page.mouse.move(*middle(grip(page, name)))
    page.mouse.down()
    block(page, onto).scroll_into_view_if_needed()
    box = block(page, onto).bounding_box()
    assert box
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] * share, steps=5)
    page.mouse.up()


def test_enter_in_a_field_saves_and_moves_nothing(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Quick")
    block(ada, "Heading 1").get_by_label("Text").press("Enter")
    expect(ada.locator("#notes")).to_have_text("“Quick” saved.")
    expect(block(ada, "Heading 1")).to_be_visible()


@without_javascript
def test_a_letter_of_blocks_is_made_without_javascript(ada: Page) -> None:
    write(ada)
    ada.get_by_role("button", name="Preview").click()
    expect(ada.frame_locator("iframe.mail-frame").get_by_text("And more.")).to_be_visible()
    check_saved(ada)
    assert re.search(r"/templates/[0-9a-f-]{36}", ada.url)
    expect(grip(ada, "Text 2")).to_be_hidden()
    expect(ada.get_by_role("group", name="Formatting")).to_have_count(0)
    block(ada, "Text 2").get_by_role("button", name="Delete").click()
    expect(ada.get_by_role("heading", name="Letter")).to_be_visible()
    expect(block(ada, "Button 3")).to_be_visible()
    block(ada, "Footer 4").get_by_role("button", name=re.compile("^Up")).click()
    expect(block(ada, "Footer 3").get_by_role("button", name=re.compile("^Up"))).to_be_focused()
    save(ada)
    assert names(ada) == ["Heading", "Text", "Footer", "Button"]


def test_a_fault_is_said_above_the_last_good_preview(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    words, frame = ada.locator("#preview .note"), ada.locator("#preview iframe")
    mail = ada.frame_locator("#preview iframe")
    expect(mail.get_by_role("link", name="Read more")).to_be_visible()
    block(ada, "Button 3").get_by_label("Link").fill("nowhere")
    expect(words).to_have_text("Button 3: Must be an address like https://example.com/news.")
    expect(frame).to_be_visible()
    expect(mail.get_by_role("link", name="Read more")).to_be_visible()
    block(ada, "Button 3").get_by_label("Label").fill("Go on")
    block(ada, "Button 3").get_by_label("Link").fill("https://example.com/spring")
    expect(mail.get_by_role("link", name="Go on")).to_be_visible()
    expect(words).to_have_count(0)


def test_a_box_that_was_made_larger_stands_in_a_list_that_is_swapped(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    text = block(ada, "Text 2").get_by_label("Text")
    text.evaluate(CENTER)
    box = text.bounding_box()
    assert box is not None
    ada.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    ada.mouse.down()
    ada.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] + 80, steps=4)
    ada.mouse.up()
    expect(text).to_have_attribute("style", re.compile("height"))
    add(ada, "Divider")  # the fixture finds what broke the policy
    expect(block(ada, "Divider 4")).to_be_visible()
