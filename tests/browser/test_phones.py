"""Lists and an email on the screen of a phone: nothing is cut off, and no address is broken where it has room."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, with_and_without_javascript
from tests.tools.showcase.instance import Instance

LISTS = (
    "/contacts", "/emails", "/mail-logs", "/campaigns", "/imports", "/api-keys", "/team", "/audit", "/templates", "/segments",
    "/forms", "/suppressions", "/media",
)  # fmt: skip
SORTED = ("/accounts", "/campaigns", "/contacts", "/segments", "/team", "/templates")
OPENED = (
    "/emails/<uuid:email_id>", "/segments/<uuid:segment_id>", "/accounts/<uuid:account_id>/from-check",
    "/campaigns/<uuid:campaign_id>/report/opens", "/webhooks/<uuid:webhook_id>/delete",
)  # fmt: skip
LOGS = {"/emails": "Recipient", "/mail-logs": "Recipient", "/requests": "Path starts with", "/audit": "User or key"}
NARROW: Any = {"width": 320, "height": 640}
THUMB = 43  # pixels
SHORT = 30  # letters: an address of so many fits beside a tick, on a line of its own
# How many lines each of the short addresses takes that a list shows.
LINES = f"""[...document.querySelectorAll('main td :not(:has(:not(wbr)), wbr, .sr)')]
    .filter((one) => one.textContent.includes('@') && one.textContent.length <= {SHORT} && one.checkVisibility())
    .map((one) => Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)))"""
WIDER = """[document.documentElement, ...document.querySelectorAll('.table-card')]
    .some((one) => one.scrollWidth > one.clientWidth)"""


def test_lists_fit_a_phone(visit: Callable[..., Page], shown: Instance) -> None:
    page, seen = visit("full", viewport=PHONE), list[int]()
    for path in (*LISTS, *(stop.path for stop in shown.stops if stop.route in OPENED)):
        page.goto(path)
        assert not page.evaluate(WIDER), path
        lines = page.evaluate(LINES)
        assert set(lines) <= {1}, path
        seen += lines
    assert len(seen) > 50


def test_templates_and_the_brand_fit_a_narrow_phone(visit: Callable[..., Page], shown: Instance) -> None:
    page = visit("full", viewport=NARROW)
    template = next(stop.path for stop in shown.stops if stop.route == "/templates/<uuid:template_id>")
    for path in (template, "/organization/brand"):
        page.goto(path)
        assert not page.evaluate(WIDER), path
    example = page.locator("iframe[name=sample]")
    assert example.evaluate("frame => frame.getBoundingClientRect().width / frame.offsetWidth") == 1  # can be read


def test_a_long_form_is_saved_without_scrolling(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE)
    for path, name in (
        ("/contacts/new", "Save contact"),
        ("/forms/new", "Create form"),
        ("/organization/brand", "Save"),
    ):
        page.goto(path)
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)


def test_the_first_column_of_a_table_of_the_help_heads_the_others(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE)
    page.goto("/help/mailchimp")
    expect(page.get_by_text("sign-up forms, landing pages", exact=True)).to_have_css("font-weight", "600")


def test_boxes_keep_a_thumb_apart(visit: Callable[..., Page], shown: Instance) -> None:
    page = visit("full", viewport=PHONE)
    pace = next(stop.path for stop in shown.stops if stop.route == "/accounts/<uuid:account_id>/pace")
    for path, boxes in (("/webhooks/new", ".kinds input"), (pace, ".days input")):
        page.goto(path)
        tops = sorted({round(box["y"]) for row in page.locator(boxes).all() if (box := row.bounding_box())})
        assert len(tops) > 3
        assert min(below - above for above, below in pairwise(tops)) >= THUMB, path


def test_the_search_and_the_order_of_a_list_are_at_hand(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE)
    for path, label in LOGS.items():
        page.goto(path)
        expect(page.get_by_label(label)).to_be_visible()
        expect(page.get_by_label("Start date")).to_be_hidden()
        page.get_by_text("More filters").click()
        assert not page.evaluate(WIDER), path
        page.get_by_label("Start date").fill("2026-05-01")
        page.get_by_role("button", name="Apply").click()
        expect(page).to_have_url(re.compile("2026-05-01"))
        assert not page.evaluate(WIDER), path
    for path in SORTED:
        page.goto(path)
        heads = page.locator("th .sort, .sorts .sort")
        for number in range(heads.count()):
            expect(heads.nth(number)).to_be_visible()
        heads.last.click()
        expect(page.locator("th[aria-sort] .here, .sorts .here")).to_be_visible()
        assert "sort=" in page.url
    page.goto("/contacts?page_size=25&page=3")
    for word in ("First page", "Previous", "Next", "Last page", "50"):
        expect(page.get_by_role("link", name=word, exact=True)).to_be_visible()
    assert not page.evaluate(WIDER)


def test_a_whole_card_opens_what_it_shows_apart_from_its_buttons_and_box(visit: Callable[..., Page]) -> None:
    page = visit("full", viewport=PHONE)
    for path in ("/mail-logs", "/contacts", "/campaigns"):
        page.goto(path)
        card = page.locator("tbody tr").first
        target = str(card.locator(".row-link").get_attribute("href"))
        card.locator(".badge").click(force=True)  # it has the link above it
        expect(page).to_have_url(re.compile(f"{target}$"))
    page.goto("/contacts")
    page.locator("tbody [type=checkbox]").first.check()
    page.goto("/accounts")
    page.get_by_role("link", name="test inbox").click()
    expect(page).to_have_url(re.compile("/sandbox$"))
    page.goto("/accounts")
    page.get_by_role("button", name="Pause").first.click(trial=True)


@with_and_without_javascript
@pytest.mark.parametrize("kind", ["blocks", "html", "text"])
def test_a_preview_begins_with_the_email(visit: Callable[..., Page], kind: str, javascript: str) -> None:
    page = visit("full", viewport=PHONE, java_script_enabled=javascript == "on")
    page.goto(f"/templates/new?kind={kind}")
    page.get_by_label("Subject", exact=True).fill("News of the harbor, and what it means for {{ branch }} " * 3)
    if kind != "blocks":
        page.get_by_label("Body", exact=True).fill("Hello {{ branch }}")
    page.get_by_role("link", name="Preview", exact=True).click()
    if javascript == "off":
        page.get_by_role("button", name="Update preview").click()
    email, preview = page.locator("iframe[name=preview]"), page.locator("#previewed")
    expect(email.content_frame.get_by_text("Read more" if kind == "blocks" else "Hello [branch]")).to_be_visible()
    tops = [part.evaluate("part => part.getBoundingClientRect().top") for part in (preview, email)]
    assert tops[1] - tops[0] < 260  # pixels
    contact = page.get_by_label("Preview as contact")
    expect(contact).to_be_hidden()
    page.get_by_text("Preview options", exact=True).click()
    expect(contact).to_be_visible()
    if javascript == "on":
        expect(page.locator(".preview-notes .missing")).to_have_text("branch no value")
        contact.fill("nobody@example.org")
        expect(page.get_by_text("no contact has this email address", exact=False)).to_be_visible()
        expect(email).to_be_visible()  # the last one without a fault
    assert not page.evaluate(WIDER)
