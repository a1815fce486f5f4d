"""Pages for readers speak their language, in the organization's brand."""

from uuid import uuid4

import pytest
from quart import Quart

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from webapp.domain.contacts.unsubscribe import token_for
from webapp.languages import LANGUAGES, sentences, values_of
from webapp.models import Contact, Organization

ENGLISH, GERMAN, ARABIC = "Unsubscribe?", "Abmelden?", "هل تريد إلغاء الاشتراك؟"


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "ann@example.org")


@pytest.fixture
def path(contact: Contact) -> str:
    return f"/unsubscribe/{token_for(contact.id, uuid4())}"


async def heading(app: Quart, path: str, accepted: str = "") -> str:
    answer = await app.test_client().get(path, headers={"Accept-Language": accepted})
    return (await answer.get_data(as_text=True)).partition("<h1>")[2].partition("</h1>")[0]


async def test_a_name_with_a_full_stop_ends_its_sentence(stranger: Visitor, acme: Organization, path: str) -> None:
    await Organization.filter(id=acme.id).update(name="Acme Inc.")
    text = (await stranger.get(path)).text
    assert "ann@example.org is subscribed to Acme Inc. " in text
    assert "Inc.." not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence_with_its_values(language: str) -> None:
    english, own = sentences("en"), sentences(language)
    assert list(own) == list(english)
    assert {key: values_of(text) for key, text in own.items()} == {
        key: values_of(text) for key, text in english.items()
    }
    assert all(text.strip() == text != "" for text in own.values())
    assert language == "en" or not set(own.values()) & set(english.values())


@pytest.mark.parametrize(
    ("query", "accepted", "shown"),
    [
        ("", "", ENGLISH),
        ("", "de-CH, en;q=0.5", GERMAN),
        ("", "xx, de;q=0.3", GERMAN),
        ("", "de;q=0, en", ENGLISH),
        ("", "xx-🦊".encode().decode("latin-1"), ENGLISH),
        ("?l=ar", "de", ARABIC),
        ("?l=pt-BR", "de", "Cancelar a inscrição?"),
        ("?l=xx", "de", GERMAN),
        ("?l=%00", "", ENGLISH),
    ],
)
async def test_a_page_is_in_the_language_that_its_reader_asks_for(
    app: Quart, path: str, query: str, accepted: str, shown: str
) -> None:
    assert await heading(app, path + query, accepted) == shown


async def test_the_brand_page_saves_language_and_words(owner: Visitor, app: Quart, path: str) -> None:
    page = await owner.get("/organization/brand")
    page = await owner.submit(page, "/organization/brand", language="ar")
    assert page.soup.select_one("[name='language'] [selected]")["value"] == "ar"
    words = {"texts.unsubscribe.title": "A?", "texts.unsubscribe.done": "{name}"}
    refused = await owner.submit(page, "/organization/brand", **words)
    assert (refused.status, refused.error_at("texts.unsubscribe.done")) == (
        422,
        "Has no value {name}: it has {email}, {sender}.",
    )
    assert await heading(app, path) == ARABIC
    await owner.submit(page, "/organization/brand", **words | {"texts.unsubscribe.done": ""})
    assert await heading(app, path) == "A?"


async def test_the_forms_of_a_page_go_on_in_its_language(stranger: Visitor, path: str) -> None:
    page = await stranger.submit(await stranger.get(f"{path}?l=ar"))
    assert (page.title, page.soup.html["lang"], page.soup.html["dir"]) == ("تم إلغاء اشتراكك", "ar", "rtl")
    assert page.soup.select_one("p bdi").get_text() == "Acme"
    assert (await stranger.submit(page)).title == "تم تجديد اشتراكك"
    assert (await stranger.get("/view/none?l=ja")).title == "このリンクは使えません"


async def test_a_page_is_in_the_brand_and_needs_no_script(owner: Visitor, stranger: Visitor, path: str) -> None:
    logo = "https://pictures.example/logo.png"
    brand = await owner.get("/organization/brand")
    await owner.submit(brand, "/organization/brand", button="#b45309", logo_url=logo)
    page = await stranger.get(path)
    policy = page.response.headers["Content-Security-Policy"]
    assert "script-src" not in policy
    assert "img-src 'self' data: https://pictures.example;" in policy
    assert page.soup.select_one(".brand img")["src"] == logo
    assert "--button:#b45309" in page.soup.style.get_text()
    assert page.soup.select("script") == []
