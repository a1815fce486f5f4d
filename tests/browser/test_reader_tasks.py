"""The tasks of readers, from signing up to coming back after an erasure, each with JavaScript and without."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import httpx2
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE, Service, beside_the_browser, with_and_without_javascript
from tests.browser.publisher import Publisher, publishing
from tests.fakes.endpoint import Endpoint, Reply
from tests.support.instance_mail import read
from webapp.languages import Translator

STAMP_MS = 2_100  # between a page and its sign-up, as fast ones are those of programs
ERASED = "was erased on 20"  # in refusals of the address
ONE_CLICK = {"List-Unsubscribe": "One-Click"}  # RFC 8058


@pytest.fixture(scope="module")
def publisher(claimed: Service) -> Iterator[Publisher]:
    with publishing(claimed) as publisher:
        yield publisher


@pytest.fixture(scope="module")
def news(publisher: Publisher) -> Any:
    """A public topic that everybody gets who did not leave."""
    return publisher.make("/topics", name="Harbor news", default_subscription="opt_in", visibility="public")


@pytest.fixture(scope="module")
def tides(publisher: Publisher) -> Any:
    """A public topic for those who chose it."""
    return publisher.make("/topics", name="Tide tables", default_subscription="opt_out", visibility="public")


@pytest.fixture(scope="module")
def template(publisher: Publisher) -> Any:
    body = '<p>Ships.</p><a href="{{ unsubscribe_url }}">Leave</a>'
    return publisher.make("/templates", name="Ships", subject="Ships", kind="html", body=body)


@pytest.fixture(scope="module")
def form(publisher: Publisher, news: Any, tides: Any) -> Any:
    return publisher.make("/forms", name="Harbor letter", topic_ids=[news["id"], tides["id"]])


def open_preferences(page: Page, publisher: Publisher, address: str, topic: Any) -> str:
    """Opens the page by the link of a mail about the topic; returns the contact's id."""
    contact = publisher.make("/contacts", email=address, first_name="Rita")
    publisher.send(address, "Ferries", topic)
    page.goto(publisher.link(address))
    return str(contact["id"])


@with_and_without_javascript
def test_a_form_is_made_and_embedded_in_a_page_of_another_origin(
    page: Page, new_context: Callable[..., BrowserContext], publisher: Publisher, javascript: str
) -> None:
    address, site = f"{javascript}@embedded.example", Endpoint()
    page.context.add_cookies([{"name": "session", "value": publisher.session, "url": publisher.base_url}])
    with beside_the_browser(site):
        origin = f"http://localhost:{site.port}"
        page.goto("/forms/new")
        page.get_by_label("Name", exact=True).fill(f"On our site, scripts {javascript}")
        page.get_by_text("Your site and language").click()
        page.get_by_label("Sites that may show the form").fill(origin)
        page.get_by_role("button", name="Create form").click()
        code = copied_code(page, publisher, javascript)
        html = f"<!doctype html><title>Our site</title><h1>Read us</h1>{code}".encode()
        site.reply = lambda _: Reply(text=html, headers=(("Content-Type", "text/html; charset=utf-8"),))

        reader = new_context().new_page()
        reader.goto(origin)
        reader.get_by_label("Email").fill(address)
        reader.get_by_role("button", name="Sign up").click()
        expect(reader.get_by_role("heading")).to_have_text("Check your inbox")
        reader.goto(publisher.link(address))
        reader.get_by_role("button", name="Confirm").click()
        expect(reader.get_by_role("heading")).to_have_text("You're in")
    (consent,) = publisher.call("GET", f"/contacts/{address}/consents")[1]["data"]
    assert consent["page_url"].startswith(origin)
    page.reload()
    expect(page.locator(".gauges .num")).to_have_text(["1", "1 100%", "1 100%", "1 100%"])


def copied_code(page: Page, publisher: Publisher, javascript: str) -> str:
    """The form's HTML as its owner copies it."""
    if javascript == "off":
        return page.locator("#embed-code").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=publisher.base_url)
    page.get_by_role("button", name="Copy the code").click()
    return str(page.evaluate("navigator.clipboard.readText()"))


def sign_up(page: Page, publisher: Publisher, form: Any, address: str) -> None:
    """Signs up on the form's own page, with its second topic as well, and confirms by the newest mail."""
    before = publisher.post_office.recipients().count(address)
    page.goto(urlsplit(form["url"]).path)
    page.get_by_label("Email").fill(address)
    page.get_by_label("Tide tables").check()
    page.wait_for_timeout(STAMP_MS)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading")).to_have_text("Check your inbox")
    link = publisher.link(address, before + 1)
    for method in ("HEAD", "GET"):  # as a scanner does
        assert httpx2.request(method, f"{publisher.base_url}{link}").status_code == 200
    assert publisher.call("GET", f"/contacts/{address}")[0] == 404
    page.goto(link)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading")).to_have_text("You're in")


