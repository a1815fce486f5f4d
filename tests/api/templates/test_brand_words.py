"""An organization's own language and words on pages for its readers."""

from typing import Any
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api
from tests.factories import make_contact
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import Organization


async def page_of(app: Quart, org: Organization, accepted: str = "") -> str:
    """The page of an unsubscribe link of the organization."""
    contact = await make_contact(org)
    answer = await app.test_client().get(
        f"/unsubscribe/{token_for(contact.id, uuid4())}", headers={"Accept-Language": accepted}
    )
    return await answer.get_data(as_text=True)


async def test_an_organization_has_a_language_and_words_of_its_own(
    app: Quart, api: Api, rival_api: Api, acme: Organization, rival: Organization
) -> None:
    texts = {"unsubscribe.title": "Willst du <gehen>?", "unsubscribe.subscribed": "{sender} schreibt dir."}
    texts |= {"preferences.title": "Deine Wahl"}
    status, answer = await api.patch("/v1/brand", {"language": "de", "texts": texts})
    assert (status, answer["data"]["language"], answer["data"]["texts"]) == (200, "de", texts)
    page = await page_of(app, acme)
    assert "<h1>Willst du &lt;gehen&gt;?</h1>" in page
    assert "<p>Acme schreibt dir.</p>" in page
    assert "<h2>Deine Wahl</h2>" in page
    assert "<h1>Se désabonner ?</h1>" in await page_of(app, acme, "fr")  # its own words are German
    assert "<h1>Unsubscribe?</h1>" in await page_of(app, rival)
    assert (await rival_api.get("/v1/brand"))[1]["data"]["texts"] == {}
    assert (await api.patch("/v1/brand", {"texts": {}}))[0] == 200
    assert "<h1>Abmelden?</h1>" in await page_of(app, acme)


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"language": "xx"}, "language", "language must be"),
        ({"texts": {"unsubscribe.titel": "A"}}, "texts.unsubscribe.titel", "did you mean unsubscribe.title?"),
        ({"texts": {"account.sign_in": "A"}}, "texts.account.sign_in", "is not a sentence"),
        ({"texts": {"unsubscribe.title": "{email}"}}, "texts.unsubscribe.title", "has no value {email}: it has none"),
        (
            {"texts": {"unsubscribe.done": "{name}"}},
            "texts.unsubscribe.done",
            "has no value {name}: it has {email}, {sender}",
        ),
        ({"texts": {"unsubscribe.done": ""}}, "texts.unsubscribe.done", "must not be empty"),
        ({"texts": {"unsubscribe.done": "a" * 501}}, "texts.unsubscribe.done", "500 characters"),
        ({"texts": ["a"]}, "texts", "texts must be an object"),
    ],
)
async def test_words_that_no_page_could_show_are_refused(api: Api, change: Any, field: str, words: str) -> None:
    status, answer = await api.patch("/v1/brand", change)
    assert (status, answer["details"][0]["field"]) == (400, field)
    assert words in answer["message"]
