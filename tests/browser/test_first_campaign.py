"""The clicks from an empty instance or organization to the first campaign, and to a second send."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import (
    PASSWORD,
    Service,
    found_company,
    give_password,
    in_database,
    with_and_without_javascript,
)
from tests.browser.test_campaign_tasks import SECONDS, post_office
from tests.factories import make_account, make_campaign, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.pages.campaigns.test_people import make_sent
from tests.tools.showcase.instance import unclaimed

__all__ = ["post_office"]
NORA = "nora@new.example"
MOST_CLICKS = 13
MOST_CLICKS_FROM_CLAIM, MOST_CLICKS_TO_SEND_AGAIN = 20, 6
PEOPLE = b"email,first name,City\nann@example.org,Ann,Rome\nbob@example.org,Bob,Oslo\nbob@example.org,Bob,Oslo\n"


class Visitor:
    """A person with a browser, whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def press(self, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def follow(self, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("link", name=name, exact=True).first.click()


def test_a_first_campaign_takes_thirteen_clicks(page: Page, claimed: Service, post_office: SmtpServer) -> None:
    in_database(claimed, lambda: found_company(NORA))
    give_password(page, NORA)
    visitor = Visitor(page)

    visitor.follow("Add account")
    page.get_by_label("Name", exact=True).fill("Post office")
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(post_office.port))
    page.get_by_label("From address").fill("letters@new.example")
    visitor.press("Save and test login")
    expect(page.locator("#notes")).to_contain_text("Login successful")

    visitor.follow("Import contacts")
    import_people(visitor)

    visitor.follow("Create campaign")
    page.get_by_label("Title").fill("Hello")
    expect(page.get_by_label("Segment").locator("option:checked")).to_have_text("All contacts")
    visitor.press("Next: Content")
    visitor.follow("Create template")
    page.get_by_label("Name").fill("Hello")
    page.get_by_label("Subject").fill("Hello {{ first_name }}")
    page.get_by_role("group", name="Text 2", exact=True).get_by_label("Text").fill("Greetings to {{ city }}.")
    visitor.press("Save")
    visitor.follow("Send to 2 contacts")
    post_office.delay("RCPT", 2.0)  # the page is there before the end
    visitor.press("Send now")

    note = page.get_by_text("Sending “Hello” to 2 contacts.")
    expect(note).to_be_visible()
    expect(page.locator(".strip .sent b").first).to_have_text("2", timeout=SECONDS)
    assert sorted(post_office.recipients()) == ["ann@example.org", "bob@example.org"]
    assert visitor.clicks == MOST_CLICKS
    expect(note).to_be_hidden(timeout=SECONDS)  # though the page has stopped refreshing itself


@pytest.mark.parametrize("has_javascript", [True, False])
def test_from_the_claim_to_a_newsletter_in_the_sandbox(
    browser: Browser, tmp_path: Path, *, has_javascript: bool
) -> None:
    with unclaimed(tmp_path) as instance:
        context = browser.new_context(base_url=instance.base_url, java_script_enabled=has_javascript)
        page = context.new_page()
        visitor = Visitor(page)
        page.goto(instance.stops[0].path)
        page.get_by_label("Organization").fill("New Company")
        page.get_by_label("Email").fill(NORA)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        visitor.press("Set up and sign in")

        visitor.follow("Contacts")
        visitor.follow("Import contacts")
        import_people(visitor)

        visitor.follow("Create campaign")
        page.get_by_label("Title").fill("Hello")
        visitor.press("Next: Content")
        visitor.follow("Plain letter")
        page.get_by_label("Name", exact=True).fill("Hello")
        visitor.press("Save")
        expect(page.locator("main")).to_contain_text("This goes to the sandbox only; nobody receives it")
        visitor.follow("Send to 2 contacts")
        visitor.press("Send now")
        assert visitor.clicks <= MOST_CLICKS_FROM_CLAIM
        expect(page.get_by_role("heading", level=1)).to_have_text("Hello")
        for _ in range(60):
            page.goto("/sandbox")
            if page.get_by_text("ann@example.org").count():
                break
            page.wait_for_timeout(500)
        expect(page.locator("#received")).to_contain_text("ann@example.org")
        context.close()


def import_people(visitor: Visitor, segment: str = "") -> None:
    visitor.clicks += 1  # the file is chosen
    file = {"name": "people.csv", "mimeType": "text/csv", "buffer": PEOPLE}
    visitor.page.get_by_label("File").set_input_files(file)
    visitor.press("Upload and match columns")
    if segment:
        visitor.page.get_by_label("Or a new segment").fill(segment)
    visitor.press("Preview import")
    visitor.press("Import 2 contacts")


@with_and_without_javascript
def test_from_who_opened_to_a_second_send_takes_six_clicks(page: Page, claimed: Service, *, javascript: str) -> None:
    email = f"{javascript}@second.example"

    async def prepare() -> None:
        org = await found_company(email)
        await make_account(org)
        await make_sent(org, segment=await make_segment(org), template=await make_template(org))

    in_database(claimed, prepare)
    give_password(page, email)
    page.goto("/campaigns")
    page.get_by_role("link", name="News", exact=True).click()
    page.goto(f"{page.url}/report/opens")
    visitor = Visitor(page)
    visitor.follow("Report")
    visitor.press("Send to those who didn't open")
    visitor.follow("Change its subject")
    expect(page.get_by_label("Subject")).to_be_focused()
    page.get_by_label("Subject").fill("Once more")
    visitor.press("Next: Review")
    visitor.follow("Send to 6 contacts")
    visitor.press("Send now")
    assert visitor.clicks <= MOST_CLICKS_TO_SEND_AGAIN
    expect(page.locator("#notes")).to_contain_text("to 6 contacts.")


@with_and_without_javascript
def test_duplicating_twice_makes_two_drafts(page: Page, claimed: Service, *, javascript: str) -> None:
    email = f"{javascript}@twice.example"

    async def prepare() -> None:
        await make_campaign(await found_company(email), title="News")

    in_database(claimed, prepare)
    give_password(page, email)
    for _ in range(2):
        page.goto("/campaigns")
        page.get_by_role("link", name="News", exact=True).click()
        page.get_by_role("button", name="Duplicate").click()
        expect(page.locator("#notes")).to_contain_text("created as a draft")
    page.goto("/campaigns")
    expect(page.locator("#campaigns tbody tr")).to_have_count(3)


@with_and_without_javascript
def test_importing_again_after_an_undo_leaves_one_segment(page: Page, claimed: Service, *, javascript: str) -> None:
    email, visitor = f"{javascript}@again.example", Visitor(page)
    in_database(claimed, lambda: found_company(email))
    give_password(page, email)
    for heading in ("Import undone", "Imported"):
        page.goto("/imports/new")
        import_people(visitor, "Newsletter November")
        wait_for_heading(page, "Imported")
        if heading == "Import undone":
            visitor.follow("Undo import")
            visitor.press("Undo import")
            wait_for_heading(page, heading)
    page.goto("/segments")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Newsletter November 2")


def wait_for_heading(page: Page, text: str) -> None:
    """Reloads the page, as people without JavaScript do, until the worker is done."""
    heading = page.get_by_role("heading", level=1)
    for _ in range(60):
        if heading.inner_text() == text:
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(heading).to_have_text(text)
