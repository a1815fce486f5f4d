"""The search over everything, as a page and as its fragments."""

from collections.abc import Sequence

import pytest

from tests.factories import (
    make_account,
    make_campaign,
    make_contact,
    make_form,
    make_mail,
    make_segment,
    make_template,
    make_topic,
    make_webhook,
)
from tests.pages.conftest import Page, Visitor
from webapp.models import Account, Contact, Organization, Template

CODE = ("/help/where-things-are", "/help/how-a-", "/help/bounds")
SPRING = {
    "Contacts": "Spring Müller",
    "Campaigns": "Spring sale",
    "Templates": "Spring",
    "Segments": "Spring guests",
    "Forms": "Spring café",
    "Topics": "Spring news",
    "Accounts": "Spring shop",
    "Webhooks": "https://spring.example/hooks",
}


async def make_names(org: Organization) -> Contact:
    contact = await make_contact(org, "Mueller@Example.org", first_name="Spring", last_name="Müller")
    await make_campaign(org, title="Spring sale")
    await make_template(org, name="Spring")
    await make_segment(org, contact, name="Spring guests")
    await make_form(org, name="Spring café")
    await make_topic(org, name="Spring news")
    await make_account(org, name="Spring shop", from_email="sales@spring.example")
    await make_account(org, name="Without an address", from_email=None)
    await make_webhook(org, "https://spring.example/hooks")
    return contact


@pytest.fixture(autouse=True)
async def named(acme: Organization, rival: Organization, account: Account) -> Contact:
    """Both organizations have the same names; ours has an email as well."""
    await make_names(rival)
    await make_mail(acme, account, "reader@example.net")
    return await make_names(acme)


def titles(page: Page) -> dict[str, list[str]]:
    """The titles of the results, by the name of their group."""
    groups = page.soup.select("#search-results > section:has(h2)")
    return {group.h2.text: [link.select_one("span").text for link in group.select("a:not(.small)")] for group in groups}


def hrefs(page: Page) -> Sequence[str]:
    return [str(link["href"]) for link in page.soup.select("#search-results section:has(h2) a")]


@pytest.mark.parametrize("path", ["/search", "/search/results"])
async def test_a_name_finds_its_rows_of_each_kind_the_same_name_first(
    owner: Visitor, named: Contact, acme: Organization, path: str
) -> None:
    page = await owner.get(path, query_string={"q": " sprinG "})
    assert titles(page) == {label: [title] for label, title in SPRING.items()}
    template = await Template.of(acme).get()
    assert hrefs(page)[:2] == [f"/templates/{template.id}", f"/contacts/{named.id}"]


async def test_a_title_is_before_newer_ones_that_begin_with_it(owner: Visitor, acme: Organization) -> None:
    for title in ("May", "May (copy)", "May (follow-up)"):
        await make_campaign(acme, title=title)
    page = await owner.get("/search", query_string={"q": "may"})
    assert titles(page)["Campaigns"][0] == "May"


@pytest.mark.parametrize(
    ("q", "label"),
    [
        ("mueller@ex", "Contacts"),
        ("MÜLL", "Contacts"),
        ("spring mü", "Contacts"),
        ("muller", "Contacts"),
        ("spring mull", "Contacts"),
        ("Muller Spring", "Contacts"),
        ("sale", "Campaigns"),
        ("guests", "Segments"),
        ("CAFE", "Forms"),
        ("NEWS", "Topics"),
        ("shop", "Accounts"),
        ("sales@", "Accounts"),
        ("without", "Accounts"),
        ("/hooks", "Webhooks"),
        ("hello", "Transactional"),
        ("READER@", "Transactional"),
        ("timezone", "Pages"),
        ("custom fields", "Pages"),
        ("later bounces", "Help"),
        ("dkim", "Help"),
        ("ueller", None),
        ("example.org", None),
        ("spring x", None),
        ("%", None),
        ("_", None),
    ],
)
async def test_how_it_is_found(owner: Visitor, q: str, label: str | None) -> None:
    assert label in titles(page := await owner.get("/search", query_string={"q": q})) or label is None, titles(page)
    if label == "Help":
        assert (await owner.get(hrefs(page)[0].partition("#")[0])).status == 200
    if label is None:
        assert titles(page) == {}
        assert "/contacts?q=" in str(page.soup.select_one("#search-results"))


