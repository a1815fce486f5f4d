"""The first evening with Pennypost, in a real browser."""

import json
import re

import httpx2
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import EMAIL, PASSWORD, Service, give_password, sign_in
from tests.fakes.google_server import GoogleServer
from tests.fakes.smtp_server import SmtpServer
from webapp import clock
from webapp.domain.auth.totp import STEP_SECONDS, code_at

ALERT = '<img src=x onerror="window.hit=1"><script>window.hit=1</script><svg onload="window.hit=1">'


def issue_key(page: Page, name: str) -> str:
    page.goto("/api-keys/new")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Role").select_option("sender")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your new API key")
    return page.locator("#secret").inner_text()


def test_the_claim_link_is_spent(page: Page, claimed: Service) -> None:
    response = httpx2.get(claimed.claim_link)
    assert response.status_code == 404
    assert "This link doesn't work" in response.text


def test_signing_in_and_out(page: Page, claimed: Service) -> None:
    page.goto("/home")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Show or hide").click()
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Incorrect email or password.")
    expect(page.get_by_label("Email")).to_have_value(EMAIL)
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    sign_in(page)
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


def test_a_hostile_mail_runs_nothing(page: Page, claimed: Service) -> None:
    sign_in(page)
    secret = issue_key(page, ALERT)
    account_key = re.findall(r"acc_\w+", page.locator("#curl-sample").inner_text())[0]
    mail = {
        "account_key": account_key,
        "from": "a@acme.example",
        "to": "b@acme.example",
        "subject": ALERT,
        "html": ALERT,
    }
    answer = httpx2.post(f"{claimed.base_url}/v1/emails", json=mail, headers={"Authorization": f"Bearer {secret}"})
    other = page.context.new_page()  # its console may complain: the frame's policy refuses what the mail tries
    for path in ("/home", "/api-keys", "/mail-logs", "/sandbox", f"/mail-logs/{answer.json()['id']}"):
        other.goto(path)
        other.wait_for_load_state()
        assert [frame.evaluate("window.hit") for frame in other.frames if frame == other.main_frame] == [None]
    frame = other.frame_locator("iframe.mail-frame")
    expect(frame.locator("img")).to_be_attached()
    assert other.locator("iframe.mail-frame").get_attribute("sandbox") == ""


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
    expect(ada.get_by_text("Fastmail requires an app password.")).to_be_visible()
    ada.get_by_label("Name", exact=True).fill("Post office")
    ada.get_by_label("Host").fill("127.0.0.1")
    ada.get_by_label("Port").fill("nonsense")
    ada.get_by_label("Encryption").select_option("none")
    ada.get_by_label("Username").fill("ada")
    ada.get_by_label("Password").first.fill("wrong")
    ada.get_by_role("button", name="Save and test").click()
    expect(ada.get_by_text("Enter a whole number.")).to_be_visible()
    expect(ada.get_by_label("Port")).to_be_focused()
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


def test_two_step_sign_in(ada: Page, without_javascript: BrowserContext) -> None:
    ada.get_by_role("link", name="Your account").click()
    ada.get_by_role("link", name="Set up two-step sign-in").click()
    secret = ada.locator(".secret code").inner_text().replace(" ", "")
    code = code_at(secret, int(clock.now().timestamp()) // STEP_SECONDS)
    ada.get_by_label("Authentication code").fill(f"{code[:3]} {code[3:]}")
    ada.get_by_label("Your password", exact=True).fill(PASSWORD)
    ada.get_by_role("button", name="Enable").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Your recovery codes")
    first, second, *_ = ada.locator("#recovery-codes").inner_text().split()
    page = without_javascript.new_page()
    give_password(page)
    page.get_by_label("Code").fill(first)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("9 left.")).to_be_visible()
    page.goto("/security/two-step/off")
    page.get_by_label("Authentication code").fill(second)
    page.get_by_label("Your password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("status")).to_contain_text("Two-step sign-in is off.")


def test_a_person_chooses_their_emails(ada: Page, without_javascript: BrowserContext) -> None:
    plain = without_javascript.new_page()
    sign_in(plain)
    for page, is_wanted in ((ada, True), (plain, False)):
        page.goto("/security#notifications")
        page.get_by_label("A campaign has finished").set_checked(is_wanted)
        page.get_by_role("button", name="Save notifications").click()
        expect(page.get_by_role("status")).to_contain_text("Notifications saved.")
        expect(page.get_by_label("A campaign has finished")).to_be_checked(checked=is_wanted)
        expect(page.get_by_label("A campaign was halted")).to_be_checked()


def test_revoking_asks_in_a_dialog(ada: Page) -> None:
    issue_key(ada, "Short lived")
    ada.goto("/api-keys")
    row = ada.get_by_role("row").filter(has_text="Short lived")
    row.get_by_role("link", name="Revoke").click()
    expect(ada.get_by_role("dialog")).to_contain_text("Revoke “Short lived”?")
    ada.get_by_role("link", name="Cancel").click()
    expect(ada.get_by_role("dialog")).to_be_hidden()
    row.get_by_role("link", name="Revoke").click()
    ada.get_by_role("button", name="Revoke key").click()
    expect(ada.get_by_role("status")).to_contain_text("“Short lived” revoked")
    expect(row).to_have_count(0)


def test_a_slow_form_is_sent_once(ada: Page) -> None:
    ada.goto("/sign-in")
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


@pytest.mark.parametrize(
    "path",
    [
        "/home",
        "/accounts",
        "/accounts/new",
        "/api-keys",
        "/mail-logs",
        "/sandbox",
        "/templates/new?example=1",
        "/templates/new?kind=blocks",
        "/organization/brand",
        "/requests",
        "/events",
        "/webhooks/new",
        "/audit",
        "/usage",
        "/security",
        "/security/two-step",
    ],
)
def test_nothing_is_wider_than_its_screen(ada: Page, path: str) -> None:
    for width in (340, 600, 800, 1024, 1280):
        ada.set_viewport_size({"width": width, "height": 740})
        ada.goto(path)
        assert ada.evaluate("document.documentElement.scrollWidth") <= width
        tables = "[...document.querySelectorAll('.table-card')].map(card => card.scrollWidth - card.clientWidth)"
        assert not any(ada.evaluate(tables)), width


def test_the_menu_of_a_phone(ada: Page) -> None:
    ada.set_viewport_size({"width": 390, "height": 740})
    ada.goto("/home")
    ada.get_by_label("Menu").click()
    ada.locator(".menu-sheet").get_by_role("link", name="Sandbox").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Sandbox")


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


def test_all_of_it_without_javascript(without_javascript: BrowserContext, relay: SmtpServer) -> None:
    page = without_javascript.new_page()
    sign_in(page)
    assert issue_key(page, "No script").startswith("svc_live_")
    page.goto("/api-keys")
    page.get_by_role("row").filter(has_text="No script").get_by_role("link", name="Revoke").click()
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_role("status")).to_contain_text("“No script” revoked")
    page.goto("/accounts/new")
    page.get_by_label("Name", exact=True).fill("Plain office")
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(relay.port))
    page.get_by_label("Encryption").select_option("none")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").first.fill("secret")
    page.get_by_role("button", name="Save and test").click()
    expect(page.get_by_role("status")).to_contain_text("“Plain office” was saved. Login successful.")
    row = page.get_by_role("row").filter(has_text="Plain office")
    row.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_contain_text("paused")
    row.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("status")).to_contain_text("resumed")
    assert page.get_by_role("button", name="Copy").count() == 0
