"""The template editor in a real browser."""

import re
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Service, in_acme, without_javascript
from tests.support.pictures import noisy, picture
from webapp.models import Account

DESK: Any = {"width": 1440, "height": 900}
DROPPED = """bytes => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], "logo.png", { type: "image/png" }));
    return transfer;
}"""
# After a frame, in which the browser scrolls by what grew above the field.
TOP = """field => new Promise(done =>
    requestAnimationFrame(() => setTimeout(() => done(field.getBoundingClientRect().top))))"""
STARTER = "/templates/new?starter=newsletter"


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize(
    ("path", "last", "save"),
    [(STARTER, "Text of the unsubscribe link", "Save"), ("/forms/new", "Language", "Create form")],
)
def test_save_stays_in_view(ada: Page, size: Any, path: str, last: str, save: str) -> None:
    ada.set_viewport_size(size)
    ada.goto(path)
    for place in ("Name", last):
        ada.get_by_label(place).evaluate("field => { field.closest('details')?.setAttribute('open', '') }")
        ada.get_by_label(place).scroll_into_view_if_needed()
        expect(ada.locator("#content").get_by_role("button", name=save, exact=True).last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("javascript", ["on", pytest.param("off", marks=without_javascript)])
def test_a_phone_switches_between_the_form_and_the_preview(ada: Page, javascript: str) -> None:
    ada.set_viewport_size(PHONE)
    ada.goto(STARTER)
    switch = ada.get_by_role("navigation", name="Edit or preview")
    frame = ada.locator("iframe[name=preview]")
    expect(frame).to_be_hidden()
    ada.get_by_label("Subject").fill("Ours")
    switch.get_by_role("link", name="Preview").click()
    if javascript == "off":
        ada.get_by_role("button", name="Update preview").click()
    expect(frame.content_frame.get_by_text("We rebuilt the part")).to_be_visible()
    expect(ada.get_by_label("Subject")).to_be_hidden()
    expect(ada.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    parts = (ada.locator(selector) for selector in ("h1", "header.top", "#preview-title"))
    title, head, preview = (cast("Any", part.bounding_box()) for part in parts)
    if javascript == "on":  # else the page is too short to be scrolled as far
        assert title["y"] + title["height"] <= head["height"] < preview["y"]  # covered as a whole, or not at all
    switch.get_by_role("link", name="Edit").click()
    expect(ada.get_by_label("Subject")).to_have_value("Ours")
    expect(frame).to_be_hidden()


def test_changes_are_undone_one_after_the_other(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    shown = ada.locator("iframe[name=preview]").content_frame
    undo, legends = ada.get_by_role("button", name="Undo", exact=True), ada.locator(".block > legend")
    expect(undo).to_be_disabled()
    ada.get_by_label("Subject").fill("First")
    ada.get_by_label("Label").fill("Buy")
    ada.get_by_role("button", name="Delete Text 2").click()
    expect(legends).to_have_text(["Heading 1", "Button 2", "Footer 3"])
    ada.keyboard.press("Control+z")
    expect(legends).to_have_text(["Heading 1", "Text 2", "Button 3", "Footer 4"])
    expect(ada.get_by_label("Label")).to_have_value("Buy")
    expect(shown.get_by_text("Once a month")).to_be_visible()
    undo.click()
    expect(ada.get_by_label("Label")).to_have_value("Read more")
    expect(shown.get_by_text("Read more")).to_be_visible()
    expect(ada.get_by_label("Subject")).to_have_value("First")
    undo.click()
    expect(ada.get_by_label("Subject")).to_have_value("")
    expect(undo).to_be_disabled()


def test_undo_shows_the_first_change_and_keeps_the_focus(ada: Page) -> None:
    ada.goto(STARTER)
    first = ada.get_by_role("group", name="Heading 1", exact=True)
    first.get_by_role("button", name="Delete").press("Enter")
    expect(ada.get_by_role("group", name="Text 1", exact=True)).to_be_visible()
    ada.get_by_role("button", name="Duplicate Text 1").focus()
    ada.keyboard.press("Control+z")
    expect(first).to_be_in_viewport()
    expect(first.locator(":focus")).to_be_visible()


@pytest.mark.parametrize("javascript", ["on", pytest.param("off", marks=without_javascript)])
def test_a_deleted_block_has_undo_in_the_answer(ada: Page, javascript: str) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_role("button", name="Delete Heading 1").click()
    expect(ada.locator("#undo")).to_be_visible(visible=javascript == "on")
    expect(ada.get_by_text("Heading deleted.")).to_be_visible()
    ada.get_by_role("button", name="Undo deletion").click()
    expect(ada.locator(".block > legend")).to_have_text(["Heading 1", "Text 2", "Button 3", "Footer 4"])


def test_a_merge_tag_is_inserted_at_the_cursor(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    text = ada.get_by_label("Text", exact=True).nth(1)
    text.fill("Dear , welcome")
    text.evaluate("area => area.setSelectionRange(5, 5)")
    unsubscribe = ada.get_by_role("dialog").get_by_role("button", name="Unsubscribe", exact=True)
    for field, label in (("Text", "First name"), ("Subject", "Last name")):
        ada.get_by_role("button", name=f"Merge tag in {field}").nth(1 if field == "Text" else 0).click()
        expect(ada.get_by_role("button", name="Email", exact=True)).to_be_focused()
        expect(unsubscribe).to_be_visible(visible=field == "Text")  # no link works in a subject
        ada.get_by_role("button", name=label, exact=True).click()
    expect(text).to_have_value("Dear {{ first_name }}, welcome")
    expect(ada.get_by_label("Subject")).to_have_value("{{ last_name }}")
    expect(ada.get_by_label("Subject")).to_be_focused()
    expect(ada.locator("iframe[name=preview]").content_frame.get_by_text("Dear Ada, welcome")).to_be_visible()


def test_an_image_is_uploaded_and_chosen_by_its_thumbnail(ada: Page, tmp_path: Path) -> None:
    file, other = tmp_path / "tulips.png", tmp_path / "notes.png"
    file.write_bytes(picture())
    other.write_text("no image")
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_role("button", name="Image", exact=True).click()
    expect(ada.get_by_text("Choose from the library")).to_be_focused()
    ada.get_by_label("Name", exact=True).fill("Tulips")
    ada.get_by_label("Subject").fill("Tulips")
    ada.get_by_role("button", name="Save", exact=True).last.click()
    expect(ada.get_by_text("This field is required.")).to_be_visible()
    ada.get_by_label("Upload").set_input_files(other)
    expect(ada.get_by_role("alert").filter(has_text="notes.png")).to_be_visible()
    ada.get_by_label("Upload").set_input_files(file)
    expect(ada.get_by_label("Image URL")).to_have_value(re.compile("/m/.*/tulips.png$"))
    expect(ada.locator("img.picked")).to_have_js_property("naturalWidth", 40)
    expect(ada.get_by_text("This field is required.")).to_have_count(0)
    expect(ada.locator("iframe[name=preview]").content_frame.locator("img")).to_have_attribute("src", re.compile("/m/"))
    ada.get_by_label("Image URL").fill("")
    ada.get_by_text("Choose from the library").click()
    ada.get_by_alt_text("tulips.png").click()
    expect(ada.get_by_label("Image URL")).to_have_value(re.compile("/m/.*/tulips.png$"))


def test_a_file_is_dropped_on_the_logo_and_the_example_follows(ada: Page) -> None:
    ada.goto("/organization/brand")
    dropped = ada.evaluate_handle(DROPPED, list(picture(colour="navy")))
    area = ada.locator("[data-images]")
    area.dispatch_event("dragover", {"dataTransfer": dropped})
    expect(area).to_contain_class("over")
    area.dispatch_event("drop", {"dataTransfer": dropped})
    expect(ada.get_by_label("Logo")).to_have_value(re.compile("/m/.*/logo.png$"))
    example = ada.locator("iframe[name=sample]").content_frame
    expect(example.locator("img")).to_have_attribute("src", re.compile("/m/.*/logo.png$"))
    ada.get_by_label("Postal address").fill("1 Elm Road")
    expect(example.get_by_text("1 Elm Road")).to_be_visible()
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_label("Logo")).to_have_value(re.compile("/m/.*/logo.png$"))


def test_a_photo_of_a_phone_is_uploaded_into_a_block(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    ada.goto(STARTER)
    ada.get_by_role("group", name="Add a block", exact=True).get_by_role("button", name="Image").click()
    photo = {"name": "beach.png", "mimeType": "image/png", "buffer": noisy((1500, 1000))}
    ada.locator("[data-upload]").set_input_files(photo)
    expect(ada.get_by_label("Image URL")).to_have_value(re.compile("/m/.*/beach.png$"))


def test_a_failed_upload_is_said_where_the_reader_is(ada: Page) -> None:
    other = ada.context.new_page()  # its console may complain: the upload fails
    other.set_viewport_size(PHONE)
    other.goto(STARTER)
    other.get_by_role("group", name="Add a block", exact=True).get_by_role("button", name="Image").click()
    other.route("**/media/choices", lambda route: route.fulfill(status=503))
    area = other.locator("[data-images]")
    file: Any = {"name": "logo.png", "mimeType": "image/png", "buffer": picture()}
    said = other.get_by_role("alert")
    for end in ("dismissed", "repeated"):
        with other.expect_response("**/templates/preview"):  # which is no reason to forget the failure
            area.locator("[data-upload]").set_input_files(file)
        expect(said).to_contain_text("Something went wrong (503).")
        expect(said).to_be_in_viewport(ratio=1)
        if end == "dismissed":
            said.get_by_role("button", name="Dismiss").click()
            expect(said).to_have_count(0)
    other.unroute("**/media/choices")
    area.dispatch_event("drop", {"dataTransfer": other.evaluate_handle(DROPPED, list(picture()))})
    expect(other.get_by_label("Image URL")).to_have_value(re.compile("/m/.*png$"))
    expect(said).to_have_count(0)


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_words_are_edited_in_the_preview(ada: Page, size: Any) -> None:
    ada.set_viewport_size(size)
    ada.goto("/templates/new?kind=blocks")
    if size == PHONE:
        ada.get_by_role("link", name="Preview", exact=True).click()
    shown = ada.locator("iframe[name=preview]").content_frame
    shown.get_by_role("heading", name="Hello Ada").click()
    edited = shown.locator("[contenteditable]")
    expect(edited).to_have_text('Hello {{ first_name | default: "there" }}')
    ada.keyboard.press("Control+a")
    ada.keyboard.type("Dear {{ first_name }}")
    shown.get_by_text("Once a month").click()
    expect(edited).to_have_text("Once a month, we'll send you what's new.")
    ada.keyboard.press("Control+a")
    ada.keyboard.type("**Bold**")
    ada.keyboard.press("Enter")
    ada.keyboard.press("Enter")
    ada.keyboard.type("Second")
    shown.get_by_role("link", name="Read more").click()
    ada.keyboard.press("End")
    ada.keyboard.type(" now")
    ada.keyboard.press("Enter")
    expect(shown.get_by_role("heading", name="Dear Ada")).to_be_visible()
    expect(shown.locator("strong")).to_have_text("Bold")
    expect(shown.get_by_role("link", name="Read more now")).to_be_visible()
    expect(ada.locator("[name='blocks[0].text']")).to_have_value("Dear {{ first_name }}")
    expect(ada.locator("[name='blocks[1].text']")).to_have_value("**Bold**\n\nSecond")
    expect(ada.locator("#editor[data-edited]")).to_be_attached()
    ada.get_by_role("button", name="Undo", exact=True).click()
    expect(shown.get_by_role("link", name="Read more", exact=True)).to_be_visible()
    expect(shown.get_by_text("Second")).to_be_visible()
    ada.get_by_role("button", name="Undo", exact=True).click()
    expect(shown.get_by_text("Once a month")).to_be_visible()
    expect(shown.get_by_role("heading", name="Dear Ada")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_click_in_the_preview_leads_to_the_fields_of_a_block(ada: Page, size: Any) -> None:
    ada.set_viewport_size(size)
    ada.goto(STARTER)
    ada.get_by_role("group", name="Add a block", exact=True).get_by_role("button", name="2 columns").click()
    column = ada.get_by_role("group", name="Text 1 in column 2")
    column.get_by_role("button", name="Add below").click()
    ada.get_by_role("group", name="Add a block below Text 1 in column 2").get_by_role("button", name="Image").click()
    ada.get_by_label("Image URL").fill("/m/none.png")
    ada.get_by_label("Image URL").fill("https://acme.example/tulips.png")
    ada.get_by_label("Description").fill("Tulips")  # the brand may have a logo
    shown = ada.locator("iframe[name=preview]").content_frame
    for element, label in (
        (shown.get_by_alt_text("Tulips"), "Choose from the library"),
        (shown.get_by_text("Unsubscribe"), "Text (optional)"),
    ):
        if size == PHONE:
            ada.get_by_role("link", name="Preview", exact=True).click()
        element.click()
        expect(ada.locator(":focus")).to_have_accessible_name(label)
    expect(shown.locator("[contenteditable]")).to_have_count(0)


def test_a_click_on_the_logo_in_the_preview_opens_the_brand(ada: Page) -> None:
    ada.goto("/organization/brand")
    dropped = ada.evaluate_handle(DROPPED, list(picture(colour="olive")))  # not one of another name in the library
    ada.locator("[data-images]").dispatch_event("drop", {"dataTransfer": dropped})
    expect(ada.get_by_label("Logo")).to_have_value(re.compile("/logo.png$"))
    ada.get_by_role("button", name="Save").click()
    expect(ada.locator("#notes")).to_contain_text("Brand saved.")
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name").fill("Unsaved")
    with ada.context.expect_page() as opened:
        ada.locator("iframe[name=preview]").content_frame.locator(".brand-logo").click()
    expect(opened.value.get_by_label("Logo")).to_have_value(re.compile("/logo.png$"))
    opened.value.close()
    expect(ada.get_by_label("Name")).to_have_value("Unsaved")


@pytest.mark.parametrize("javascript", ["on", pytest.param("off", marks=without_javascript)])
def test_the_later_of_two_saves_is_asked_what_to_keep(ada: Page, javascript: str) -> None:
    ada.goto("/templates/new?kind=text")
    ada.get_by_label("Name").fill(f"Shared {javascript}")
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.locator("#notes .good")).to_be_visible()
    other = ada.context.new_page()
    other.goto(ada.url)
    for page, words in ((other, "Theirs"), (ada, "Mine")):
        page.get_by_label("Body").fill(words)
        page.get_by_role("button", name="Save", exact=True).click()
    expect(ada.get_by_role("alert")).to_contain_text("You saved this template in another window")
    expect(ada.get_by_label("Body")).to_have_value("Mine")
    ada.get_by_text("See both").click()
    expect(ada.frame_locator("iframe[title='The saved version']").get_by_text("Theirs")).to_be_visible()
    ada.get_by_role("button", name="Save mine").click()
    expect(ada.locator("#notes .good")).to_be_visible()
    other.close()
    expect(ada.get_by_label("Body")).to_have_value("Mine")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_text_grows_with_its_lines(ada: Page, size: Any) -> None:
    ada.set_viewport_size(size)
    ada.goto("/templates/new?kind=blocks")
    text = ada.get_by_role("group", name="Text 2", exact=True).get_by_label("Text", exact=True)
    heights = []
    for lines in (1, 9, 300):
        text.fill("\n".join(["A line"] * lines))
        heights.append(text.evaluate("area => area.offsetHeight"))
    assert heights[0] * 2 < heights[1] < heights[2] < 600  # pixels
    text.fill("\n".join(["A line"] * 9))
    assert text.evaluate("area => area.scrollHeight <= area.clientHeight")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_save_leaves_the_page_where_it_is_and_what_undo_knows(ada: Page, size: Any) -> None:
    ada.set_viewport_size(size)
    ada.goto("/templates/new?kind=blocks")
    title, name, label = f"Spring {size['width']}", ada.get_by_label("Name", exact=True), ada.get_by_label("Label")
    save, undo = (ada.get_by_role("button", name=words, exact=True) for words in ("Save", "Undo"))
    note = ada.locator("#notes .good")
    ada.get_by_role("button", name="Delete Heading 1").click()
    expect(ada.get_by_text("Heading deleted.")).to_be_visible()
    name.fill(" ")
    label.focus()
    ada.keyboard.press("Control+s")
    expect(ada.locator("#editor .error")).to_have_text("This field is required.")
    expect(name).to_be_focused()
    name.fill(title)
    for number in (1, 2):
        label.fill(f"Buy {number}")
        label.evaluate("field => field.scrollIntoView({ block: 'center' })")
        top = label.evaluate(TOP)
        if number == 1:
            ada.keyboard.press("Control+s")
        else:
            at = cast("Any", save.bounding_box())
            ada.mouse.click(at["x"] + 9, at["y"] + 9)  # save.click() would scroll
        expect(note).to_have_text(f"“{title}” saved.")
        expect(note).to_be_in_viewport(ratio=1)
        expect(ada.get_by_role("heading", level=1)).to_have_text(title)
        expect(ada).to_have_url(re.compile(r"/templates/[0-9a-f-]{36}(\?view=\w+)?$"))
        assert label.evaluate(TOP) == pytest.approx(top, abs=2)
        expect(label if number == 1 else save).to_be_focused()
        expect(ada.locator("#editor .error, #editor[data-edited]")).to_have_count(0)
        ada.locator("#notes").get_by_role("button", name="Dismiss").click()
    tool = ada.get_by_role("button", name="Duplicate Button 2")
    tool.focus()
    ada.keyboard.press("Control+s")
    expect(note).to_be_visible()
    expect(tool).to_be_focused()  # though the save disabled it for a moment
    ada.locator("#notes").get_by_role("button", name="Dismiss").click()
    undo.click()
    expect(label).to_have_value("Buy 1")
    while undo.is_enabled():
        undo.click()
    expect(ada.locator(".block > legend").first).to_have_text("Heading 1")
    name.fill(title)
    save.click()
    expect(note).to_be_visible()
    ada.goto("/templates")
    ada.get_by_role("link", name=title).click()
    expect(ada.locator(".block > legend").first).to_have_text("Heading 1")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_test_email_is_near_the_button_that_sent_it(ada: Page, claimed: Service, size: Any) -> None:
    in_acme(claimed, lambda org: Account.of(org).filter(is_sandbox=False).delete())
    ada.set_viewport_size(size)
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name", exact=True).fill("Spring")
    ada.get_by_label("Subject").fill("Spring")
    label, send = ada.get_by_label("Label"), ada.get_by_role("button", name="Save and send me a test")
    link = ada.locator("#editor").get_by_role("status").get_by_role("link", name="Open the test inbox")
    label.evaluate("field => field.scrollIntoView({ block: 'center' })")
    top = label.evaluate(TOP)
    for _ in range(2):
        send.evaluate("button => button.focus({ preventScroll: true })")
        ada.keyboard.press("Enter")
        expect(link).to_be_in_viewport(ratio=1)
        expect(ada.locator("#notes")).to_contain_text("Test sent")
        expect(send).to_be_focused()
        assert label.evaluate(TOP) == pytest.approx(top, abs=2)
        ada.keyboard.press("Control+s")
        expect(link).to_have_count(0)
    ada.keyboard.press("Enter")
    expect(link).to_be_visible()
    for _ in range(2 if size == DESK else 4):  # Undo, and on a phone Edit and Preview
        ada.keyboard.press("Tab")
    expect(link).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("heading", level=1)).to_have_text("Test inbox")


def test_the_undo_of_a_deletion_is_a_step_back(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    label, legends = ada.get_by_label("Label"), ada.locator(".block > legend")
    label.fill("Buy")
    ada.get_by_role("button", name="Delete Text 2").click()
    expect(legends).to_have_count(3)
    ada.get_by_role("button", name="Undo deletion").click()
    expect(legends).to_have_count(4)
    ada.keyboard.press("Control+z")
    expect(label).to_have_value("Read more")
    expect(legends).to_have_count(4)
    ada.keyboard.press("Control+y")
    expect(label).to_have_value("Buy")
    ada.keyboard.press("Control+y")
    expect(legends).to_have_text(["Heading 1", "Button 2", "Footer 3"])


def test_what_is_undone_to_the_saved_words_is_left_without_a_question(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    edited, legends = ada.locator("#editor[data-edited]"), ada.locator(".block > legend")
    ada.get_by_label("Name", exact=True).fill("Changed and back")
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.locator("#notes .good")).to_be_visible()
    ada.get_by_label("Label").fill("Buy")
    ada.get_by_role("button", name="Delete Text 2").click()
    expect(legends).to_have_count(3)
    for _ in range(2):
        expect(edited).to_be_attached()
        ada.get_by_role("button", name="Undo", exact=True).click()
        expect(legends).to_have_count(4)
    expect(edited).to_have_count(0)
    ada.get_by_label("Label").press_sequentially("s")
    expect(edited).to_be_attached()
    ada.keyboard.press("Control+z")  # of the browser
    expect(edited).to_have_count(0)


def test_keys_of_the_page_work_in_the_preview(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name", exact=True).fill("Saved from the preview")
    ada.locator("iframe[name=preview]").content_frame.get_by_role("link", name="Read more").focus()
    ada.keyboard.press("Control+k")
    expect(ada.get_by_label("Search everything")).to_be_focused()
    ada.keyboard.press("Escape")
    ada.keyboard.press("Control+s")
    expect(ada.locator("#notes .good")).to_have_text("“Saved from the preview” saved.")


def test_keys_of_the_page_work_while_words_are_edited_in_the_preview(ada: Page) -> None:
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name", exact=True).fill("Edited in the preview")
    heading = ada.locator("iframe[name=preview]").content_frame.get_by_role("heading")
    heading.click()
    ada.keyboard.press("Control+a")
    ada.keyboard.type("Good morning")
    ada.keyboard.press("Control+k")
    expect(ada.get_by_label("Search everything")).to_be_focused()
    ada.keyboard.press("Escape")
    heading.click()
    ada.keyboard.press("End")
    ada.keyboard.type("!")
    ada.keyboard.press("Control+s")
    expect(ada.locator("#notes .good")).to_have_text("“Edited in the preview” saved.")
    ada.reload()
    expect(ada.locator("[name='blocks[0].text']")).to_have_value("Good morning!")
