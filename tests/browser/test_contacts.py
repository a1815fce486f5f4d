"""Contacts in a real browser: a file of them goes in, is found while typing, ticked, and taken back again."""

import re
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import PHONE, Service, in_acme
from tests.factories import make_contact
from webapp.models import Organization

WORKER_MS = 30_000  # until the worker has gone through the file


def sent_by(request: Request) -> str:
    return request.url + (request.post_data or "")


def test_a_file_is_imported_found_ticked_and_undone(ada: Page, tmp_path: Path) -> None:
    rows = "".join(f"ida{number}@fair.example;Ida{number};Köln\n" for number in range(120))
    file = tmp_path / "fair.csv"
    file.write_bytes(f"E-Mail;Vorname;Stadt\n{rows}nobody;;\n".encode("cp1252"))
    ada.goto("/imports/new")
    ada.get_by_label("File").set_input_files(file)
    ada.get_by_role("button", name="Upload and match columns").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Match columns")
    expect(ada.get_by_label("Import Vorname as")).to_have_value("first_name")
    expect(ada.get_by_text("Köln").first).to_be_visible()
    ada.get_by_label("Import E-Mail as").select_option("phone")
    ada.get_by_role("button", name="Preview import").click()
    expect(ada.get_by_role("alert")).to_contain_text("which column contains the email addresses")
    ada.get_by_label("Import E-Mail as").select_option("email")
    ada.get_by_label("Or a new segment").fill("Fair")
    ada.get_by_role("button", name="Preview import").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Review import", timeout=WORKER_MS)
    ada.get_by_role("button", name="Import 120 contacts").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Imported", timeout=WORKER_MS)
    place = ada.url

    ada.goto("/contacts")
    ada.get_by_label("Search by email").press_sequentially("IDA11", delay=20)
    expect(ada.locator("tbody tr")).to_have_count(11)
    assert ada.url.endswith("/contacts?q=IDA11")
    expect(ada.get_by_role("button", name="Unsubscribe")).to_be_hidden()
    ada.get_by_label("Select all on this page").check()
    selected = ada.get_by_role("group", name="Selected contacts")
    expect(selected).to_contain_text("11 selected")
    ada.get_by_label("Select ida11@fair.example").uncheck()
    expect(selected).to_contain_text("10 selected")
    ada.get_by_label("Select ida11@fair.example").check()
    ada.get_by_role("button", name="Unsubscribe").click()
    ada.get_by_role("dialog").get_by_role("button", name="Unsubscribe 11 contacts").click()
    expect(ada.get_by_role("status").first).to_contain_text("11 contacts unsubscribed")
    assert ada.url.endswith("/contacts?q=IDA11")
    ada.get_by_label("Select ida11@fair.example").check()
    ada.get_by_role("button", name="Delete").click()
    ada.get_by_role("dialog").get_by_role("button", name="Delete 1 contact").click()
    expect(ada.locator("tbody tr")).to_have_count(10)

    ada.goto(place)
    ada.get_by_role("link", name="Undo import").click()
    ada.get_by_role("dialog").get_by_role("button", name="Undo import").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Import undone", timeout=WORKER_MS)
    expect(ada.get_by_text("10 left as is")).to_be_visible()


def test_contacts_are_filtered_and_all_that_match_are_changed(ada: Page, claimed: Service) -> None:
    async def make_sailors(org: Organization) -> None:
        for name, harbour in (("ann", "Oslo"), ("ben", "Oslo"), ("cy", "Bergen")):
            await make_contact(org, f"{name}@filter.example", custom_fields={"Harbour": harbour})

    in_acme(claimed, make_sailors)
    ada.goto("/contacts")
    ada.get_by_role("button", name="More filters").click()
    expect(ada.get_by_role("button", name="More filters")).to_have_count(0)
    expect(ada.get_by_label("Choose a field for the first condition")).to_be_focused()
    ada.get_by_label("Choose a field").select_option(label="Harbour")
    ada.get_by_role("button", name="Add condition").click()
    ada.get_by_label("Value").press_sequentially("oslo", delay=20)
    expect(ada.locator("tbody tr")).to_have_count(2)
    expect(ada).to_have_url(re.compile(r"/contacts\?field-0=custom_fields\.Harbour&op-0=is&value-0=oslo$"))
    ada.reload()
    expect(ada.get_by_label("Value")).to_have_value("oslo")
    with ada.expect_response(re.compile("/contacts/list")):  # the live request; it would take ticks away later
        ada.get_by_label("Add a condition").select_option("email")
    ada.get_by_role("button", name="Add condition").click()
    ada.get_by_role("button", name="Remove condition 2").click()
    expect(ada.get_by_role("button", name="Remove condition 2")).to_have_count(0)
    expect(ada.get_by_role("button", name="Remove condition 1")).to_be_focused()
    expect(ada.locator("tbody tr")).to_have_count(2)
    expect(ada.get_by_role("button", name="Delete")).to_be_hidden()
    ada.get_by_label("Select ann@filter.example").check()
    ada.get_by_label("Select all 2 matching").check()
    expect(ada.get_by_role("group", name="Selected contacts")).to_contain_text("2 selected")
    ada.get_by_role("button", name="Delete").click()
    dialog = ada.get_by_role("dialog")
    dialog.get_by_label("Enter 2 to delete them").fill("1")
    dialog.get_by_role("button", name="Delete 2 contacts").click()
    expect(ada.get_by_text("Enter 2 to delete 2 contacts.")).to_be_visible()
    ada.get_by_label("Enter 2 to delete them").fill("2")
    ada.get_by_role("button", name="Delete 2 contacts").click()
    expect(ada.get_by_role("status").first).to_contain_text("2 contacts deleted")
    expect(ada.get_by_label("Value")).to_have_value("oslo")


