"""Forms in a real browser: what they say while they are sent, and where they lead when something is wrong."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Dialog, FilePayload, Locator, Page, Route, expect

from tests.browser.conftest import PASSWORD, PHONE, Service, give_password, in_acme
from tests.conftest import free_port
from tests.factories import make_campaign, make_contact, make_org, make_segment, make_template, make_topic
from webapp import crypto
from webapp.models import Membership, Organization, User


def fill_account(page: Page, **fields: str) -> None:
    page.goto("/accounts/new")
    for label, text in {"Name": "Relay", "Host": "127.0.0.1", "Port": str(free_port()), **fields}.items():
        page.get_by_label(label, exact=True).fill(text)


def test_the_port_follows_the_encryption_unless_it_is_ones_own(ada: Page) -> None:
    ada.goto("/accounts/new")
    expect(ada.get_by_label("Provider")).to_be_focused()
    port, encryption = ada.get_by_label("Port", exact=True), ada.get_by_label("Encryption")
    for choice, shown in (("SSL/TLS (port 465)", "465"), ("Automatic", "465"), ("STARTTLS", "587")):
        encryption.select_option(choice)
        expect(port).to_have_value(shown)
    port.fill("2525")
    encryption.select_option("SSL/TLS (port 465)")
    expect(port).to_have_value("2525")


def test_a_form_says_what_it_waits_for(ada: Page) -> None:
    fill_account(ada)
    ada.get_by_role("button", name="Save and test login").click()
    busy = ada.get_by_role("button", name="Testing login…")
    expect(busy).to_be_disabled()
    expect(ada.locator("#notes")).to_contain_text("can't send yet")
    fill_account(ada, Port="none")
    ada.get_by_role("button", name="Save and test login").click()
    expect(ada.get_by_label("Port")).to_be_focused()
    expect(ada.get_by_role("button", name="Save and test login")).to_be_enabled()


def test_a_form_that_got_no_answer_can_be_sent_again(ada: Page) -> None:
    fill_account(ada)
    ada.route("**/accounts", lambda route: route.fulfill(status=204))
    with ada.expect_response("**/accounts"):
        ada.get_by_role("button", name="Save and test login").click()
    expect(ada.get_by_role("button", name="Save and test login")).to_be_enabled()


@pytest.mark.parametrize(
    ("place", "faulty", "right", "save", "shown"),
    [
        ("/templates/new", {"Name": "News", "Body": "{{"}, {"Body": "Hello"}, "Save", "Fix the errors in red"),
        ("/contacts/new", {"Email": "mine@nowhere"}, {"Email": "mine@example.org"}, "Save contact", "Email"),
    ],
)
def test_unsaved_changes_are_not_left_without_a_question(
    ada: Page, place: str, faulty: dict[str, str], right: dict[str, str], save: str, shown: str
) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    def fill(fields: dict[str, str]) -> None:
        for label, text in fields.items():
            ada.get_by_label(label, exact=True).fill(text)

    ada.on("dialog", stay)
    segments = ada.get_by_role("link", name="Segments", exact=True)
    ada.goto(place)
    fill(faulty)
    expect(ada.locator("main")).to_contain_text(shown)  # a preview's error, which moves the button under the mouse
    for number in (1, 2):
        segments.click(no_wait_after=True)
        ada.wait_for_timeout(300)
        assert asked == ["beforeunload"] * number
        with ada.expect_response(lambda response: response.status == 422):
            # Playwright may wait for ever for the way to Segments that was left when the dialog was dismissed.
            ada.get_by_role("button", name=save, exact=True).click(no_wait_after=True)
        expect(ada.locator("form [aria-invalid]")).to_be_visible()
        expect(ada.get_by_role("button", name=save, exact=True)).to_be_enabled()
    fill(right)
    ada.get_by_role("button", name=save, exact=True).click(no_wait_after=True)
    expect(ada.locator("#notes .good")).to_be_visible()
    segments.click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Segments")
    assert asked == ["beforeunload"] * 2


def test_no_step_of_a_campaign_is_left_with_unsaved_changes(ada: Page, claimed: Service) -> None:
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    async def make_draft(org: Organization) -> None:
        await make_template(org, name="Letter")
        await make_campaign(org, title="Unsaved news")

    in_acme(claimed, make_draft)
    ada.goto("/campaigns")
    ada.get_by_role("link", name="Unsaved news").click()
    campaign = ada.url
    ada.on("dialog", leave)
    for step, kind, label in (
        ("audience", "textbox", "Title"),
        ("content", "textbox", "Preview text"),
        ("senders", "radio", "Selected accounts"),
        ("schedule", "radio", "Recurring"),
    ):
        ada.goto(f"{campaign}/{step}")
        changed = ada.get_by_role(cast("Any", kind), name=label)
        changed.fill("Changed") if kind == "textbox" else changed.check()
        ada.get_by_role("link", name="Segments", exact=True).click()
        expect(ada.get_by_role("heading", level=1)).to_have_text("Segments")
    assert asked == ["beforeunload"] * 4


def test_a_form_is_not_lost_without_a_connection(ada: Page) -> None:
    phone = ada.context.new_page()  # its console may complain: previews fail
    phone.goto("/templates/new")
    phone.get_by_label("Name", exact=True).fill("Written in a tunnel")
    phone.get_by_label("Body", exact=True).fill("Hello")
    phone.context.set_offline(True)
    save = phone.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(phone.get_by_role("alert")).to_have_text("The server didn't respond. Check your connection and try again.")
    phone.context.set_offline(False)
    save.click()
    expect(phone.locator("#notes .good")).to_have_text("“Written in a tunnel” saved.")


async def add_eve(org: Organization) -> None:
    """A person of Acme with a draft and, in another organization, a stranger."""
    rival = await make_org("Rival")
    for owner, email in ((org, "eve@acme.example"), (rival, "rita@rival.example")):
        user = await User.create(email=email, password_hash=await crypto.hash_password(PASSWORD))
        await Membership.create(org=owner, user=user, role="owner")
    await make_campaign(org, title="Kept draft", segment=await make_segment(org, name="Kept readers"))


@pytest.fixture(scope="module")
def with_eve(claimed: Service) -> Service:
    in_acme(claimed, add_eve)
    return claimed


@pytest.mark.parametrize(
    ("place", "label", "words"),
    [
        ("/contacts/new", "Email", "Save contact"),
        ("/organization/brand", "Postal address (optional)", "Save"),
        ("/templates/new?kind=text", "Name", "Save"),
        ("audience", "Title", "Save and exit"),
        ("/forms/new", "Name", "Create form"),
        ("/imports/new", "File", "Upload and match columns"),
        ("/security", "First name (optional)", "Save name"),
    ],
)
def test_a_form_outlives_its_session_for_the_same_person_alone(
    browser: Browser, with_eve: Service, place: str, label: str, words: str
) -> None:
    context = browser.new_context(base_url=with_eve.base_url)
    form, other = context.new_page(), context.new_page()  # their consoles may complain: requests are refused
    give_password(other, "eve@acme.example")
    expect(other.get_by_role("heading", level=1)).to_have_text("Dashboard")
    if place == "audience":
        form.goto("/campaigns")
        form.get_by_role("link", name="Kept draft").click()
        place = f"{form.url}/{place}"
    form.goto(place)
    typed, save = form.get_by_label(label, exact=True), form.get_by_role("button", name=words, exact=True)
    note, shown = form.locator("#notes [role=alert]"), form.locator("body")
    text = "typed@example.org" if label == "Email" else "Typed words"
    file = FilePayload(name=f"{text}.csv", mimeType="text/csv", buffer=b"email\nann@example.org\n")
    typed.set_input_files(file) if label == "File" else typed.fill(text)
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Sign in")
    for _ in range(2):  # still signed out at the second time
        save.click()
        expect(note).to_have_text("Your session ended. Sign in in a new tab, then save again.")
        expect(save).to_be_enabled()
    give_password(other, "rita@rival.example")
    expect(other.get_by_role("heading", level=1)).to_have_text("Dashboard")
    save.click()
    expect(note).to_contain_text("Something went wrong (403)")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Sign in")
    save.click()
    with context.expect_page() as opened:
        note.get_by_role("link", name="Sign in in a new tab").click()
    give_password(opened.value, "eve@acme.example")
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Dashboard")
    expect(typed).to_have_value(re.compile(text))
    save.click()
    expect(shown).to_contain_text(text)
    context.close()


def test_a_file_that_is_too_large_leaves_the_form_in_place(ada: Page, tmp_path: Path) -> None:
    page, file = ada.context.new_page(), tmp_path / "large.csv"  # its console may complain: the file is refused
    with file.open("wb") as sparse:
        sparse.truncate(60 * 1024 * 1024)
    page.goto("/imports/new")
    page.get_by_label("File").set_input_files(file)
    upload = page.get_by_role("button", name="Upload and match columns")
    upload.click()
    expect(page.get_by_role("alert")).to_have_text("This is too large to send. Choose a smaller file, or split it.")
    expect(upload).to_be_enabled()


def test_a_refused_form_does_not_say_that_it_was_saved(ada: Page) -> None:
    ada.goto("/organization")
    save, note = ada.get_by_role("button", name="Save", exact=True), ada.locator("#notes .good")
    save.click()
    expect(note).to_have_text("Settings saved.")
    ada.get_by_label("Name", exact=True).fill(" ")
    save.click()
    expect(ada.get_by_label("Name", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(note).to_be_hidden()


def test_the_head_of_a_phone_covers_no_field_that_a_browser_complains_about(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    ada.goto("/webhooks/new")
    ada.get_by_role("button", name="Create webhook").click()
    url = ada.get_by_label("URL", exact=True)
    expect(url).to_be_focused()
    bottom = ada.locator(".top").evaluate("head => head.getBoundingClientRect().bottom")
    ada.wait_for_function("top => document.activeElement.getBoundingClientRect().top > top", arg=bottom)


def test_a_preview_that_comes_as_a_form_is_saved_does_not_stop_it(ada: Page) -> None:
    ada.goto("/templates/new")
    for label, text in {"Name": "News", "Body": "Hello"}.items():
        ada.get_by_label(label, exact=True).fill(text)
    shown = ada.locator("iframe[name=preview]").content_frame
    expect(shown.get_by_text("Hello")).to_be_visible()
    came = "htmx.trigger('#preview', 'htmx:afterSwap', {target: document.getElementById('preview')})"
    ada.get_by_role("button", name="Save", exact=True).evaluate(f"save => {{ save.click(); {came} }}")
    expect(ada.locator("#notes .good")).to_be_visible()


def test_what_fails_without_an_answer_is_said(ada: Page) -> None:
    other = ada.context.new_page()  # its console may complain: the answers fail
    other.goto("/accounts/new")
    other.route("**/accounts/new?*", lambda route: route.abort())
    other.get_by_label("Provider").select_option("Fastmail")
    expect(other.get_by_role("alert")).to_have_text("The server didn't respond. Check your connection and try again.")
    other.unroute("**/accounts/new?*")
    other.route("**/accounts/new?*", lambda route: route.fulfill(status=503))
    other.get_by_label("Provider").select_option("Mailgun")
    expect(other.get_by_role("alert")).to_have_text(
        "Something went wrong (503). Try again. If it keeps failing, save your changes and reload the page."
    )
    other.unroute("**/accounts/new?*")
    other.route("**/accounts/new?*", lambda route: route.fulfill(status=404))
    other.get_by_label("Provider").select_option("Fastmail")
    expect(other.get_by_role("alert")).to_have_text("This was deleted. Reload the page.")


def test_what_is_typed_while_an_answer_is_on_its_way_stays(ada: Page, claimed: Service) -> None:
    async def make_audience(org: Organization) -> None:
        await make_segment(org, name="Slow network")
        await make_topic(org, name="Slow news")

    def change(act: Callable[[], object], field: Locator, type_into: Callable[[], object], answer: str) -> None:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        ada.route(lambda url: answer in url, hold)
        with ada.expect_request(lambda request: answer in request.url):
            act()
        type_into()
        old = field.element_handle()
        held[0].continue_()
        old.wait_for_element_state("hidden")  # it is replaced
        ada.unroute_all()

    in_acme(claimed, make_audience)
    ada.goto("/campaigns/new")
    topic = ada.get_by_label("Topic")
    segment = ada.get_by_label("Segment", exact=True)
    label = segment.get_by_text("Slow network").first.inner_text()
    change(lambda: segment.select_option(label), topic, lambda: topic.select_option("Slow news"), "segment_id=")
    expect(topic.locator("option:checked")).to_contain_text("Slow news")
    ada.goto("/segments/new/dynamic")
    ada.get_by_label("Choose a field").select_option("email")
    name, add = ada.get_by_label("Name"), ada.get_by_role("button", name="Add condition")
    change(add.click, name, lambda: name.fill("Slow"), "/segments/new/dynamic")
    expect(name).to_have_value("Slow")
    ada.goto("/templates/new?starter=newsletter")
    text, copy = ada.get_by_label("Text", exact=True), ada.get_by_role("button", name="Duplicate Heading 1", exact=True)
    change(copy.click, text.nth(1), lambda: text.nth(1).fill("Typed slowly"), "/templates/blocks")
    expect(text.nth(2)).to_have_value("Typed slowly")


def test_menus_close_where_nobody_uses_them(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    menu = ada.locator(".top details.menu")
    outside = {"x": 250, "y": 6}  # beside the brand
    for leave in (lambda: ada.keyboard.press("Escape"), lambda: ada.locator(".top").click(position=outside)):
        menu.locator("> summary").click()
        expect(menu).to_have_attribute("open", "")
        menu.locator(".menu-sheet").click(position={"x": 4, "y": 4})
        expect(menu).to_have_attribute("open", "")
        leave()
        expect(menu).not_to_have_attribute("open", "")


def begin_schedule(page: Page) -> None:
    page.goto("/campaigns")
    page.get_by_role("link", name="Half typed").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Half typed")
    page.goto(f"{page.url}/schedule")
    page.get_by_role("radio", name="Schedule").first.check()
    page.get_by_label("Date and time").press_sequentially("12")
    page.get_by_role("radio", name="Send now").check()


def begin_segment(page: Page) -> None:
    page.goto("/segments/new/dynamic")
    page.get_by_label("Name", exact=True).fill(f"Half typed {uuid4()}")
    page.get_by_label("Choose a field for the first condition").select_option(label="Date added")
    page.get_by_role("button", name="Add condition").click()
    begin_condition(page)


def begin_filter(page: Page) -> None:
    page.goto("/contacts?do=filter")
    page.get_by_label("Choose a field for the first condition").select_option(label="Date added")
    page.get_by_role("button", name="Add condition").click()
    begin_condition(page)


def begin_condition(page: Page) -> None:
    page.get_by_label("Operator").select_option(label="is before")
    page.get_by_label("Date", exact=True).press_sequentially("10")
    page.get_by_label("Operator").select_option(label="is this month")


@pytest.mark.parametrize(
    ("begin", "press", "shown"),
    [
        (begin_schedule, "Save", "Pre-send checks"),
        (begin_schedule, "Control+s", "Pre-send checks"),
        (begin_segment, "Create segment", "Date added is this month"),
        (begin_segment, "Control+s", "Date added is this month"),
        (begin_filter, "Apply", "@example.org"),
    ],
)
def test_a_hidden_half_typed_date_does_not_block_buttons(
    ada: Page, claimed: Service, begin: Callable[[Page], None], press: str, shown: str
) -> None:
    async def work(org: Organization) -> None:
        await make_campaign(org, title="Half typed")
        await make_contact(org)

    in_acme(claimed, work)
    begin(ada)
    place = ada.url
    if press == "Control+s":
        ada.keyboard.press(press)
    else:
        ada.get_by_role("button", name=press, exact=True).click()
    expect(ada).not_to_have_url(place)
    expect(ada.locator("main")).to_contain_text(shown)


def test_an_invalid_field_that_is_folded_away_comes_into_view(ada: Page) -> None:
    ada.goto("/forms/new")
    ada.get_by_label("Name", exact=True).fill("Folded away")
    site, field = ada.get_by_text("Your site and language"), ada.get_by_label("Your page after the form")
    site.click()
    field.fill("foo")
    site.click()
    expect(field).to_be_hidden()
    ada.get_by_role("button", name="Create form").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("foo")


def test_an_invalid_field_comes_into_view_from_the_preview_of_a_phone(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    ada.goto("/templates/new?kind=blocks")
    ada.get_by_label("Name", exact=True).fill("Too high")
    ada.get_by_role("button", name="Space", exact=True).last.click()
    height = ada.get_by_label("Height in pixels")
    height.fill("999")
    ada.get_by_role("link", name="Preview", exact=True).click()
    expect(height).to_be_hidden()
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(height).to_be_focused()
    expect(height).to_have_value("999")


@pytest.mark.parametrize("path", ["/segments/new/dynamic", "/contacts?do=filter"])
def test_a_condition_whose_date_is_half_typed_is_removed(ada: Page, claimed: Service, path: str) -> None:
    in_acme(claimed, make_contact)
    ada.goto(path)
    add = ada.get_by_role("button", name="Add condition")
    for number, label in enumerate(("Choose a field for the first condition", "Add a condition")):
        ada.get_by_label(label).select_option(label="Date added")
        add.click()
        expect(ada.locator(".condition")).to_have_count(number + 1)
    ada.get_by_label("Date", exact=True).last.press_sequentially("10")
    ada.get_by_role("button", name="Remove condition 2").click()
    expect(ada.locator(".condition")).to_have_count(1)
