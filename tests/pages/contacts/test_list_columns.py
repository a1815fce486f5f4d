"""The columns of the list of contacts."""

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


async def test_more_columns_than_fit_are_refused(owner: Visitor, acme: Organization) -> None:
    names = [f"field_{number}" for number in range(7)]
    await make_contact(acme, "ada@example.org", custom_fields=dict.fromkeys(names, "x"))
    page = await owner.send_form(PLACE, column=[f"custom_fields.{name}" for name in names])
    assert page.status == 422
    assert "Select 6 columns at most." in page.text