def test_a_condition_is_added_although_the_answer_takes_longer_than_a_live_request_waits(
    ada: Page, claimed: Service
) -> None:
    def delay(route: Route) -> None:
        sleep(0.8)  # seconds; a live request leaves 0.4 after the field was chosen
        route.continue_()

    in_acme(claimed, make_contact)
    ada.route(lambda url: "do=add" in url, delay)
    ada.goto("/contacts?do=filter")
    ada.get_by_label("Choose a field").select_option("email")
    ada.get_by_role("button", name="Add condition").click()
    expect(ada.get_by_label("Value")).to_be_visible()
    expect(ada.get_by_label("Add a condition")).to_have_value("")


@pytest.mark.parametrize("start", ["/contacts?do=filter", "/segments/new/dynamic"])
def test_the_next_field_can_be_chosen_while_a_condition_is_being_added(ada: Page, claimed: Service, start: str) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "do=add" in sent_by(route.request):
            held.append(route)
        else:
            route.continue_()

    in_acme(claimed, make_contact)
    ada.goto(start)
    ada.get_by_label("Choose a field").select_option("email")
    ada.route("**", hold)
    ada.get_by_role("button", name="Add condition").click()
    ada.get_by_label("Choose a field").select_option("first_name")
    held[0].continue_()
    expect(ada.get_by_label("Value")).to_be_focused()
    expect(ada.get_by_label("Add a condition")).to_have_value("first_name")


def test_a_condition_stays_when_the_tab_key_leaves_its_value(ada: Page, claimed: Service) -> None:
    in_acme(claimed, lambda org: make_contact(org, "hanna@tab.example"))
    for start in ("/contacts?do=filter", "/segments/new/dynamic"):
        ada.goto(start)
        ada.get_by_label("Choose a field").select_option("email")
        ada.get_by_role("button", name="Add condition").click()
        with ada.expect_request(lambda request: "hanna" in sent_by(request)) as sent:
            ada.get_by_label("Value").press_sequentially("hanna@tab.example")
            ada.keyboard.press("Tab")
        assert "do=" not in sent_by(sent.value)
        expect(ada.get_by_text("hanna@tab.example").last).to_be_visible()
        expect(ada.get_by_label("Value")).to_have_value("hanna@tab.example")
        expect(ada.get_by_role("button", name="Remove condition 1")).to_be_focused()


def test_a_phone_lists_the_columns_that_were_chosen(ada: Page, claimed: Service) -> None:
    async def make_member(org: Organization) -> None:
        await make_contact(org, "member@club.example", phone="+49 30 5550", custom_fields={"club": "Garden"})

    in_acme(claimed, make_member)
    ada.set_viewport_size(PHONE)
    ada.goto("/contacts?q=member%40club.example")
    expect(ada.get_by_text("Garden")).to_be_hidden()
    expect(ada.locator("td.cell-aside:visible")).to_have_count(0)
    ada.goto("/contacts/columns")
    for label in ("Phone", "Added"):
        expect(ada.get_by_label(label, exact=True)).to_be_checked()
    ada.get_by_label("Last active", exact=True).check()
    ada.get_by_label("club", exact=True).check()
    ada.get_by_role("button", name="Save columns").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Contacts")  # once they are saved
    ada.goto("/contacts?q=member%40club.example")
    expect(ada.get_by_text("Garden")).to_be_visible()
    expect(ada.get_by_text("+49 30 5550")).to_be_visible()
    expect(ada.locator("td.cell-aside:visible")).to_have_count(3)  # Phone, Added and club: nothing was opened yet
    assert ada.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("send", ["Enter", "Apply", "Search"])
def test_a_phone_shows_what_matches_once_the_conditions_are_applied(ada: Page, claimed: Service, send: str) -> None:
    in_acme(claimed, lambda org: make_contact(org, f"{send}@port.example"))
    ada.set_viewport_size(PHONE)
    ada.goto("/contacts?do=filter")
    ada.get_by_label("Choose a field").select_option("email")
    ada.get_by_role("button", name="Add condition").click()
    with ada.expect_response(re.compile(f"value-0={send}")):  # the live request, which leaves the page where it is
        ada.get_by_label("Value").fill(f"{send}@port.example")
    matches = ada.get_by_text("1 contact matches")
    expect(matches).to_be_attached()
    expect(matches).not_to_be_in_viewport()
    if send == "Enter":
        ada.get_by_label("Value").press(send)
    else:
        ada.get_by_role("button", name=send, exact=True).click()
    expect(matches).to_be_in_viewport(ratio=1)
