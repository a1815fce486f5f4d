"""The search of the API reference, and how it looks to people of an organization."""

from urllib.parse import quote

from tests.pages.conftest import Page, Visitor
from webapp.http.openapi.document import document
from webapp.pages.api_reference.search import search_reference

SCRIPT = "<script>alert(1)</script>"


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


async def test_endpoints_lead_from_all_emails_to_one_and_what_is_done_with_it(stranger: Visitor) -> None:
    page = await stranger.get("/reference/emails")
    paths = [heading.code.get_text() for heading in page.soup.select("#reading article h2")]
    assert list(dict.fromkeys(paths)) == [
        "/v1/emails",
        "/v1/emails/batch",
        "/v1/emails/{email_id}",
        "/v1/emails/{email_id}/cancel",
    ]


async def test_an_empty_default_is_not_mentioned(stranger: Visitor) -> None:
    text = (await stranger.get("/reference/templates")).text
    assert "The subject line." in text
    assert "Default: ." not in text


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


async def test_a_guide_is_found(stranger: Visitor) -> None:
    page = await find(stranger, "pagination")
    assert hits(page, "Guides") == [("Pagination and times", "/reference#lists")]


async def test_each_word_must_match_in_any_case_and_names_come_first(stranger: Visitor) -> None:
    both = hits(await find(stranger, "SEND campaign"), "Endpoints")
    assert ("POST /v1/campaigns/{campaign_id}/send", "/reference/campaigns#campaigns_send") in both
    assert all("/v1/campaigns" in words for words, _ in both)
    assert hits(await find(stranger, "status"), "Request fields")[0][0] == "status"


async def test_many_hits_are_cut_and_counted(stranger: Visitor) -> None:
    page = await find(stranger, "e")
    assert len(hits(page, "Request fields")) == 25
    assert "First 25 of" in page.text


async def test_nothing_found_is_said(stranger: Visitor) -> None:
    page = await find(stranger, "xyzzy")
    assert "No results" in page.text
    assert page.soup.select_one("#reading a[href='/reference#endpoints']")


async def test_markup_is_searched_for_as_text(stranger: Visitor) -> None:
    for path in ("/reference", "/reference/emails"):
        page = await find(stranger, SCRIPT, path)
        assert SCRIPT in page.text
        assert all(script.get("src") for script in page.soup.find_all("script"))
        assert page.soup.select_one("input[name=q]")["value"] == SCRIPT


async def test_a_search_of_nothing_is_the_page_itself(stranger: Visitor) -> None:
    for words in ("", "  "):
        assert (await find(stranger, words)).title.startswith("API reference")
        assert (await find(stranger, words, "/reference/emails")).title.startswith("Emails")
    assert (await stranger.get("/reference/none?q=email")).status == 404


async def test_the_language_goes_along(stranger: Visitor) -> None:
    for path in ("/reference", "/reference/emails", "/reference?q=email"):
        page = await stranger.get(f"{path}{'&' if '?' in path else '?'}language=node")
        links = [str(link["href"]) for link in page.soup.select("main a[href^='/reference']")]
        assert links
        assert all("?language=node" in href for href in links), path
        assert page.soup.select_one("form input[name=language]")["value"] == "node"


async def test_who_is_signed_in_reads_the_same_in_their_own_frame(
    stranger: Visitor, owner: Visitor, viewer: Visitor, rival_owner: Visitor
) -> None:
    for path in ("/reference", "/reference/emails", "/reference?q=email"):
        public = (await stranger.get(path)).soup.find(id="reading")
        for person in (owner, viewer, rival_owner):
            page = await person.get(path)
            assert page.soup.find(id="reading") == public
            assert page.soup.select_one("nav[aria-label=Main] a[aria-current=page]")["href"] == "/reference"
            assert not page.soup.select_one("a[href='/sign-in']")
