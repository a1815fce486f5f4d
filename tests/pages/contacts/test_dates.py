"""Dates in custom fields, however they were written."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.models import CustomField, Organization


@pytest.mark.parametrize("stored", ["31.12.2026", "1.2.2026", "2026-12-31"])
async def test_a_date_has_one_input_and_one_form_on_pages_but_is_stored_as_it_was_written(
    owner: Visitor, rival_owner: Visitor, acme: Organization, stored: str
) -> None:
    contact = await make_contact(acme, "ada@example.org", custom_fields={"joined": stored})
    await CustomField.named(acme, "joined", label="Joined", kind="date").save()
    days = {"1.2.2026": ("2026-02-01", "1 Feb 2026")}
    place, (day, words) = f"/contacts/{contact.id}", days.get(stored, ("2026-12-31", "31 Dec 2026"))
    form = await owner.get(f"{place}/edit")
    assert [tag["value"] for tag in form.soup.select("input[type=date][name^=value-]")] == [day]
    page = await owner.submit(form, place, phone="1")
    await contact.refresh_from_db()
    assert (contact.phone, contact.custom_fields) == ("1", {"joined": stored})
    assert [tag.text for tag in page.soup.select("section[aria-labelledby=custom] dd")] == [words]
    listed = await owner.send_form("/contacts/columns", column=["custom_fields.joined"])
    assert listed.rows[0][-1] == words
    refused = await owner.submit(await owner.get(f"{place}/edit"), place, email="")
    assert [tag["value"] for tag in refused.soup.select("input[type=date][name^=value-]")] == [day]
    changes: dict[str, Any] = {"email": "ada@example.org", "value-0": "2027-01-15"}
    await owner.submit(refused, place, **changes)
    await contact.refresh_from_db()
    assert contact.custom_fields == {"joined": "2027-01-15"}
    assert (await rival_owner.get(f"{place}/edit")).status == 404


@pytest.mark.parametrize(
    ("op", "words", "unlike"),
    [
        ("anniversary_this_month", "is this month, any year", 40),
        ("anniversary_today", "is today, any year", 1),
    ],
)
async def test_those_whose_birthday_it_is_are_a_segment(
    owner: Visitor, rival: Organization, acme: Organization, op: str, words: str, unlike: int
) -> None:
    await CustomField.named(acme, "birthday", label="Birthday", kind="date").save()
    today = clock.now().astimezone(ZoneInfo(acme.timezone)).date()
    for org in (acme, rival):  # 1992 had a 29 February
        birthday = today.replace(year=1992).isoformat()
        await make_contact(org, f"ada@{org.id}.example", custom_fields={"birthday": birthday})
    other = (today + timedelta(days=unlike)).isoformat()
    await make_contact(acme, "bob@example.org", custom_fields={"birthday": other})
    place = "/segments/new/dynamic"
    page = await owner.submit(await owner.get(place), place, name="A", add="custom_fields.birthday", do="add")
    assert words in [option.text for option in page.soup.select("#f-op-0 option")]
    changes: dict[str, Any] = {"op-0": op, "do": "save"}
    page = await owner.submit(page, place, **changes)
    assert {row[0] for row in page.rows} == {f"ada@{acme.id}.example"}
    assert f"Birthday {words}" in page.text
