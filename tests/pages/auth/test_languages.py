"""The pages and mails around signing in speak the language of the visitor's browser."""

import re

import pytest

from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Page, Visitor, make_person
from tests.pages.organization.test_invitations import invite, link_on
from tests.support.instance_mail import body_of, links_to, mailing_by, read
from webapp.config import Settings
from webapp.config.mail import SignUp
from webapp.domain.auth.one_time_links import send_requested_links
from webapp.domain.auth.owners import create_claim_link
from webapp.languages import LANGUAGES, Translator, sentences
from webapp.models import OneTimeLink, Organization

ADA = "ada@acme.example"
ISOLATES = {0x2068: None, 0x2069: None}  # which pages have as elements


@pytest.fixture
def german(stranger: Visitor) -> Visitor:
    stranger.headers["Accept-Language"] = "de-AT, en;q=0.5"
    return stranger


def labels(page: Page) -> list[str]:
    return [label.get_text(" ", strip=True) for label in page.soup.select("form.form label")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_sign_in_page_is_in_the_language_of_the_browser(stranger: Visitor, language: str) -> None:
    stranger.headers["Accept-Language"] = f"xx, {language}"
    page = await stranger.get("/sign-in")
    words = sentences(language)
    assert (page.title, page.soup.html["lang"]) == (words["account.sign_in"], language)
    assert page.soup.html["dir"] == ("rtl" if language == "ar" else "ltr")
    assert labels(page) == [words["account.email"], words["account.password"]]


async def test_errors_of_signing_in_are_in_the_language_of_the_page(german: Visitor) -> None:
    page = await german.get("/sign-in")
    for _ in range(5):
        page = await german.submit(page, email=ADA, password="wrong")
        assert "E-Mail-Adresse oder Passwort ist falsch." in page.text
    page = await german.submit(page, email=ADA, password="wrong")
    assert page.status == 429
    assert re.search(r"Zu viele Versuche\. Versuchen Sie es in \d+ Min\. noch einmal\.", page.text)


async def test_a_password_is_reset_in_the_language_of_the_page_that_asked(
    german: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    await make_person(acme, ADA)
    page = await german.get("/reset")
    assert page.title == "Passwort vergessen?"
    assert (await german.submit(page, email="")).error_at("email") == "Bitte füllen Sie dieses Feld aus."
    page = await german.submit(page, email=ADA)
    assert (page.status, page.title) == (200, "Schauen Sie in Ihr Postfach")
    await send_requested_links()
    (received,) = smtp_server.messages
    message = read(received)
    assert message["Subject"] == "Passwort zurücksetzen"
    assert 'lang="de"' in body_of(message, "html")
    assert "Oder öffnen Sie diesen Link:" in body_of(message, "html")
    (path,) = links_to(ADA, [received], settings.base_url)
    page = await german.get(path)
    assert page.title == "Neues Passwort wählen"
    for password, error in (
        ("password123", "Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes."),
        ("kurz", "Geben Sie mindestens 10 Zeichen ein."),
    ):
        assert (await german.submit(page, new_password=password)).error_at("new_password") == error
    assert (await german.submit(page, new_password="eine lange Reihe")).status == 200
    assert (await german.get(path)).title == "Dieser Link funktioniert nicht"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_pages_of_invitations_and_of_the_first_start_are_in_the_language_of_the_browser(
    owner: Visitor, stranger: Visitor, acme: Organization, language: str
) -> None:
    claim = f"/claim/{await create_claim_link(keeps_others=True)}"
    link = link_on(await invite(owner))
    stranger.headers["Accept-Language"] = language
    t = Translator(language, {})
    for path, title in (
        (claim, "account.void_title"),  # someone owns this server
        (link, "join.title"),
        ("/join/nonsense", "account.void_title"),
    ):
        page = await stranger.get(path)
        assert page.title == t.plain(title, name="Acme").translate(ISOLATES)
        assert "<bdi>" not in page.soup.title.string
        assert (page.soup.html["lang"], page.soup.html["dir"]) == (language, t.direction)
    page = await stranger.get(link)
    words = ("account.first_name", "account.last_name", "join.choose_password")
    assert [label.split(" (")[0] for label in labels(page)] == [t.plain(key) for key in words]
    page = await stranger.submit(page, link, password="short")
    assert page.error_at("password") == t.plain("account.short_password")


async def test_signing_up_goes_on_in_the_language_of_the_page_that_asked(
    stranger: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings, SignUp.OPEN)
    await make_person(acme, ADA)
    stranger.headers["Accept-Language"] = "ar"
    page = await stranger.get("/sign-up")
    for email in ("new@example.org", ADA):
        await stranger.submit(page, email=email)
    await OneTimeLink.filter(email=ADA).update(language=None)  # asked for before an upgrade
    await send_requested_links()
    subjects = {received.recipients[0]: read(received)["Subject"] for received in smtp_server.messages}
    assert subjects == {"new@example.org": "أكمل التسجيل", ADA: "You already have an account"}
    (path,) = links_to("new@example.org", smtp_server.messages, settings.base_url)
    page = await stranger.get(path)
    assert (page.title, page.soup.html["dir"]) == ("أنشئ حسابك", "rtl")
