"""A campaign to hundreds, from the first step to its retry; and a small one without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Service, beside_the_browser, in_acme, without_javascript
from tests.factories import account_on, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.support.audiences import make_audience
from webapp.models import Contact, Organization

READERS = 800
GONE = "gone@example.org"
REFUSAL = "554 5.7.1 not from here"
SECONDS = 90_000  # milliseconds that a run of hundreds may take on a busy machine


@pytest.fixture
def post_office() -> Iterator[SmtpServer]:
    """A relay without a login that takes its time, so that a run can be watched."""
    server = SmtpServer()
    server.delay("DATA", 0.02)
    server.refuse(GONE, REFUSAL)
    with beside_the_browser(server):
        yield server


async def write_template(org: Organization, name: str) -> None:
    body = '<p>Rivers.</p><a href="{{ unsubscribe_url }}">Leave</a>'
    await make_template(org, name=name, subject="News", body=body, variables=["unsubscribe_url"])


def make_campaign(page: Page, title: str, segment: str, template: str, account: str) -> None:
    """All steps, up to the review."""
    page.goto("/campaigns/new")
    page.get_by_label("Title").fill(title)
    option = page.get_by_label("Segment").locator("option").filter(has_text=segment)
    page.get_by_label("Segment").select_option(option.first.get_attribute("value"))
    page.get_by_role("button", name="Next: ").click()
    page.get_by_role("radio", name=template).first.check()
    page.get_by_role("button", name="Next: ").click()
    page.get_by_role("link", name="Change the accounts").first.click()
    page.get_by_role("radio", name="Selected accounts").check()
    page.get_by_role("checkbox", name=account).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Pre-send checks")).to_be_visible()


def test_a_run_of_hundreds_is_watched_stopped_resumed_and_retried(
    ada: Page, claimed: Service, post_office: SmtpServer
) -> None:
    async def prepare(org: Organization) -> None:
        _, ids = await make_audience(org, READERS)
        await Contact.of(org).filter(id=ids[-1]).update(email=GONE, email_key=GONE)
        await account_on(post_office, org, name="Town office", daily_mail_limit=100_000)
        await write_template(org, "Rivers")

    in_acme(claimed, prepare)
    make_campaign(ada, "To all of them", "Everybody", "Rivers", "Town office")
    expect(ada.locator(".findings")).to_contain_text("Estimated finish")
    streams: list[str] = []
    ada.on("request", lambda request: streams.append(request.url) if request.url.endswith("/events") else None)
    ada.get_by_role("link", name=f"Send to {READERS} contacts").click()
    ada.get_by_role("dialog").get_by_role("button", name="Send now").click()
    watch_it_grow(ada)
    stop_and_resume(ada, post_office)
    assert streams
    expect(ada.locator(".strip .sent b")).to_have_text(f"{READERS - 1}", timeout=SECONDS)
    expect(ada.locator(".strip .failed b")).to_have_text("1")
    expect(ada.get_by_role("link", name="Send to members who missed it")).to_be_visible()  # the page itself has gone on
    assert len(set(post_office.recipients())) == len(post_office.recipients()) == READERS - 1
    find_the_failure_and_retry(ada, post_office)


def watch_it_grow(page: Page) -> None:
    """The page counts by itself."""
    page.evaluate("window.isTheSamePage = true")
    sent = page.locator(".strip .sent b")
    expect(sent).not_to_have_text("0")
    before = sent.inner_text()
    expect(sent).not_to_have_text(before)
    assert page.evaluate("window.isTheSamePage")


def stop_and_resume(page: Page, server: SmtpServer) -> None:
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("link", name="Resume")).to_be_visible()
    stopped = len(server.recipients())
    page.wait_for_timeout(1_000)  # in which nothing leaves any more
    assert len(server.recipients()) <= stopped + 4  # what its connections had begun
    assert len(server.recipients()) < READERS - 1
    page.get_by_role("link", name="Resume").click()
    page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def find_the_failure_and_retry(page: Page, server: SmtpServer) -> None:
    """Why it failed is on the page, and behind it the mail; its reader is back and gets it."""
    page.reload()
    page.locator(".reasons summary").click()
    page.get_by_role("link", name=GONE).click()
    expect(page.locator("main")).to_contain_text(REFUSAL)
    server.heal()
    page.go_back()
    page.get_by_role("link", name="Retry 1 failed").click()
    page.get_by_role("dialog").get_by_role("button", name="Retry 1 contact").click()
    expect(page.locator("#totals-card .sent b")).to_have_text(f"{READERS}", timeout=SECONDS)
    expect(page.locator("#totals-card .failed b")).to_have_text("0")
    expect(page.locator(".strip .sent b").last).to_have_text("1")
    assert server.recipients()[-1] == GONE


@without_javascript
def test_a_campaign_without_javascript(ada: Page, claimed: Service, post_office: SmtpServer) -> None:
    async def prepare(org: Organization) -> None:
        await make_segment(org, await make_contact(org, "friend@example.org"), name="Friends")
        await write_template(org, "Plain words")

    in_acme(claimed, prepare)
    ada.goto("/accounts/new")
    ada.get_by_label("Name", exact=True).fill("Small relay")
    ada.get_by_label("Host").fill("127.0.0.1")
    ada.get_by_label("Port").fill(str(post_office.port))
    ada.get_by_label("Encryption").select_option("none")
    ada.get_by_label("From address").fill("letters@acme.example")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.get_by_role("status").filter(has_text="Small relay")).to_contain_text("Login successful")
    make_campaign(ada, "By hand", "Friends", "Plain words", "Small relay")
    ada.get_by_role("link", name="Send to 1 contact").click()
    ada.get_by_role("button", name="Send now").click()
    for _ in range(60):
        if ada.locator(".strip .sent b").first.inner_text() == "1":
            break
        ada.wait_for_timeout(500)
        ada.reload()
    assert post_office.recipients() == ["friend@example.org"]
