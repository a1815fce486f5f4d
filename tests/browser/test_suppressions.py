"""An address is suppressed and gets nothing, by API and campaign, until it is removed; with and without JavaScript."""

import httpx2
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Service, in_database, sign_in
from tests.browser.test_dashboard import issue_key
from tests.factories import make_campaign, make_contact, make_segment, make_template
from webapp.models import Organization

GONE = "gone@suppressed.example"
FILE = b"email\none@suppressed.example\nnonsense\n*@list.example\n"


async def make_the_campaign() -> None:
    org = await Organization.get(name="Acme Library")
    members = [await make_contact(org, email) for email in (GONE, "here@suppressed.example")]
    segment = await make_segment(org, *members, name="Suppressed")
    await make_campaign(org, title="To the suppressed", segment=segment, template=await make_template(org))


def test_a_suppressed_address_is_refused_by_api_and_campaign(ada: Page, claimed: Service) -> None:
    secret = issue_key(ada, "Suppressed")
    key = {"Authorization": f"Bearer {secret}"}
    accounts = httpx2.get(f"{claimed.base_url}/v1/accounts", headers=key).json()["data"]
    (sandbox,) = [one["account_key"] for one in accounts if one["name"] == "Sandbox"]
    ada.get_by_role("link", name="Suppressions").first.click()
    ada.get_by_role("link", name="Suppress address").first.click()
    ada.get_by_label("Email address or domain").fill("gone@")
    ada.get_by_role("button", name="Suppress address").click()
    expect(ada.get_by_text("Enter a valid email address, like ada@example.org.")).to_be_visible()
    ada.get_by_label("Email address or domain").fill(GONE)
    ada.get_by_role("button", name="Suppress address").click()
    expect(ada.locator("#notes")).to_contain_text(f"{GONE} suppressed.")
    mail = {"from": "a@acme.example", "to": [GONE, "here@suppressed.example"], "subject": "Refused", "text": "Hello"}
    answer = httpx2.post(f"{claimed.base_url}/v1/emails", json=mail | {"account_key": sandbox}, headers=key)
    assert answer.status_code == 200, answer.text
    ada.goto(f"/emails/{answer.json()['id']}")
    expect(ada.get_by_role("row").filter(has_text=GONE)).to_contain_text("suppressed: manual on ")
    in_database(claimed, make_the_campaign)
    ada.goto("/campaigns")
    ada.get_by_role("link", name="To the suppressed").click()
    ada.get_by_role("link", name="Review and send").first.click()
    expect(ada.get_by_text("1 member is suppressed and gets nothing.")).to_be_visible()
    expect(ada.get_by_text("Excluded: 1 suppressed.")).to_be_visible()
    ada.goto("/suppressions")
    ada.get_by_label("Search by address or domain").press_sequentially("gone@supp")
    expect(ada.locator(".row-name")).to_have_count(1)  # by itself, as one types
    ada.get_by_label(f"Select {GONE}").check()
    ada.get_by_role("group", name="Selected addresses").get_by_role("button", name="Remove").click()
    ada.get_by_role("dialog").get_by_role("button", name="Remove 1 suppression").click()
    expect(ada.locator("#notes")).to_contain_text("1 suppression removed.")


def test_the_list_works_without_javascript(without_javascript: BrowserContext) -> None:
    page = without_javascript.new_page()
    sign_in(page)
    page.goto("/suppressions/import")
    page.get_by_label("File").set_input_files({"name": "list.csv", "mimeType": "text/csv", "buffer": FILE})
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Suppressions imported")
    expect(page.get_by_label("Rows of the file")).to_have_text("2 Added 0 Already there 1 Invalid", use_inner_text=True)
    expect(page.get_by_role("row").filter(has_text="nonsense")).to_contain_text("Not an email address")
    page.goto("/suppressions?q=list.example")
    page.get_by_role("link", name="Remove *@list.example").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#notes")).to_contain_text("*@list.example removed from the suppression list.")
    page.goto("/suppressions?q=one@suppressed")
    page.get_by_label("Select one@suppressed.example").check()
    page.get_by_role("group", name="Selected addresses").get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove 1 suppression").click()
    expect(page.locator("#notes")).to_contain_text("1 suppression removed.")
