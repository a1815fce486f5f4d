"""Accounts are connected, reconnected and converted by a provider's consent page, with and without JavaScript."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE, Service, in_acme, with_and_without_javascript, without_javascript
from tests.factories import make_account
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus

USER = "ada@gmail.example"  # whom the consent page signs in
STOPS = "Microsoft switches off passwords for SMTP at the end of December 2026"


@pytest.fixture(autouse=True)
def no_accounts(claimed: Service) -> None:
    in_acme(claimed, lambda org: Account.of(org).filter(is_sandbox=False).delete())


def add(service: Service, **fields: Any) -> None:
    """An account at Microsoft, which the service has not tested."""
    server = {"smtp_host": "smtp.office365.com", "smtp_port": 587, "smtp_username": USER, "from_email": USER}

    async def work(org: Organization) -> None:
        await make_account(org, name="Mailbox", **(server | fields))

    in_acme(service, work)


def consent(page: Page, provider: str) -> None:
    page.get_by_role("link", name=f"Continue to {provider}").click()
    expect(page).to_have_url(re.compile("^http://localhost:"))
    page.get_by_role("link", name="Allow").click()


@with_and_without_javascript
@pytest.mark.parametrize("provider", ["Google", "Microsoft"])
def test_an_account_is_connected(ada: Page, claimed: Service, provider: str, javascript: str) -> None:
    ada.goto("/accounts")
    ada.get_by_role("link", name=f"Connect {provider}").first.click()
    consent(ada, provider)
    expect(ada.get_by_text(f"“{USER}” connected.")).to_be_visible()
    expect(ada.get_by_role("heading", level=1)).to_have_text(USER)
    expect(ada).to_have_url(re.compile(f"^{claimed.base_url}/accounts/[0-9a-f-]+$"))  # the code is left behind
    expect(ada.get_by_role("link", name=f"Reconnect {provider}")).to_be_visible()
    expect(ada.get_by_label("Password", exact=True)).to_have_count(0)


@with_and_without_javascript
def test_an_account_whose_sign_in_has_ended_is_reconnected(ada: Page, claimed: Service, javascript: str) -> None:
    error = "the sign-in was unused for 90 days and has expired: reconnect the account (AADSTS700082)"
    add(
        claimed,
        smtp_auth="oauth2",
        oauth_provider="microsoft",
        oauth_refresh_token="sealed",
        status=AccountStatus.ERROR,
        last_error=error,
    )
    ada.goto("/accounts")
    ada.get_by_role("link", name="Mailbox", exact=True).click()
    expect(ada.get_by_text(error)).to_be_visible()
    ada.get_by_role("link", name="Reconnect Microsoft").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Reconnect “Mailbox”")
    consent(ada, "Microsoft")
    expect(ada.get_by_text("“Mailbox” connected.")).to_be_visible()
    expect(ada.get_by_text(error)).to_have_count(0)
    expect(ada.locator("dl.facts .badge").first).to_have_text("Active")


@with_and_without_javascript
def test_an_account_with_a_password_becomes_a_connected_one(ada: Page, claimed: Service, javascript: str) -> None:
    add(claimed, smtp_password="sealed", daily_mail_limit=321)
    ada.goto("/home")
    expect(ada.get_by_text(STOPS).first).to_be_visible()
    ada.goto("/accounts")
    ada.get_by_role("link", name="Mailbox", exact=True).click()
    expect(ada.get_by_text(STOPS)).to_be_visible()
    key = ada.locator("dl.facts code").first.inner_text()
    ada.get_by_role("link", name="Connect with Microsoft").click()
    expect(ada.get_by_text("Its account key, daily limit and history stay.")).to_be_visible()
    consent(ada, "Microsoft")
    expect(ada.get_by_text("“Mailbox” connected.")).to_be_visible()
    expect(ada.get_by_text(STOPS)).to_have_count(0)
    expect(ada.locator("dl.facts code").first).to_have_text(key)
    expect(ada.get_by_label("Daily limit")).to_have_value("321")
    expect(ada.get_by_text(f"{USER} through Microsoft")).to_be_visible()


@with_and_without_javascript
def test_an_account_whose_smtp_is_off_goes_on_by_graph(ada: Page, claimed: Service, javascript: str) -> None:
    sign_in = {"smtp_auth": "oauth2", "oauth_provider": "microsoft", "oauth_refresh_token": "sealed"}
    add(claimed, **sign_in, status=AccountStatus.ERROR, last_error="535 5.7.139 SMTP AUTH is off")
    ada.goto("/accounts")
    ada.get_by_role("link", name="Mailbox", exact=True).click()
    ada.get_by_role("link", name="Reconnect Microsoft").click()
    ada.get_by_role("link", name="connect by Microsoft Graph").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Connect “Mailbox” with Microsoft Graph")
    consent(ada, "Microsoft")
    expect(ada.get_by_text("“Mailbox” connected.")).to_be_visible()
    expect(ada.get_by_text(f"{USER}, by Microsoft Graph")).to_be_visible()
    ada.get_by_role("button", name="Test login", exact=True).click()
    expect(ada.get_by_text("“Mailbox”: login successful.")).to_be_visible()
    expect(ada.locator("dl.facts .badge").first).to_have_text("Active")


@without_javascript
def test_a_provider_fills_in_the_form_without_javascript(ada: Page) -> None:
    ada.goto("/accounts/new")
    ada.get_by_label("Provider").select_option("Outlook.com")
    ada.get_by_role("button", name="Fill in").click()
    expect(ada.get_by_label("Host")).to_have_value("smtp-mail.outlook.com")
    expect(ada.get_by_text("Passwords don't work.")).to_be_visible()
    ada.get_by_role("link", name="Connect with Microsoft").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Connect a Microsoft account")


@pytest.mark.browser_context_args(reduced_motion="reduce")
def test_the_pages_of_connecting_have_no_violation(ada: Page, claimed: Service) -> None:
    add(claimed, smtp_password="sealed", status=AccountStatus.ERROR, last_error="535 5.7.139 SMTP AUTH is off")
    auditor = Auditor(ada.context)
    ada.goto("/accounts/new?provider=Microsoft+365")
    assert auditor.violations(ada) == []
    for path in ("/accounts/microsoft", "/accounts/graph"):
        ada.goto(path)
        assert auditor.violations(ada) == []
    ada.goto("/accounts/new?sign_in=oauth")
    ada.get_by_text("Shared mailbox of Microsoft 365").click()
    assert auditor.violations(ada) == []
    ada.get_by_role("link", name="send by Graph as an app").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Add account by Graph")
    ada.get_by_text("Shared mailbox of Microsoft 365").click()
    assert auditor.violations(ada) == []
    size = ada.viewport_size
    ada.set_viewport_size(PHONE)
    assert ada.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    ada.set_viewport_size(size or PHONE)
    ada.goto("/accounts")
    ada.get_by_role("link", name="Mailbox", exact=True).click()
    expect(ada.get_by_text(STOPS)).to_be_visible()
    assert auditor.violations(ada) == []
    ada.get_by_role("link", name="Connect with Microsoft").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Connect “Mailbox” with Microsoft")
    assert auditor.violations(ada) == []
    consent(ada, "Microsoft")
    expect(ada.get_by_text("“Mailbox” connected.")).to_be_visible()
    assert auditor.violations(ada) == []
