"""Lists are sorted by the heads of their columns, which are links."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor, make_person
from webapp import clock, db
from webapp.domain.roles import Role
from webapp.models import AccountUsage, Contact, Organization

# Of each list what its orders make of rows that are named b, C and a, in the order of their creation.
LISTS = {
    "/accounts": {"name": "abC", "-name": "Cba", "-sent": "abC", "sent": "Cba"},
    "/campaigns": {"title": "abC", "created": "bCa", "-created": "aCb", "-last_send": "baC", "last_send": "Cab"},
    "/contacts": {"email": "abC", "-email": "Cba", "created": "bCa"},
    "/segments": {"-name": "Cba", "-members": "aCb", "members": "bCa", "created": "bCa"},
    "/team": {"name": "abC", "-role": "Cab", "role": "baC", "-joined": "aCb"},
    "/templates": {"name": "abC", "-updated": "aCb", "updated": "bCa"},
}
LINKS = "th .sort, .sorts .sort"
UNKNOWN = ("password_hash", "--name", "name;", "NAME", "\0")


def shown(page: Page) -> list[str]:
    return [link.get_text() for link in page.soup.select("tbody .cell-title :is(.row-link, b)")]


def sorts(page: Page) -> dict[str, str]:
    """The directions of the sorted columns, or of the line above the table, by their links' words."""
    heads = {head.find("a", class_="here").get_text(): head["aria-sort"] for head in page.soup.select("th[aria-sort]")}
    line = [link.get_text().split(", ") for link in page.soup.select(".sorts .here")]
    return heads | dict(line)


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
async def test_a_list_is_sorted_by_its_columns_either_way_and_no_other(
    owner: Visitor, acme: Organization, rival: Organization, path: str
) -> None:
    await fill(acme)
    await fill(rival)
    for sort, letters in LISTS[path].items():
        page = await owner.get(f"{path}?sort={sort}")
        found = [name for name in shown(page) if name[0] in "abC" and name != "ada@acme.example"]
        assert [name[0] for name in found] == list(letters), sort
        assert list(sorts(page).values()) == ["descending" if sort.startswith("-") else "ascending"]
    plain = await owner.get(path)
    for sort in UNKNOWN:
        page = await owner.get(path, query_string={"sort": sort})
        assert (page.status, page.rows, sorts(page)) == (200, plain.rows, sorts(plain))
    for number, head in enumerate(plain.soup.select(LINKS)):
        page = await owner.get(head["href"])
        again = await owner.get(page.soup.select(LINKS)[number]["href"])
        assert sorts(page).keys() == sorts(again).keys() == {head.get_text().partition(",")[0]}
        assert {*sorts(page).values(), *sorts(again).values()} == {"ascending", "descending"}


async def test_the_order_stays_with_the_search_and_the_page(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for number in range(30):
        await make_segment(acme, name=f"Readers {number:02}")
    await make_segment(rival, name="Readers 99")
    owner.client.set_cookie("localhost", "page_size", "25")
    page = await owner.get("/segments?q=readers&sort=-name")
    assert shown(page)[0] == "Readers 29"
    assert page.soup.select_one("form.finder input[name=sort]")["value"] == "-name"
    assert page.soup.select_one("th .sort")["href"] == "/segments?sort=name&q=readers"
    assert shown(await owner.get(page.soup.select_one("a[rel=next]")["href"])) == [
        f"Readers {number:02}" for number in range(4, -1, -1)
    ]


@pytest.fixture
async def collation(database: str) -> AsyncIterator[None]:
    """The order of a language among addresses, as many PostgreSQL servers have it; SQLite's is that of code points."""
    if db.connection().capabilities.dialect != "postgres":
        yield
        return
    alter = 'ALTER TABLE contacts ALTER COLUMN email_key TYPE varchar(254) COLLATE "{}"'
    await db.connection().execute_script(alter.format("en-x-icu"))
    yield
    await db.connection().execute_script(alter.format("default"))


@pytest.mark.usefixtures("collation")
async def test_pages_by_email_are_in_the_order_of_the_database(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    names = [f"{first}{middle}{last}" for first in "abc" for middle in ("", "-", "_", "+", ".") for last in "azb59"]
    for org in (acme, rival):
        emails = [f"{name}@{org.id}.example" for name in names]
        rows = [
            Contact(id=uuid7(), org=org, email=one, email_key=one, search_text=one, custom_fields={}) for one in emails
        ]
        await Contact.bulk_create(rows)
    statement = "SELECT email_key FROM contacts WHERE org_id = $1 ORDER BY email_key"
    expected = [row["email_key"] for row in await db.fetch(statement, acme.id)]
    made = [row["email_key"] for row in await db.fetch(statement.replace("BY email_key", "BY id"), acme.id)]
    owner.client.set_cookie("localhost", "page_size", "25")
    for sort, order in (("email", expected), ("-email", expected[::-1]), ("created", made)):
        pages = [await owner.get(f"/contacts?sort={sort}&page={number}") for number in (1, 2, 3)]
        assert [email for page in pages for email in shown(page)] == order, sort
