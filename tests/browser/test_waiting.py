"""Mail that can't leave says why: a daily limit reached in the middle of a run, and an account that can't connect."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Service, in_database, sign_in
from tests.browser.test_campaign_tasks import SECONDS, add_account, make_campaign, post_office, write_template
from tests.conftest import free_port
from tests.fakes.smtp_server import SmtpServer
from tests.support.audiences import make_audience
from webapp.models import Organization

__all__ = ["post_office"]


async def gather_six() -> None:
    (org,) = await Organization.all().order_by("id").limit(1)
    await make_audience(org, 6, "Six friends")


def test_a_limit_reached_in_the_middle_is_explained_and_raised(
    ada: Page, claimed: Service, post_office: SmtpServer
) -> None:
    in_database(claimed, gather_six)
    add_account(ada, post_office, "Three a day", limit=3)
    write_template(ada, "In two days")
    make_campaign(ada, "To six friends", "Six friends", "In two days", "Three a day")
    expect(ada.locator(".findings")).to_contain_text("Your daily limit is 3, so 3 will go out the next day")
    ada.get_by_role("button", name="Send to 6 contacts").click()
    why = ada.locator(".findings").filter(has_text="daily limit")
    expect(why).to_contain_text(re.compile(r"Three a day reached its daily limit of 3\. It sends again .* 00:00"))
    expect(ada.locator(".strip .sent b").first).to_have_text("3")
    place = ada.url
    why.get_by_role("link", name="Three a day").click()
    ada.get_by_label("Daily limit").fill("10")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.locator("#notes")).to_contain_text("Login successful")
    ada.goto(place)
    expect(ada.locator(".strip .sent b").first).to_have_text("6", timeout=SECONDS)
    expect(why).to_have_count(0)
    assert len(set(post_office.recipients())) == len(post_office.recipients()) == 6


def test_an_account_that_cannot_connect_looks_like_it(ada: Page) -> None:
    look_at_an_unreachable_account(ada, "Closed harbour")


def test_so_it_does_without_javascript(without_javascript: BrowserContext) -> None:
    page = without_javascript.new_page()
    sign_in(page)
    look_at_an_unreachable_account(page, "Closed port")


def look_at_an_unreachable_account(page: Page, name: str) -> None:
    page.goto("/accounts/new")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(free_port()))
    page.get_by_label("From address").fill("letters@acme.example")
    page.get_by_role("button", name="Save and test").click()
    expect(page.locator("#notes")).to_contain_text("can't send yet")
    expect(page.locator(".facts .badge")).to_have_text("Can't connect")
    page.goto("/accounts")
    expect(page.get_by_role("row").filter(has_text=name).locator(".badge")).to_have_text("Can't connect")
    page.goto("/home")
    expect(page.locator(".concerns")).to_contain_text(f"{name} can't connect")
    page.goto("/accounts")
    page.get_by_role("link", name=name).click()
    page.get_by_role("link", name="Delete account").click()
    page.get_by_role("button", name="Delete account").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_have_count(0)