def chosen_topics(publisher: Publisher, key: str) -> dict[str, str]:
    _, answer = publisher.call("GET", f"/contacts/{key}/topics")
    return {choice["name"]: choice["subscription"] for choice in answer["data"]}


@with_and_without_javascript
def test_a_reader_signs_up_and_confirms_by_the_mail(
    page: Page, publisher: Publisher, form: Any, javascript: str
) -> None:
    address = f"{javascript}@arriving.example"
    sign_up(page, publisher, form, address)
    assert publisher.contact(address)["status"] == "subscribed"
    assert chosen_topics(publisher, address) == {"Harbor news": "opt_in", "Tide tables": "opt_in"}


@pytest.mark.parametrize("is_driven", [True, False])
def test_the_linked_page_confirms_by_itself_unless_a_program_opens_it(
    page: Page, publisher: Publisher, *, is_driven: bool
) -> None:
    address = f"{is_driven}@clicking.example".lower()
    form = publisher.make("/forms", name="By the click", confirm_by="click")
    publisher.make(f"/forms/{form['id']}/sign-ups", email=address)
    page.add_init_script(f"Object.defineProperty(navigator, 'webdriver', {{value: {str(is_driven).lower()}}})")
    page.goto(publisher.link(address))
    if is_driven:
        page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading")).to_have_text("You're in")


@with_and_without_javascript
def test_topics_are_changed_in_arabic_on_a_phone(
    page: Page, publisher: Publisher, news: Any, tides: Any, javascript: str
) -> None:
    address, words = f"{javascript}@arabic.example", Translator("ar", {})
    publisher.make("/contacts", email=address)
    auditor = Auditor(page.context)
    page.set_viewport_size(PHONE)
    page.set_extra_http_headers({"Accept-Language": "ar"})
    page.goto(urlsplit(publisher.call("GET", "/brand")[1]["data"]["preferences_url"]).path)
    page.get_by_label(words.plain("preferences_link.email")).fill(address)
    page.get_by_role("button", name=words.plain("preferences_link.send")).click()
    expect(page.get_by_role("heading")).to_have_text(words.plain("preferences_link.sent_title"))
    page.goto(publisher.link(address))
    expect(page.get_by_label(news["name"])).to_be_checked()
    page.get_by_label(news["name"]).uncheck()
    page.get_by_label(tides["name"]).check()
    page.get_by_role("button", name=words.plain("preferences.save")).click()
    expect(page.get_by_role("status")).to_have_text(words.plain("preferences.saved"))
    assert chosen_topics(publisher, address) == {"Harbor news": "opt_out", "Tide tables": "opt_in"}
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    if javascript == "on":
        assert auditor.violations(page) == []


@with_and_without_javascript
def test_a_paused_reader_gets_receipts_but_no_campaign(
    page: Page, publisher: Publisher, news: Any, template: Any, javascript: str
) -> None:
    paused, other = f"{javascript}@paused.example", f"{javascript}@present.example"
    contact_id = open_preferences(page, publisher, paused, news)
    page.get_by_label("Pause newsletters").select_option("For 4 weeks")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Pause newsletters").locator("option:checked")).to_contain_text("Paused until")
    members = [contact_id, publisher.make("/contacts", email=other)["id"]]
    segment = publisher.make("/segments", name=f"Pausing, scripts {javascript}")
    for member in members:
        publisher.make(f"/segments/{segment['id']}/contacts", contact_id=member)
    assert publisher.send_campaign("Ships", segment, template) == 1
    publisher.mail(other)
    publisher.send(paused, "Your ticket")
    assert read(publisher.mail(paused, 2))["Subject"] == "Your ticket"


