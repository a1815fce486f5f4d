"""A team grows, changes and shrinks, in browsers."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PASSWORD, watch


def test_somebody_is_invited_joins_is_made_admin_and_removed(ada: Page, browser: Browser) -> None:
    ada.goto("/team")
    ada.get_by_role("link", name="Invite a teammate").click()
    ada.get_by_label("Email").fill("ben@acme.example")
    ada.get_by_label("Role").select_option("viewer")
    ada.get_by_role("button", name="Invite").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Invitation link")
    ben = join(browser, ada.locator("#secret").inner_text())
    expect(ben.get_by_role("heading", level=1)).to_have_text("Dashboard")

    ada.goto("/team")
    row = ada.get_by_role("row").filter(has_text="ben@acme.example")
    row.get_by_role("link", name="Change role").click()
    dialog = ada.get_by_role("dialog")
    dialog.get_by_label("Role").select_option("admin")
    dialog.get_by_role("button", name="Change role").click()
    expect(ada.get_by_role("status")).to_contain_text("ben@acme.example is now an admin.")
    ben.goto(ada.url)
    expect(ben.get_by_role("link", name="Invite a teammate")).to_be_visible()
    expect(ben.get_by_role("row").filter(has_text="ada@acme.example").get_by_role("link")).to_have_count(0)

    row.get_by_role("link", name="Remove").click()
    ada.get_by_role("button", name="Remove from team").click()
    expect(ada.get_by_role("status")).to_contain_text("ben@acme.example removed from Acme Library.")
    ben.goto(ada.url)
    expect(ben.get_by_role("heading", level=1)).to_have_text("Sign in")
    ben.context.close()


def join(browser: Browser, link: str) -> Page:
    """Somebody new, in a browser of their own."""
    page = browser.new_context().new_page()
    problems = watch(page)
    page.goto(link)
    page.get_by_label("Choose a password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join Acme Library").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Join Acme Library")
    assert problems == []
    return page
