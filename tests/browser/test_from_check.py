"""People look at DNS and send probes from an account's page, with and without JavaScript, on a screen and a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE, Service, in_acme, without_javascript
from tests.factories import make_account
from tests.fakes.name_server import NameServer
from webapp.models import Account, Organization

SPF = "v=spf1 include:_spf.google.com ~all"
RECORD = "v=DMARC1; p=none"


@pytest.fixture(autouse=True)
def account(claimed: Service, names: NameServer) -> None:
    names.add("northwind.example", "MX", "10 mx.northwind.example.")
    names.text("northwind.example", SPF)
    names.text("_spf.google.com", "v=spf1 -all")

    async def work(org: Organization) -> None:
        await Account.of(org).filter(is_sandbox=False).delete()
        fields = {"smtp_host": "smtp.gmail.com", "smtp_port": 587, "from_email": "hello@northwind.example"}
        mailbox = {"bounce_reading": "mailbox", "bounce_imap_host": "127.0.0.1", "bounce_imap_username": "bounces"}
        await make_account(org, name="Northwind", **fields, **mailbox)

    in_acme(claimed, work)


def open_check(page: Page) -> None:
    page.goto("/accounts")
    page.get_by_role("link", name="Northwind").first.click()
    page.get_by_role("region", name="Does the From address pass?").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Does my From address pass?")


@pytest.mark.parametrize("javascript", ["on", pytest.param("off", marks=without_javascript)])
def test_dns_is_looked_at_and_a_probe_is_sent(ada: Page, javascript: str) -> None:
    auditor = Auditor(ada.context)
    open_check(ada)
    ada.get_by_role("button", name="Check DNS again").click()
    expect(ada.get_by_text("there is no DMARC record")).to_be_visible()
    expect(ada.locator(".faults").get_by_text(RECORD)).to_be_visible()
    expect(ada.get_by_label("Verdict")).to_contain_text("Failing")
    if javascript == "on":
        assert auditor.violations(ada) == []
    ada.get_by_label("Send it to").select_option("bounces@northwind.example")
    ada.get_by_role("button", name="Send probe").click()
    expect(ada.get_by_text("Probe sent.")).to_be_visible()
    expect(ada.get_by_role("region", name="Last probe")).to_contain_text("bounces@northwind.example")
    ada.goto("/accounts")
    expect(ada.get_by_role("row", name="Northwind")).to_contain_text("there is no DMARC record")


def test_a_phone_shows_the_findings_within_its_width(ada: Page) -> None:
    ada.set_viewport_size(PHONE)
    open_check(ada)
    ada.get_by_role("button", name="Check DNS again").click()
    expect(ada.get_by_text("there is no DMARC record")).to_be_visible()
    assert ada.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
