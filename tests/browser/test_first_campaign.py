"""From an empty organization to the first campaign in thirteen clicks."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Service, give_password, in_database
from tests.browser.test_campaign_tasks import SECONDS, post_office
from tests.factories import make_org
from tests.fakes.smtp_server import SmtpServer
from webapp import crypto
from webapp.models import Membership, Organization, User

__all__ = ["post_office"]
NORA = "nora@new.example"
MOST_CLICKS = 13
PEOPLE = b"email,first name,City\nann@example.org,Ann,Rome\nbob@example.org,Bob,Oslo\nbob@example.org,Bob,Oslo\n"


async def found_company(email: str = NORA) -> Organization:
    """A new organization, whose owner signs in with PASSWORD."""
    org = await make_org("New Company")
    user = await User.create(email=email, password_hash=await crypto.hash_password(PASSWORD))
    await Membership.create(org=org, user=user, role="owner")
    return org


class Visitor:
    """Somebody with a browser; whatever is clicked or chosen is counted."""

    def __init__(self, page: Page) -> None:
        """Count from here."""
        self.page, self.clicks = page, 0

    def press(self, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def follow(self, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("link", name=name, exact=True).first.click()


def test_a_first_campaign_takes_thirteen_clicks(page: Page, claimed: Service, post_office: SmtpServer) -> None:
    in_database(claimed, found_company)
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
    visitor.clicks += 1  # the file is chosen
    page.get_by_label("File").set_input_files({"name": "people.csv", "mimeType": "text/csv", "buffer": PEOPLE})
    visitor.press("Upload and match columns")
    visitor.press("Preview import")
    visitor.press("Import 2 contacts")

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
    visitor.press("Send now")

    expect(page.locator(".strip .sent b").first).to_have_text("2", timeout=SECONDS)
    assert sorted(post_office.recipients()) == ["ann@example.org", "bob@example.org"]
    assert visitor.clicks == MOST_CLICKS
