"""The columns of the list of contacts."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Page, Visitor
from webapp.models import CustomField, Organization

PLACE = "/contacts/columns"


def headings(page: Page) -> list[str]:
    return [head.get_text(" ", strip=True) for head in page.soup.select("thead th")][1:]


async def test_the_columns_of_the_list_are_chosen(owner: Visitor, rival_owner: Visitor, acme: Organization) -> None:
    await CustomField.named(acme, "home_port", label="Home Port").save()
    await make_contact(acme, "ada@example.org", phone="1", custom_fields={"Home_Port": "Oslo"})
    assert headings(await owner.get("/contacts"))[-3:] == ["Status", "Phone", "Added"]
    page = await owner.send_form(PLACE, column=["last_active_at", "custom_fields.home_port", "no such column"])
    assert (page.path, headings(page)[-3:]) == ("/contacts", ["Status", "Last active", "Home Port"])
    assert page.rows[0][-1] == "Oslo"
    assert headings(await owner.get("/contacts?q=ada"))[-3:] == ["Status", "Last active", "Home Port"]
    offered = await rival_owner.get(PLACE)
    assert "Home Port" not in offered.text
    assert "home_port" not in offered.text


@pytest.mark.parametrize(
    ("kind", "stored", "shown"),
    [
        ("boolean", "true", "Yes"),
        ("boolean", "false", "No"),
        ("boolean", "perhaps", "perhaps"),
        ("date", "2026-11-18 at noon", "2026-11-18 at noon"),
        ("text", True, "Yes"),
        ("text", "true", "true"),
        ("text", "2026-11-18", "2026-11-18"),
    ],
)
async def test_a_value_looks_alike_in_the_list_and_on_the_page_of_its_contact(
    owner: Visitor, rival_owner: Visitor, acme: Organization, kind: str, stored: Any, shown: str
) -> None:
    await CustomField.named(acme, "vip", label="VIP", kind=kind).save()
    contact = await make_contact(acme, "ada@example.org", custom_fields={"vip": stored})
    listed = await owner.send_form(PLACE, column=["custom_fields.vip"])
    assert listed.rows[0][-1] == shown
    page = await owner.get(f"/contacts/{contact.id}")
    assert [value.text for value in page.soup.select("section[aria-labelledby=custom] dd")] == [shown]
    assert (await rival_owner.get(f"/contacts/{contact.id}")).status == 404


async def test_saving_columns_leads_back_to_the_list_as_it_was(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    for number in range(51):
        await make_contact(acme, f"c{number}@example.org")
    query = {"q": "example.org", "status": "subscribed", "page": "2"}
    page = await owner.get("/contacts", query_string=query)
    (link,) = page.soup.select('a[href^="/contacts/columns"]')
    for visitor, count in ((owner, 1), (rival_owner, 0)):  # a link shows nobody else's contacts
        form = await visitor.get(str(link["href"]))
        (cancel,) = [link for link in form.soup.select("a") if link.text == "Cancel"]
        saved = await visitor.submit(form, PLACE, column=["phone"])
        assert [dict(parse_qsl(urlsplit(str(url)).query)) for url in (cancel["href"], saved.path)] == [query, query]
        assert len(saved.rows) == count


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
async def test_saving_columns_leads_to_no_other_site(owner: Visitor, back: str) -> None:
    form = await owner.get(PLACE, query_string={"back": back})
    assert [link["href"] for link in form.soup.select("a") if link.text == "Cancel"] == ["/contacts"]
    assert (await owner.submit(form, PLACE, back=back)).path == "/contacts"


async def test_more_columns_than_fit_are_refused(owner: Visitor, acme: Organization) -> None:
    names = [f"field_{number}" for number in range(7)]
    await make_contact(acme, "ada@example.org", custom_fields=dict.fromkeys(names, "x"))
    page = await owner.send_form(PLACE, column=[f"custom_fields.{name}" for name in names])
    assert page.status == 422
    assert "Select 6 columns at most." in page.text
