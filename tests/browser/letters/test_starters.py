"""From the gallery of starters to a saved template, in a real browser."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import Auditor
from tests.domain.templates.test_starters import filled
from webapp.domain.templates.starters import STARTERS

FIRST_VISIT = 200_000  # bytes as they are sent: static files are compressed
# A letter is an article on the page of a mail program, which has these.
OF_PAGES = ("landmark-one-main:", "page-has-heading-one:", "region:")
# A phone's width: 375 pixels. Nothing of a letter may be wider, nor stand beside something else in two columns.
WIDER = "document.documentElement.scrollWidth > innerWidth"


def choose(page: Page, name: str) -> None:
    page.goto("/templates")
    page.get_by_role("link", name="Create template").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Create template")
    page.get_by_role("link", name=name).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)


def test_a_letter_is_looked_at_in_dark_mode(ada: Page) -> None:
    choose(ada, "Digest")
    mail = ada.frame_locator("iframe.mail-frame")
    ground = "(body) => getComputedStyle(body).backgroundColor"
    expect(mail.get_by_role("heading", name="Your week in five minutes")).to_be_visible()
    ada.emulate_media(color_scheme="dark")  # the browser's, which is not the recipient's
    assert mail.locator("body").evaluate(ground) == "rgb(255, 255, 255)"
    ada.get_by_text("Preview options").click()
    ada.get_by_label("Dark mode").check()
    expect(mail.locator("body")).to_have_css("background-color", re.compile(r"rgb\(3\d, 3\d, \d\d\)"))
    ada.get_by_label("Dark mode").uncheck()
    expect(mail.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_gallery_is_light_and_fits_every_screen(ada: Page) -> None:
    sizes: list[int] = []
    ada.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    ada.goto("/templates/starters")
    expect(ada.frame_locator("iframe >> nth=0").get_by_text("Hi Ada,")).to_be_visible()
    ada.wait_for_load_state("networkidle")
    assert sum(sizes) < FIRST_VISIT
    for width in (340, 375, 600, 800, 1024, 1280):
        ada.set_viewport_size({"width": width, "height": 740})
        assert not ada.evaluate(WIDER), width


def test_every_starter_fits_a_phone(ada: Page) -> None:
    ada.goto("/templates/starters")
    paths = [frame.get_attribute("src") or "" for frame in ada.locator("iframe").all()]
    assert len(paths) == 8
    ada.set_viewport_size({"width": 375, "height": 740})
    for path in paths:
        ada.goto(path)
        assert not ada.evaluate(WIDER), path
        lefts = {round(box["x"]) for one in ada.locator("h3").all() if (box := one.bounding_box())}
        assert len(lefts) <= 1, path


def test_every_starter_is_accessible_in_light_and_dark(browser: Browser) -> None:
    context = browser.new_context()
    auditor, page = Auditor(context), context.new_page()
    for starter in STARTERS:
        page.set_content(filled(starter, first_name="Ada", **starter.values))
        found = [one for one in auditor.violations(page) if not one.startswith(OF_PAGES)]
        assert found == [], starter.key
        shown = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert shown.startswith("rgb(3"), (starter.key, shown)  # it was looked at in dark mode last
    context.close()
