"""Filling a segment in a real browser: by address, from the contacts, and from a Google Sheet that it follows."""

import re
from functools import partial

from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import Service, in_acme
from tests.factories import make_contact
from tests.fakes.google_server import GoogleServer
from webapp.models import Organization


def make_segment(page: Page, name: str) -> None:
    page.goto("/segments/new")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create segment").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_members_are_added_searched_and_taken_out(ada: Page, claimed: Service) -> None:
    for email in ("rosa@example.org", "sam@example.org"):
        in_acme(claimed, partial(make_contact, email=email))
    make_segment(ada, "Critics")
    ada.get_by_role("link", name="Add contacts").first.click()
    ada.get_by_label("Search your contacts").press_sequentially("ROSA@")
    expect(ada.locator("#found label")).to_have_count(1)  # by itself, as one types
    expect(ada).to_have_url(re.compile("q=ROSA"))
    ada.get_by_label("rosa@example.org").check()
    ada.get_by_role("button", name="Add selected").click()
    expect(ada.get_by_text("1 contact added to “Critics”.")).to_be_visible()
    ada.get_by_role("button", name="Remove rosa@example.org").click()
    expect(ada.get_by_text("No members yet")).to_be_visible()
    expect(ada.locator("#contact-count")).to_have_text("0")


def test_a_dynamic_segment_counts_as_its_conditions_are_typed(ada: Page, claimed: Service) -> None:
    async def make_people(org: Organization) -> None:
        for name, city in (("kim", "Berlin"), ("lee", "Bonn")):
            await make_contact(org, f"{name}@dynamic.example", custom_fields={"City": city})

    in_acme(claimed, make_people)
    ada.goto("/segments/new")
    ada.get_by_role("link", name="Create a dynamic segment").click()
    ada.get_by_label("Name", exact=True).fill("Berliners")
    ada.get_by_label("Choose a field for the first condition").select_option(label="City")
    ada.get_by_role("button", name="Add condition").click()
    ada.get_by_label("Value").press_sequentially("berlin")
    expect(ada.locator("#matches")).to_contain_text("1 contact matches now")  # by itself, as one types
    expect(ada.locator("#matches")).to_contain_text("kim@dynamic.example")
    ada.get_by_label("Operator").select_option(label="is not")
    expect(ada.locator("#matches")).not_to_contain_text("kim@dynamic.example")
    ada.get_by_label("Operator").select_option(label="is")
    expect(ada.locator("#matches")).to_contain_text("kim@dynamic.example")
    for width in (390, 1440):
        ada.set_viewport_size({"width": width, "height": 900})
        assert ada.evaluate("document.documentElement.scrollWidth") <= width
    ada.get_by_role("button", name="Create segment").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Berliners")
    expect(ada.locator("#contact-count")).to_have_text("1")
    expect(ada.get_by_text("City is “berlin”")).to_be_visible()


def test_a_condition_shows_the_whole_name_of_its_field(ada: Page) -> None:
    ada.goto("/segments/new/dynamic")
    ada.get_by_label("Choose a field for the first condition").select_option(label="Date unsubscribed")
    ada.get_by_role("button", name="Add condition").click()
    name = ada.locator(".condition b")
    for width in (390, 1440):
        ada.set_viewport_size({"width": width, "height": 900})
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth")


def test_a_condition_counts_although_it_is_typed_as_soon_as_it_appears(ada: Page) -> None:
    ada.goto("/segments/new/dynamic")
    ada.get_by_label("Choose a field for the first condition").select_option(label="Email address")
    ada.evaluate("""new MutationObserver((_, observer) => {
        const field = document.querySelector("#f-value-0");
        if (!field) return;
        observer.disconnect();
        field.value = "@nowhere.example";
        field.dispatchEvent(new Event("input", {bubbles: true}));
    }).observe(document.body, {subtree: true, childList: true})""")
    ada.get_by_role("button", name="Add condition").click()
    expect(ada.locator("#matches")).to_contain_text("contacts match now")


def test_a_sheet_is_followed_and_its_rows_appear_by_themselves(ada: Page, google: GoogleServer) -> None:
    rows = [["Email", "First name"], ["una@example.org", "Una"], ["vic@", "Vic"]]
    sheet = google.sheets.add("Our readers", {"People": rows}, google.person)
    ada.goto("/accounts/google")
    ada.get_by_role("link", name="Continue to Google").click()
    ada.get_by_role("link", name="Allow").click()
    make_segment(ada, "From a sheet")
    ada.get_by_role("link", name="Sync a Google Sheet").click()
    ada.get_by_label("Google Sheet link").fill(sheet.link)
    ada.get_by_role("button", name="Start syncing").click()
    ada.get_by_role("link", name="Grant access").click()
    ada.get_by_role("link", name="Continue to Google").click()
    ada.get_by_role("link", name="Allow").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Sync a Google Sheet")
    ada.get_by_label("Google Sheet link").fill(sheet.link)
    ada.get_by_role("button", name="Start syncing").click()
    expect(ada.locator("#sheet")).to_contain_text(re.compile("2 rows: 1 new, 0 updated, 1 skipped"), timeout=90_000)
    ada.get_by_text("Skipped rows").click()
    expect(ada.get_by_text("Row 3: invalid email")).to_be_visible()
    ada.reload()
    expect(ada.get_by_role("link", name="Una", exact=True)).to_be_visible()


def test_unsaved_conditions_are_not_left_without_a_question(ada: Page) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    ada.on("dialog", stay)
    ada.goto("/segments/new/dynamic")
    ada.get_by_label("Choose a field").select_option("email")
    ada.get_by_role("button", name="Add condition").click()
    expect(ada.get_by_label("Value").first).to_be_visible()
    ada.get_by_role("link", name="Templates", exact=True).click(no_wait_after=True)
    ada.wait_for_timeout(300)
    assert asked == ["beforeunload"]


def test_back_brings_the_whole_page_of_a_search(ada: Page) -> None:
    make_segment(ada, "Northern readers")
    ada.goto("/segments")
    ada.get_by_label("Search").press_sequentially("north")
    expect(ada).to_have_url(re.compile(r"\?q=north"))
    ada.evaluate("location.hash = 'content'")
    ada.evaluate("document.body.addEventListener('htmx:historyRestore', () => document.body.classList.add('restored'))")
    ada.go_back()
    expect(ada.locator("body.restored")).to_have_count(1)
    expect(ada).to_have_url(re.compile(r"\?q=north$"))
    expect(ada.get_by_role("navigation", name="Main").first).to_be_visible()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Segments")
    expect(ada.get_by_label("Search")).to_have_value("north")
    ada.get_by_label("Search").press_sequentially("west")
    expect(ada.get_by_text("Northern readers")).to_have_count(0)


def test_an_error_at_a_condition_goes_once_the_condition_matches(ada: Page) -> None:
    ada.goto("/segments/new/dynamic?name=Everyone&field-0=email&op-0=contains")
    ada.get_by_role("button", name="Create segment").click()
    value, error = ada.get_by_label("Value"), ada.locator(".condition .error")
    expect(error).to_be_visible()
    expect(value).to_have_attribute("aria-invalid", "true")
    value.press_sequentially("@nowhere.example")
    expect(ada.locator("#matches")).to_contain_text("contacts match now")
    expect(error).to_have_count(0)
    expect(value).not_to_have_attribute("aria-invalid", "true")
