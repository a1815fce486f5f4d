"""Pictures are uploaded, copied into a template and deleted."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Service, in_acme
from tests.factories import make_template
from tests.support.pictures import SVG, photo, picture
from webapp.models import Organization, Template


def file(name: str, data: bytes) -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def shown(page: Page, name: str) -> Any:
    return page.locator(".picture").filter(has=page.get_by_role("heading", name=name, exact=True))


def test_a_picture_is_uploaded_copied_and_deleted(ada: Page, claimed: Service) -> None:
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.get_by_role("link", name="Media", exact=True).first.click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Media")
    ada.get_by_label("Images and PDFs").set_input_files(
        [file("Autumn sale.png", picture(size=(2400, 900))), file("drawing.svg", SVG), file("side.jpg", photo())]
    )
    ada.get_by_role("button", name="Upload").click()
    expect(ada.locator("#notes")).to_contain_text("2 files added.")
    expect(ada.locator("#f-file-error")).to_have_text(
        "drawing.svg is an SVG drawing, which most email programs don't show. Save it as a PNG."
    )
    card = shown(ada, "Autumn sale.png")
    expect(card).to_contain_text("1,200 \N{MULTIPLICATION SIGN} 450")
    assert card.get_by_role("img").evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1200
    card.get_by_role("button", name="Copy the URL of Autumn sale.png").click()
    url = ada.evaluate("navigator.clipboard.readText()")
    assert url == card.get_by_label("URL of Autumn sale.png", exact=True).input_value()
    card.get_by_role("button", name="Copy the HTML of Autumn sale.png").click()
    html = ada.evaluate("navigator.clipboard.readText()")
    assert html == f'<img src="{url}" alt="Autumn sale" width="600">'
    in_acme(claimed, lambda org: make_template(org, name="With a picture", body=html))
    ada.goto("/media")
    card = shown(ada, "Autumn sale.png")
    card.get_by_role("link", name="Delete").click()
    expect(ada.get_by_role("dialog").get_by_role("link", name="With a picture")).to_be_visible()
    ada.get_by_role("dialog").get_by_role("link", name="Cancel").click()
    expect(card).to_be_visible()
    card.get_by_role("link", name="Delete").click()
    ada.get_by_role("dialog").get_by_role("button", name="Delete anyway").click()
    expect(ada.locator("#notes")).to_contain_text("Autumn sale.png deleted.")
    expect(card).to_have_count(0)

    async def delete_template(org: Organization) -> None:
        await Template.of(org).filter(name="With a picture").delete()  # or the list's thumbnail lacks its image

    in_acme(claimed, delete_template)
