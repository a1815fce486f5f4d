"""The first evening with Pennypost, in a real browser."""

import json
import re

import httpx2
from playwright.sync_api import Page, expect

from tests.browser.conftest import EMAIL, Service, give_password
from tests.fakes.google_server import GoogleServer
from tests.fakes.smtp_server import SmtpServer


def issue_key(page: Page, name: str) -> str:
    page.goto("/api-keys/new")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Role").select_option("sender")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your new API key")
    return page.locator("#secret").inner_text()


def test_signing_in_and_out(page: Page, claimed: Service) -> None:
    page.goto("/home")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Show or hide").click()
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Incorrect email or password.")
    give_password(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_from_a_key_to_a_mail_in_the_sandbox(ada: Page, claimed: Service) -> None:
    secret = issue_key(ada, "Web shop")
    sample = ada.locator("#curl-sample").inner_text()
    assert secret in sample
    ada.get_by_role("button", name="Copy the key").click()
    expect(ada.get_by_role("button", name="Copied")).to_be_visible()
    authorization = {"Authorization": f"Bearer {secret}"}
    accounts = httpx2.get(f"{claimed.base_url}/v1/accounts", headers=authorization).json()["data"]
    (sandbox,) = [one["account_key"] for one in accounts if one["name"] == "Sandbox"]  # the sample names an own one
    mail = json.loads(sample.partition("-d '")[2].rstrip("'"))
    mail |= {"account_key": sandbox, "subject": "Grüße", "html": "<h1>Hello</h1>"}
    ada.goto("/sandbox")
    answer = httpx2.post(f"{claimed.base_url}/v1/emails", json=mail, headers=authorization)
    assert answer.status_code == 200, answer.text
    ada.get_by_role("link", name="Grüße").click(timeout=45_000)  # it appears by itself
    expect(ada.get_by_role("heading", level=1)).to_have_text("Grüße")
    ada.goto(ada.url + "?view=headers")
    expect(ada.get_by_text("Message-ID")).to_be_visible()
    ada.goto(f"/mail-logs/{answer.json()['id']}")
    expect(ada.locator(".badge").first).to_have_text("Sent")
    ada.goto("/sandbox")
    ada.get_by_role("link", name="Delete all emails").click()
    ada.get_by_role("dialog").get_by_role("button", name="Delete all emails").click()
    expect(ada.get_by_text("No emails yet")).to_be_visible()


def test_a_google_account_is_connected(ada: Page, claimed: Service, google: GoogleServer) -> None:
    tokens = google.requests["token"]
    ada.goto("/accounts")
    ada.get_by_role("link", name="Connect Google").first.click()
    ada.get_by_role("link", name="Continue to Google").click()
    expect(ada).to_have_url(re.compile("^http://localhost:"))
    ada.get_by_role("link", name="Allow").click()
    expect(ada.get_by_text("“ada@gmail.example” connected.")).to_be_visible()
    expect(ada).to_have_url(re.compile(f"^{claimed.base_url}/accounts/[0-9a-f-]+$"))  # the code is left behind
    ada.get_by_role("button", name="Test login", exact=True).click()
    expect(ada.get_by_text("“ada@gmail.example”: login successful.")).to_be_visible()
    assert google.requests["token"] - tokens == 2


def test_an_account_with_a_wrong_password_says_why(ada: Page, relay: SmtpServer) -> None:
    ada.goto("/accounts/new")
    ada.get_by_label("Provider").select_option("Fastmail")
    expect(ada.get_by_label("Host")).to_have_value("smtp.fastmail.com")
    expect(ada.get_by_label("Port")).to_have_value("465")
    expect(ada.get_by_text("Fastmail requires an app password")).to_be_visible()
    ada.get_by_label("Provider").select_option("Microsoft 365")
    expect(ada.get_by_label("Daily limit")).to_have_value("10000")
    ada.get_by_label("Provider").select_option("Fastmail")
    expect(ada.get_by_label("Daily limit")).to_have_value("500")
    ada.get_by_label("Name", exact=True).fill("Post office")
    ada.get_by_label("Host").fill("127.0.0.1")
    ada.get_by_label("Port").fill("nonsense")
    ada.get_by_label("Encryption").select_option("none")
    ada.get_by_label("Username").fill("ada")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.get_by_text("Enter a whole number.")).to_be_visible()
    expect(ada.get_by_label("Port")).to_be_focused()
    assert ada.locator("label", has_text="Port").bounding_box()["y"] >= 0
    expect(ada.get_by_text("Fastmail requires an app password")).to_be_visible()
    ada.get_by_label("Port").fill(str(relay.port))
    ada.get_by_label("Password").first.fill("wrong")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.get_by_role("alert")).to_contain_text(
        "“Post office” was saved, but it can't send yet: 127.0.0.1 rejected the login: 535"
    )
    ada.get_by_label("Password").first.fill("secret")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.get_by_role("status")).to_contain_text("“Post office” was saved. Login successful.")
    ada.locator("main").get_by_role("link", name="Accounts").click()
    row = ada.get_by_role("row").filter(has_text="Post office")
    row.get_by_role("button", name="Pause").click()
    expect(row.locator(".badge")).to_have_text("Paused")
    row.get_by_role("button", name="Test login").click()
    expect(ada.get_by_role("status")).to_contain_text("“Post office”: login successful.")
    row.get_by_role("button", name="Resume").click()
    expect(row.locator(".badge")).to_have_text("Active")


