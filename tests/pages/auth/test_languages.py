"""The pages and mails around signing in speak the language of the visitor's browser."""

import re

import pytest

from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Page, Visitor, make_person
from tests.support.instance_mail import body_of, links_to, mailing_by, read
from webapp.config import Settings
from webapp.config.mail import SignUp
from webapp.domain.auth.one_time_links import send_requested_links
from webapp.languages import LANGUAGES, sentences
from webapp.models import OneTimeLink, Organization

ADA = "ada@acme.example"


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