SPELLINGS = [
    ("Röstung", "rostung"),
    ("rostung", "RÖSTUNG"),
    ("Große Straße", "GROSSE STRASSE"),
    ("Łódź", "lodz"),
    ("ÇELİK", "celik"),
    ("Ελλάς", "ΕΛΛΑΣ"),
    ("Ёжик", "ЁЖИК"),
    ("pate\u0301", "PÂTÉ"),
    ("ﬁlm", "film"),
    ("Đà Nẵng", "da nang"),
    ("안녕", "안녕"),
]


@pytest.mark.parametrize(("title", "q"), SPELLINGS)
async def test_titles_are_found_in_any_case_and_without_accents(
    owner: Visitor, acme: Organization, account: Account, title: str, q: str
) -> None:
    await make_campaign(acme, title=title)
    await make_template(acme, name="Named", subject=title)
    await make_segment(acme, name=title)
    await make_form(acme, name=title)
    await make_topic(acme, name=title)
    page = await owner.get("/search", query_string={"q": q})
    named = {label: [title] for label in ("Campaigns", "Segments", "Forms", "Topics")}
    assert titles(page) == named | {"Templates": ["Named"]}
    for path in ("/campaigns", "/templates", "/segments"):
        assert (await owner.get(path, query_string={"q": q})).soup.select("main table tbody tr"), path


async def test_at_most_five_of_a_kind_are_shown(owner: Visitor, acme: Organization) -> None:
    for number in range(6):
        await make_campaign(acme, title=f"Autumn {number}")
        await make_contact(acme, f"autumn{number}@example.org")
    page = await owner.get("/search", query_string={"q": "autumn"})
    assert {label: len(shown) for label, shown in titles(page).items()} == {"Contacts": 5, "Campaigns": 5}
    assert "/campaigns?q=autumn" in hrefs(page)


@pytest.mark.parametrize(
    ("q", "href"),
    [
        ("mail log", "/mail-logs"),
        ("undo", "/imports"),
        ("gmail", "/accounts"),
        ("2fa", "/security/two-step"),
        ("columns", "/contacts/columns"),
        ("report", "/campaigns"),
        ("pause", "/campaigns"),
        ("drafts", "/campaigns?status=draft"),
        ("unsubscribe", "/suppressions"),
        ("unsubscribe", "/topics"),
        ("bounce", "/suppressions"),
        ("bounce", "/mail-logs"),
        ("suppress address", "/suppressions/new"),
        ("domain", "/accounts"),
        ("dark", "/security"),
        ("theme", "/security"),
        ("help", "/help"),
    ],
)
async def test_pages_are_found_by_other_words(owner: Visitor, q: str, href: str) -> None:
    results = await owner.get("/search", query_string={"q": q})
    assert href in hrefs(results)
    assert (await owner.get(href)).status == 200
    assert not any(path.startswith(CODE) for path in hrefs(results))


@pytest.mark.parametrize("q", ["orjson", "backoff"])
async def test_the_help_about_the_code_is_found_when_nothing_else_is(owner: Visitor, q: str) -> None:
    page = await owner.get("/search", query_string={"q": q})
    assert list(titles(page)) == ["Help"]
    assert all(href.startswith(CODE) for href in hrefs(page))


@pytest.mark.parametrize(
    ("q", "href"), [("audit", "/audit"), ("add contact", "/contacts/new"), ("brand", "/organization/brand")]
)
async def test_pages_of_other_roles_are_not_found(owner: Visitor, viewer: Visitor, q: str, href: str) -> None:
    assert href in hrefs(await owner.get("/search", query_string={"q": q}))
    assert href not in hrefs(await viewer.get("/search", query_string={"q": q}))


async def test_a_viewer_finds_only_pages_that_open(viewer: Visitor) -> None:
    page = await viewer.get("/search", query_string={"q": "spring"})
    assert titles(page).keys() == SPRING.keys() - {"Webhooks"}
    assert [(await viewer.get(href)).status for href in hrefs(page)] == [200] * len(hrefs(page))


async def test_a_stranger_finds_only_their_own(rival_owner: Visitor, named: Contact) -> None:
    page = await rival_owner.get("/search", query_string={"q": "spring"})
    assert titles(page) == {label: [title] for label, title in SPRING.items()}
    assert str(named.id) not in str(page.soup)
    assert "Transactional" not in titles(await rival_owner.get("/search", query_string={"q": "reader@"}))


async def test_an_empty_search_explains_itself(owner: Visitor) -> None:
    page = await owner.get("/search")
    assert (page.status, titles(page)) == (200, {})
    assert "the start of an address" in page.text
