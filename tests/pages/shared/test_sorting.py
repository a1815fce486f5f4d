"""Lists are sorted by the heads of their columns, which are links."""

from datetime import timedelta

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor, make_person
from webapp import clock
from webapp.domain.roles import Role
from webapp.models import AccountUsage, Contact, Organization

# Of each list what its orders make of rows that are named b, C and a, in the order of their creation.
LISTS = {
    "/accounts": {"name": "abC", "-name": "Cba", "-sent": "abC", "sent": "Cba"},
    "/campaigns": {
        "title": "abC",
        "-title": "Cba",
        "created": "bCa",
        "-created": "aCb",
        "-last_send": "baC",
        "last_send": "Cab",
    },
    "/contacts": {"email": "abC", "-email": "Cba", "created": "bCa"},
    "/segments": {"-name": "Cba", "-members": "aCb", "members": "bCa", "created": "bCa"},
    "/team": {"name": "abC", "-role": "Cab", "role": "baC", "-joined": "aCb"},
    "/templates": {"name": "abC", "-updated": "aCb", "updated": "bCa"},
}
UNKNOWN = ("password_hash", "--name", "name;", "NAME", "name,id", "\0", "x" * 5_000)


def names(page: Page) -> list[str]:
    return [link.get_text() for link in page.soup.select("tbody .cell-title > :is(.row-link, b)")]


def sorts(page: Page) -> dict[str, str]:
    """The directions of the sorted columns, by their links' words."""
    return {head.find("a", class_="here").get_text(): head["aria-sort"] for head in page.soup.select("th[aria-sort]")}


async def fill(org: Organization) -> None:
    for number, letter in enumerate("bCa"):
        account = await make_account(org, name=f"{letter} account")
        used = AccountUsage(account_id=account.id, day=clock.today(org.timezone), used=(5, 0, 9)[number])
        await used.save()
        await make_template(org, name=f"{letter} template")
        sent_at = None if letter == "C" else clock.now() - timedelta(days=number)
        await make_campaign(org, title=f"{letter} campaign", last_run_at=sent_at)
        member = await make_contact(org, f"{letter}@example.org")
        members = [member, *await Contact.of(org).exclude(id=member.id)]
        await make_segment(org, *members[: number + 1], name=f"{letter} segment")
        await make_person(org, f"{letter}@{org.id}.example", (Role.VIEWER, Role.ADMIN, Role.EDITOR)[number])


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_is_sorted_by_its_columns(
    owner: Visitor, acme: Organization, rival: Organization, path: str
) -> None:
    await fill(acme)
    await fill(rival)
    for sort, letters in LISTS[path].items():
        page = await owner.get(f"{path}?sort={sort}")
        found = [name for name in names(page) if name[0] in "abC" and name != "ada@acme.example"]
        assert [name[0] for name in found] == list(letters), sort
        assert list(sorts(page).values()) == ["descending" if sort.startswith("-") else "ascending"]


@pytest.mark.parametrize("path", LISTS)
async def test_a_head_turns_the_order_round(owner: Visitor, acme: Organization, path: str) -> None:
    await fill(acme)
    for number, head in enumerate((await owner.get(path)).soup.select("th .sort")):
        page = await owner.get(head["href"])
        again = await owner.get(page.soup.select("th .sort")[number]["href"])
        assert sorts(page).keys() == sorts(again).keys() == {head.get_text()}
        assert {*sorts(page).values(), *sorts(again).values()} == {"ascending", "descending"}


@pytest.mark.parametrize("path", LISTS)
async def test_an_unknown_column_is_ignored(owner: Visitor, acme: Organization, path: str) -> None:
    await fill(acme)
    plain = await owner.get(path)
    for sort in UNKNOWN:
        page = await owner.get(path, query_string={"sort": sort})
        assert (page.status, page.rows, sorts(page)) == (200, plain.rows, sorts(plain))


async def test_the_order_stays_with_the_search_and_the_page(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for number in range(30):
        await make_segment(acme, name=f"Readers {number:02}")
    await make_segment(rival, name="Readers 99")
    owner.client.set_cookie("localhost", "page_size", "25")
    page = await owner.get("/segments?q=readers&sort=-name")
    assert names(page)[0] == "Readers 29"
    assert page.soup.select_one("form.finder input[name=sort]")["value"] == "-name"
    assert page.soup.select_one("th .sort")["href"] == "/segments?sort=name&q=readers"
    assert names(await owner.get(page.soup.select_one("a[rel=next]")["href"])) == [
        f"Readers {number:02}" for number in range(4, -1, -1)
    ]
    drafts = await owner.get("/campaigns?sort=title")
    assert not drafts.soup.select("th .sort")
    await make_campaign(acme)
    drafts = await owner.get("/campaigns?sort=title&status=draft")
    assert drafts.soup.select("nav.filters a")[0]["href"] == "/campaigns?sort=title"


@pytest.mark.parametrize("sort", ["email", "-email", "created"])
async def test_all_pages_of_sorted_contacts_fit_together(
    owner: Visitor, acme: Organization, rival: Organization, sort: str
) -> None:
    for number in range(60):
        await make_contact(acme, f"c{number * 7 % 60:02}@example.org")
    await make_contact(rival, "c00@rival.example")
    owner.client.set_cookie("localhost", "page_size", "25")
    pages = [names(await owner.get(f"/contacts?sort={sort}&page={number}")) for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [25, 25, 10]
    by_name = [f"c{number:02}@example.org" for number in range(60)]
    orders = {
        "email": by_name,
        "-email": by_name[::-1],
        "created": [f"c{number * 7 % 60:02}@example.org" for number in range(60)],
    }
    assert [name for page in pages for name in page] == orders[sort]


async def test_contacts_that_are_searched_come_newest_first(owner: Visitor, acme: Organization) -> None:
    for email in ("b@example.org", "a@example.org"):
        await make_contact(acme, email)
    page = await owner.get("/contacts?q=example&sort=-email")
    assert names(page) == ["a@example.org", "b@example.org"]
    assert not page.soup.select("th .sort")
    assert page.soup.select_one("form.sifter input[name=sort]")["value"] == "-email"