def test_a_slow_form_is_sent_once(ada: Page) -> None:
    ada.goto("/api-keys/new")
    ada.get_by_label("Name").fill("Once")
    sent: list[str] = []
    ada.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    ada.get_by_role("button", name="Create key").dblclick()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Your new API key")
    assert len(sent) == 1


def test_the_colours_follow_the_switch(ada: Page) -> None:
    ada.emulate_media(color_scheme="light")
    document = ada.locator("html")
    expect(document).to_have_css("background-color", "rgb(245, 242, 235)")
    for name, colour in (("Dark", "rgb(22, 21, 19)"), ("Match system", "rgb(245, 242, 235)")):
        button = ada.locator(".side").get_by_role("button", name=name)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(document).to_have_css("background-color", colour)


def test_nothing_is_wider_than_its_screen(ada: Page) -> None:
    tables = "[...document.querySelectorAll('.table-card')].map(card => card.scrollWidth - card.clientWidth)"
    for path in (
        "/home", "/accounts", "/accounts/new", "/api-keys", "/mail-logs", "/sandbox", "/templates/new?example=1",
        "/templates/new?kind=blocks", "/organization/brand", "/requests", "/events", "/webhooks/new", "/audit", "/usage",
        "/security", "/security/two-step",
    ):  # fmt: skip
        ada.goto(path)
        for width in (1280, 1024, 800, 600, 340):
            ada.set_viewport_size({"width": width, "height": 740})
            assert ada.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            assert not any(ada.evaluate(tables)), (path, width)


def test_the_menu_of_a_phone(ada: Page) -> None:
    ada.set_viewport_size({"width": 390, "height": 740})
    ada.goto("/home")
    ada.get_by_label("Menu").click()
    ada.locator(".menu-sheet").get_by_text("Sending").click()
    ada.locator(".menu-sheet").get_by_role("link", name="Test inbox").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Test inbox")


def test_a_refresh_waits_for_who_reads_with_the_keyboard(ada: Page) -> None:
    link = ada.get_by_role("link", name="All accounts")
    link.focus()
    ada.wait_for_timeout(6_000)  # longer than the page waits between two refreshes
    expect(link).to_be_focused()


def test_the_keyboard_reaches_the_content(ada: Page) -> None:
    ada.goto("/accounts")
    ada.keyboard.press("Tab")
    expect(ada.get_by_role("link", name="Skip to content")).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.locator("#content")).to_be_focused()
