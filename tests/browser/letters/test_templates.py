"""Writing a template beside its preview, in a real browser (S40: whatever it holds, no script of it runs)."""

from io import BytesIO
from itertools import product

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.test_hostile_content import listen
from tests.support.payloads import SCRIPTS

ROUND = 16  # pixels that the corners take at most


def write(page: Page, body: str, subject: str = "Hello {{ first_name }}") -> None:
    page.goto("/templates/new")
    page.get_by_label("Name").fill("News")
    page.get_by_label("Subject").fill(subject)
    page.get_by_label("Body").fill(body)


def test_the_preview_follows_what_is_typed(ada: Page) -> None:
    write(ada, '<p style="color: rgb(1, 2, 3)">Hello {{ first_name }} of {{ branch }}</p>')
    mail = ada.frame_locator("iframe.mail-frame")
    expect(mail.get_by_text("Hello Ada of [branch]")).to_have_css("color", "rgb(1, 2, 3)")
    expect(ada.locator(".preview-subject")).to_contain_text("Hello Ada")
    expect(ada.locator(".tag.missing")).to_have_text("branch no value")
    steps = ada.evaluate("history.length")
    ada.get_by_label("Body").fill("<p>Goodbye {{ first_name }}</p>")
    expect(mail.get_by_text("Goodbye Ada")).to_be_visible()
    ada.get_by_text("Plain text", exact=True).click()
    expect(mail.locator("pre")).to_have_text("Goodbye Ada")
    ada.get_by_role("group", name="Preview as").get_by_text("Phone").click()
    expect(mail.locator("p")).to_have_text("Goodbye Ada")
    assert (ada.locator("iframe.mail-frame").bounding_box() or {})["width"] < 400
    ada.get_by_label("Body").fill("<p>{{ first_name </p>")
    expect(ada.locator("#f-body-error")).to_have_text(
        "The body has an error at line 1, column 4: unclosed tag; add }}."
    )
    ada.get_by_label("Body").fill("<p>Mended</p>")
    expect(mail.get_by_text("Mended")).to_be_visible()
    expect(ada.locator("#f-body-error")).to_have_count(0)
    assert ada.evaluate("history.length") == steps  # the way back leads to the list, not through what was typed
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.locator("#notes")).to_have_text("“News” saved.")
    expect(mail.get_by_text("Mended")).to_be_visible()


RESPONSIVE = (
    "<style>p { color: rgb(1, 2, 3) } @media (max-width: 699px) { p { color: rgb(4, 5, 6) } }</style><p>Hello</p>"
)


@pytest.mark.parametrize("width", [390, 1440])
def test_the_preview_has_the_width_of_what_it_is_named_after(ada: Page, width: int) -> None:
    ada.set_viewport_size({"width": width, "height": 900})
    write(ada, RESPONSIVE)
    if width == 390:
        ada.get_by_role("link", name="Preview", exact=True).click()
    expect(ada.get_by_label("Phone" if width == 390 else "Desktop", exact=True)).to_be_checked()
    frame, words = ada.locator("iframe.mail-frame"), ada.frame_locator("iframe.mail-frame").get_by_text("Hello")
    for view, color in (("Phone", "rgb(4, 5, 6)"), ("Desktop", "rgb(1, 2, 3)")):
        ada.get_by_role("group", name="Preview as").get_by_text(view).click()
        expect(words).to_have_css("color", color)
        expect(frame).to_be_visible()  # each view is a new one
        box, place = frame.bounding_box(), ada.locator("#preview").bounding_box()
        assert box
        assert place
        assert box["x"] >= place["x"] - 1
        assert box["x"] + box["width"] <= place["x"] + place["width"] + 1
        assert box["y"] + box["height"] <= place["y"] + place["height"] + 1
        assert not ada.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize(
    ("path", "words"), [("/organization/brand", "Spring news"), ("/templates/new?starter=newsletter", "We rebuilt")]
)
def test_the_border_of_a_preview_is_whole(ada: Page, path: str, words: str) -> None:
    ada.set_viewport_size({"width": 1280, "height": 1600})
    ada.goto(path)
    desk = ada.locator(".desk")
    expect(desk.locator("iframe").content_frame.get_by_text(words).first).to_be_visible()
    color = desk.evaluate("(one) => getComputedStyle(one, '::after').borderColor")
    image = Image.open(BytesIO(desk.screenshot())).convert("RGB")
    border = [f"rgb{image.getpixel(place)}" == color for place in product(range(image.width), range(image.height))]
    columns = [sum(border[at : at + image.height]) for at in range(0, len(border), image.height)]
    rows = [sum(border[at :: image.height]) for at in range(image.height)]
    assert min(max(columns[:3]), max(columns[-3:])) > image.height - 2 * ROUND
    assert min(max(rows[:3]), max(rows[-3:])) > image.width - 2 * ROUND


def test_no_script_of_a_template_runs_beside_the_editor(ada: Page) -> None:
    said: list[str] = []
    hostile = ada.context.new_page()  # its console may complain: policies refuse what the templates try
    listen(hostile, said)
    write(hostile, "plain")
    for one in SCRIPTS[::6]:
        with hostile.expect_response("**/templates/preview/mail") as answer:
            hostile.get_by_label("Body").fill(one)
        assert answer.value.status == 200
        hostile.frame_locator("iframe.mail-frame").locator("body").wait_for(state="attached")
    assert said == ["listening"]
    assert hostile.url.endswith("/templates/new")
