"""People set an account's pace, with and without JavaScript, on a screen and a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE, Service, in_acme, without_javascript
from tests.factories import make_account
from webapp.models import Account, Organization


@pytest.fixture(autouse=True)
def account(claimed: Service) -> None:
    async def work(org: Organization) -> None:
        await Account.of(org).filter(is_sandbox=False).delete()
        await make_account(org, name="Shop", smtp_host="smtp.office365.com", smtp_port=587)

    in_acme(claimed, work)


def open_pace(page: Page) -> None:
    page.goto("/accounts")
    page.get_by_role("link", name="Shop").first.click()
    page.get_by_role("region", name="Pace").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pace")


@pytest.mark.parametrize("javascript", ["on", pytest.param("off", marks=without_javascript)])
def test_a_pace_is_offered_entered_and_corrected(ada: Page, javascript: str) -> None:
    auditor = Auditor(ada.context)
    open_pace(ada)
    if javascript == "on":
        assert auditor.violations(ada) == []
    ada.get_by_role("link", name="Fill in 30 per minute").click()
    expect(ada.get_by_label("Emails per minute")).to_have_value("30")
    ada.get_by_label("Monday").check()
    ada.get_by_label("From", exact=True).fill("08:00")
    ada.get_by_label("To", exact=True).fill("08:00")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("The window must be longer than zero minutes")).to_be_visible()
    expect(ada.get_by_label("Monday")).to_be_checked()
    if javascript == "on":
        assert auditor.violations(ada) == []
    ada.get_by_label("To", exact=True).fill("18:00")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Pace saved.")).to_be_visible()
    ada.get_by_role("link", name="Shop").first.click()
    pace = ada.get_by_role("region", name="Pace")
    expect(pace).to_contain_text("Sends at most 30 emails per minute.")
    if javascript == "on":
        assert auditor.violations(ada) == []
    expect(pace).to_contain_text("Sends campaigns Mon from 08:00 to 18:00, Europe/Berlin.")


def test_a_phone_shows_the_pace_within_its_width(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    open_pace(ada)
    assert ada.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
