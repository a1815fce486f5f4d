"""The builder of sign-up forms in a real browser."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Service, in_acme, without_javascript
from tests.factories import make_account


def test_a_form_is_previewed_while_it_is_made(ada: Page, service: Service) -> None:
    in_acme(service, make_account)
    ada.goto("/forms")
    ada.get_by_role("link", name="Create form").first.click()
    ada.get_by_label("Name", exact=True).fill("Newsletter")
    preview = ada.frame_locator("[name=preview]")
    expect(preview.get_by_role("heading", name="Newsletter")).to_be_visible()
    ada.get_by_label("Ask for another field").select_option("First name")
    ada.get_by_role("button", name="Add field").click()
    expect(ada.get_by_label("Label")).to_be_focused()
    expect(preview.get_by_label("First name")).to_be_visible()
    ada.get_by_label("Ask for another field").select_option("Another custom field")
    ada.get_by_role("button", name="Add field").click()
    ada.get_by_label("Name of the custom field").fill("color")
    expect(ada.get_by_label("Options")).to_be_hidden()
    ada.get_by_label("Type").select_option("Choice")
    ada.get_by_label("Options").fill("Red\nBlue")
    ada.get_by_role("button", name="Up Custom field").click()
    ada.get_by_label("What people agree to").fill("I want it.")
    expect(ada.get_by_label("Label").first).to_have_value("")
    expect(ada.get_by_label("Options")).to_have_value("Red\nBlue")
    expect(preview.get_by_text("I want it.")).to_be_visible()
    ada.get_by_text("Confirmation email", exact=True).click()
    expect(preview.get_by_role("link", name="Confirm", exact=True)).to_be_visible()
    ada.get_by_role("button", name="Create form").click()
    expect(ada.get_by_role("heading", name="Newsletter")).to_be_visible()
    code = ada.locator("#embed-code").inner_text()
    assert code.startswith(f'<form action="{ada.locator(".copyable code").first.inner_text()}" method="post"')
    assert code.index('name="color"') < code.index('name="first_name"') < code.index("I want it.")


@without_javascript
def test_a_form_is_previewed_without_javascript(ada: Page) -> None:
    ada.goto("/forms/new")
    ada.get_by_label("Name", exact=True).fill("Quarterly")
    ada.get_by_label("Ask for another field").select_option("Phone")
    ada.get_by_role("button", name="Add field").click()
    ada.get_by_role("button", name="Update preview").click()
    preview = ada.frame_locator("[name=preview]")
    expect(preview.get_by_role("heading", name="Quarterly")).to_be_visible()
    expect(preview.get_by_label("Phone")).to_be_visible()