@with_and_without_javascript
def test_one_click_leaves_the_topic_of_the_mail_and_receipts_still_arrive(
    page: Page, publisher: Publisher, news: Any, template: Any, javascript: str
) -> None:
    address = f"{javascript}@leaving.example"
    orders = publisher.make("/topics", name=f"Orders, scripts {javascript}", default_subscription="opt_in")
    segment = publisher.make("/segments", name=f"Leaving, scripts {javascript}")
    contact = publisher.make("/contacts", email=address)
    publisher.make(f"/segments/{segment['id']}/contacts", contact_id=contact["id"])
    assert publisher.send_campaign("Ships", segment, template, news) == 1
    mail = read(publisher.mail(address))
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].split(">")[0].removeprefix("<")
    assert httpx2.post(link, data=ONE_CLICK).status_code == 200

    assert publisher.send_campaign("Ships", segment, template, news) == 0
    refused = publisher.send(address, "Ferries", news)
    (log,) = publisher.call("GET", f"/emails/{refused['id']}")[1]["data"]["recipients"]
    assert (log["status"], 'opted out of "Harbor news" on' in log["error"]) == ("failed", True)
    for number, topic in enumerate((None, orders), start=2):
        publisher.send(address, f"Receipt {number}", topic)
        assert read(publisher.mail(address, number))["Subject"] == f"Receipt {number}"
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your preferences")
    expect(page.get_by_label(news["name"])).not_to_be_checked()
    nothing, topic = page.get_by_label("No newsletters at all"), page.locator("label", has_text=news["name"])
    expect(nothing).not_to_be_checked()
    expect(topic).not_to_have_css("text-decoration-line", "line-through")
    nothing.check()
    expect(topic).to_have_css("text-decoration-line", "line-through")  # what it would get does not count now


@with_and_without_javascript
def test_a_reader_gets_all_data_once(page: Page, publisher: Publisher, news: Any, javascript: str) -> None:
    address = f"{javascript}@asking.example"
    open_preferences(page, publisher, address, news)
    page.get_by_role("button", name="Email me my data").click()
    expect(page.get_by_role("heading")).to_have_text("Check your inbox")
    link = publisher.link(address, 2)
    page.goto(link)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    archive = ZipFile(download.value.path())
    assert json.loads(archive.read("data.json"))["data"]["contact"]["first_name"] == "Rita"
    assert address in archive.read("contact.csv").decode("utf-8-sig")
    assert "Ferries" in archive.read("emails.csv").decode("utf-8-sig")
    assert httpx2.post(f"{publisher.base_url}{link}").status_code == 404


@with_and_without_javascript
def test_a_deleted_reader_is_refused_everywhere(page: Page, publisher: Publisher, news: Any, javascript: str) -> None:
    address = f"{javascript}@deleted.example"
    open_preferences(page, publisher, address, news)
    page.get_by_role("button", name="Delete my data").click()
    expect(page.get_by_role("heading")).to_have_text("Check your inbox")
    page.goto(publisher.link(address, 2))
    assert publisher.contact(address)["first_name"] == "Rita"  # opening the link deletes nothing
    page.get_by_role("button", name="Delete my data").click()
    expect(page.get_by_role("heading")).to_have_text("Your data was deleted")

    assert publisher.call("GET", f"/contacts/{address}")[0] == 404
    status, answer = publisher.call("POST", "/contacts", {"email": address})
    assert (status, ERASED in answer["details"][0]["message"]) == (400, True)
    page.context.add_cookies([{"name": "session", "value": publisher.session, "url": publisher.base_url}])
    page.goto("/imports/new")
    file = {"name": "people.csv", "mimeType": "text/csv", "buffer": f"email\n{address}\n".encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload and match columns").click()
    page.get_by_role("button", name="Preview import").click()
    expect(page.locator("main")).to_contain_text("Nothing to import.")
    expect(page.locator("main")).to_contain_text(ERASED)


@with_and_without_javascript
def test_a_deleted_reader_comes_back_as_a_new_contact(
    page: Page, publisher: Publisher, form: Any, news: Any, javascript: str
) -> None:
    address = f"{javascript}@returning.example"
    segment = publisher.make("/segments", name=f"Former, scripts {javascript}")
    values = {"first_name": "Rita", "custom_fields": {"ship": "Kestrel"}, "do_not_track": True}
    former = publisher.make("/contacts", email=address, **values)
    publisher.make(f"/segments/{segment['id']}/contacts", contact_id=former["id"])
    publisher.call(
        "PATCH", f"/contacts/{former['id']}/topics", {"topics": [{"id": news["id"], "subscription": "opt_out"}]}
    )
    publisher.make(f"/contacts/{former['id']}/erase")
    sign_up(page, publisher, form, address)
    contact = publisher.contact(address)
    assert contact["id"] != former["id"]
    assert (contact["status"], contact["first_name"], contact["custom_fields"]) == ("subscribed", None, {})
    assert contact["do_not_track"] is False
    assert publisher.call("GET", f"/segments/{segment['id']}/contacts")[1]["data"] == []
    assert chosen_topics(publisher, address)["Harbor news"] == "opt_in"
    consents = publisher.call("GET", f"/contacts/{address}/consents")[1]["data"]
    assert {consent["kind"] for consent in consents} == {"form"}
