"""The search of the API reference, and how it looks to people of an organization."""

import asyncio
from time import monotonic
from urllib.parse import quote

from tests.fakes.worker import eventually
from tests.pages.conftest import Page, Visitor
from webapp.http.openapi.document import document
from webapp.pages.api_reference.search import search_reference


def hits(page: Page, kind: str) -> list[tuple[str, str]]:
    """The words and the address of each hit of a kind."""
    for section in page.soup.select("#reading section"):
        heading = section.h2
        if heading and heading.get_text() == kind:
            return [(link.get_text(" ", strip=True), str(link["href"])) for link in section.select("li a")]
    return []


async def find(visitor: Visitor, words: str, path: str = "/reference") -> Page:
    page = await visitor.get(f"{path}?q={quote(words)}")
    assert page.status == 200
    return page


async def test_every_endpoint_is_found_by_its_method_and_path(stranger: Visitor) -> None:
    async with stranger.app.app_context():
        for path, operations in document()["paths"].items():
            for method, operation in operations.items():
                found = search_reference(f"{method} {path}")["Endpoints"].shown
                anchors = {(hit.method, hit.label): hit.anchor for hit in found}
                assert anchors[method.upper(), path] == operation["operationId"]
    page = await find(stranger, "post /v1/emails")
    assert hits(page, "Endpoints")[0] == ("POST /v1/emails", "/reference/emails#emails_create")


async def test_a_field_is_found_where_it_is_sent_and_where_it_is_returned(stranger: Visitor) -> None:
    page = await find(stranger, "daily_mail_limit")
    sent = hits(page, "Request fields")
    assert ("daily_mail_limit", "/reference/accounts#accounts_create.daily_mail_limit") in sent
    assert hits(page, "Response fields") == [("daily_mail_limit", "/reference/accounts#answer-accounts_index")]
    target = await stranger.get("/reference/accounts")
    for _, href in (*sent, *hits(page, "Response fields")):
        assert target.soup.find(id=href.partition("#")[2]), href


async def test_an_error_is_found_by_its_name_and_by_its_status(stranger: Visitor) -> None:
    overview = await stranger.get("/reference")
    for words in ("PlanLimitExceeded", "planlimit", "403 exceeded"):
        page = await find(stranger, words)
        assert hits(page, "Errors") == [("403 PlanLimitExceeded", "/reference#error-PlanLimitExceeded")]
    for _, href in hits(await find(stranger, "conflict"), "Errors"):
        assert overview.soup.find(id=href.partition("#")[2]), href


async def test_who_is_signed_in_reads_the_same_in_their_own_frame(
    stranger: Visitor, owner: Visitor, rival_owner: Visitor
) -> None:
    for path in ("/reference/emails", "/reference?q=email"):
        public = (await stranger.get(path)).soup.find(id="reading")
        for person in (owner, rival_owner):
            page = await person.get(path)
            assert page.soup.find(id="reading") == public
            assert page.soup.select_one("nav[aria-label=Main] a[aria-current=page]")["href"] == "/reference"
            assert not page.soup.select_one("a[href='/sign-in']")
    assert "Acme is on the Enterprise plan." in (await owner.get("/reference")).text
    assert "is on the" not in (await stranger.get("/reference")).text


async def test_it_is_built_before_somebody_reads_it(stranger: Visitor) -> None:
    async def is_built() -> bool:
        return "api_nouns" in stranger.app.extensions

    async with stranger.app.test_app():
        await eventually(is_built)


async def test_others_are_answered_while_the_first_reader_waits(stranger: Visitor) -> None:
    memory = stranger.app.extensions

    async def read_first() -> Page:
        for name in ("api_nouns", "openapi"):
            memory.pop(name, None)
        return await stranger.get("/reference")

    started = monotonic()
    await read_first()
    blocked, longest = monotonic() - started, 0.0
    reader = asyncio.create_task(read_first())
    while not reader.done():
        started = monotonic()
        await asyncio.sleep(0)
        longest = max(longest, monotonic() - started)
    assert (await reader).status == 200
    assert longest < blocked / 2
