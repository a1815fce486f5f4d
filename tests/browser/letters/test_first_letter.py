"""From a starter to a sent campaign with a logo and colours of one's own, in fewer than 25 clicks."""

import email
import email.policy
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Service, give_password, in_database
from tests.browser.letters.test_blocks import block
from tests.browser.letters.test_media import file
from tests.browser.test_campaign_tasks import post_office
from tests.browser.test_first_campaign import Visitor, found_company
from tests.factories import make_account, make_contact
from tests.fakes.smtp_server import SmtpServer
from tests.support.pictures import picture

__all__ = ["post_office"]
FEWER_THAN = 25
ORANGE, GREEN = "#b45309", "#166534"
IRIS, READER = "iris@new.example", "ann@example.org"


@pytest.fixture
def visitor(page: Page, claimed: Service, post_office: SmtpServer) -> Visitor:
    """The owner of a company that has an account and a contact, at its dashboard."""

    async def prepare() -> None:
        org = await found_company(IRIS)
        await make_account(org, smtp_port=post_office.port, from_email="letters@new.example")
        await make_contact(org, READER, first_name="Ann")

    in_database(claimed, prepare)
    give_password(page, IRIS)
    return Visitor(page)


def test_from_a_starter_to_a_sent_campaign(visitor: Visitor, post_office: SmtpServer) -> None:
    upload_pictures(visitor)
    logo = set_brand(visitor)
    photo = write_campaign(visitor)
    visitor.follow("Send to 1 contact")
    visitor.press("Send now")
    assert visitor.clicks < FEWER_THAN
    mail = wait_for_mail(visitor.page, post_office)
    check_mail(mail, logo, photo)
    check_columns(visitor.page, mail)


def choose(visitor: Visitor, field: Locator, value: str) -> None:
    """A colour or an option of a list: it is opened and chosen."""
    visitor.clicks += 2
    field.fill(value)


def upload_pictures(visitor: Visitor) -> None:
    visitor.follow("Media")
    visitor.clicks += 1  # the files are chosen
    visitor.page.get_by_label("Images and PDFs").set_input_files(
        [file("logo.png", picture(colour="green")), file("Tulips.jpg", picture("JPEG", (1600, 900)))]
    )
    visitor.press("Upload")
    expect(visitor.page.locator("#notes")).to_contain_text("2 files added.")


def set_brand(visitor: Visitor) -> str:
    """Colours and the logo; returns its address."""
    page = visitor.page
    visitor.follow("Brand")
    choose(visitor, page.get_by_label("Links", exact=True), GREEN)
    choose(visitor, page.get_by_label("Buttons"), ORANGE)
    logo = choose_image(visitor, page.locator("#brand"), "logo.png")
    visitor.press("Save")
    expect(page.locator("#notes")).to_contain_text("Brand saved.")
    expect(page.frame_locator("iframe.mail-frame").get_by_role("img")).to_have_attribute("src", logo)
    return logo


def write_campaign(visitor: Visitor) -> str:
    """A plain letter with a picture, two columns and a button between its words and its end; returns the picture."""
    page = visitor.page
    visitor.follow("Campaigns")
    visitor.follow("Create campaign")
    page.get_by_label("Title").fill("Tulips")
    visitor.press("Next: Content")
    visitor.follow("Plain letter")
    page.get_by_label("Name", exact=True).fill("Tulips")
    words = 'Dear {{ first_name | default: "friend" }}, come to the [garden](https://example.com/garden).'
    block(page, "Text 1").get_by_label("Text").fill(words)
    visitor.press("Add below Text 1")
    visitor.press("Image below Text 1")
    photo = choose_image(visitor, block(page, "Image 2"), "Tulips.jpg")
    block(page, "Image 2").get_by_label("Description").fill("A bed of tulips")
    visitor.press("2 columns below Image 2")
    block(page, "Text 1 in column 1").get_by_label("Text").fill("Saturday at ten")
    block(page, "Text 1 in column 2").get_by_label("Text").fill("Bring your boots")
    visitor.press("Button below Columns 3")
    block(page, "Button 4").get_by_label("Label").fill("I'm coming")
    block(page, "Button 4").get_by_label("Link").fill("https://example.com/come")
    visitor.press("Save")
    expect(page.locator("#notes")).to_have_text("“Tulips” saved.")
    return photo


def choose_image(visitor: Visitor, form: Locator, name: str) -> str:
    """An image by its thumbnail; returns its address."""
    visitor.clicks += 2
    form.get_by_text("Choose from the library").click()
    form.get_by_alt_text(name).click()
    field = form.locator("[data-images] input.input")
    expect(field).not_to_have_value("")
    return field.input_value()


def wait_for_mail(page: Page, post_office: SmtpServer) -> str:
    """The HTML that arrived."""
    for _ in range(60):
        if post_office.messages:
            break
        page.wait_for_timeout(500)
    assert post_office.recipients() == [READER]
    mail = email.message_from_bytes(post_office.messages[0].content, policy=email.policy.default)
    body = mail.get_body(("html",))
    assert body
    return str(body.get_content())


def check_columns(page: Page, html: str) -> None:
    """They are side by side on a desk, and one above the other on a phone."""
    page.goto("about:blank")
    page.set_content(re.sub("<img[^>]*>", "", html))  # a page from nowhere may not load from this machine
    for width, are_level in ((700, True), (375, False)):
        page.set_viewport_size({"width": width, "height": 900})
        left, right = (page.get_by_text(words).bounding_box() for words in ("Saturday at ten", "Bring your boots"))
        assert left
        assert right
        assert (abs(left["y"] - right["y"]) < 1, left["x"] < right["x"]) == (are_level, are_level)


def check_mail(html: str, logo: str, photo: str) -> None:
    assert re.search(rf'<img[^>]*alt="New Company"[^>]*src="{re.escape(logo)}"', html)
    assert re.search(rf'<img[^>]*alt="A bed of tulips"[^>]*src="{re.escape(photo)}"', html)
    assert "Dear Ann, come" in html
    assert re.search(rf'<a href="https://example.com/garden" style="[^"]*{GREEN}', html)
    assert re.search(rf'<a[^>]*href="https://example.com/come"[^>]*background:{ORANGE}[^>]*>\s*I\'m coming', html)
    words = ("Dear Ann", "A bed of tulips", "Saturday at ten", "Bring your boots", "I'm coming", "Unsubscribe")
    places = [html.index(word) for word in words]
    assert places == sorted(places)
