"""Contacts found by conditions: carried in the address, joined with the text, saved as a segment, refused."""

from urllib.parse import parse_qsl

import pytest

from tests.factories import make_campaign, make_contact, make_segment
from tests.pages.conftest import Page, Visitor, content_of
from tests.pages.contacts.test_contacts import people_on
from webapp.models import AuditEntry, Organization, Segment

BERLIN = "field-0=custom_fields.City&op-0=is&value-0=berlin"


async def fill(visitor: Visitor, page: Page, **typed: str) -> Page:
    """Sends the search form with all that it holds and what is typed, as a browser without JavaScript does."""
    return await visitor.get("/contacts", query_string=content_of(page.soup.select_one("form.sifter")) | typed)


async def people_of_berlin(org: Organization) -> None:
    for name, city in (("ada", "Berlin"), ("bob", "Bonn"), ("eve", "BERLIN"), ("ann", "Rome")):
        await make_contact(org, f"{name}@example.org", custom_fields={"City": city})


async def test_conditions_are_added_one_by_one_and_find_contacts(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await people_of_berlin(acme)
    await make_contact(rival, "theirs@example.org", custom_fields={"City": "Berlin", "Secret": "x"})
    page = await fill(owner, await owner.get("/contacts"), do="filter")
    assert [option.text for option in page.soup.select("#f-add option")][-1] == "City"
    assert len(people_on(page)) == 4
    page = await fill(owner, page, add="custom_fields.City", do="add")
    assert len(people_on(page)) == 4  # an empty condition is still to be completed
    page = await fill(owner, page, **{"op-0": "is", "value-0": "berlin"})
    assert people_on(page) == ["eve@example.org", "ada@example.org"]
    assert "2 contacts match" in page.text
    page = await fill(owner, page, add="email", do="add")
    assert people_on(page) == ["eve@example.org", "ada@example.org"]
    page = await fill(owner, page, **{"op-1": "starts_with", "value-1": "ada"})
    assert people_on(page) == ["ada@example.org"]
    people = people_on(await fill(owner, page, match="or", **{"value-1": "bob"}))
    assert people == ["eve@example.org", "bob@example.org", "ada@example.org"]
    page = await fill(owner, page, do="remove-0")
    assert people_on(page) == ["ada@example.org"]
    assert page.soup.select_one("[autofocus]")["value"] == "remove-0"  # of the condition that is left


async def test_conditions_text_status_and_segment_hold_together_and_are_paged_and_exported(
    owner: Visitor, acme: Organization
) -> None:
    await people_of_berlin(acme)
    eve = await make_contact(acme, "eva@example.org", custom_fields={"City": "Berlin"}, status="unsubscribed")
    gold = await make_segment(acme, eve, name="Gold")
    bonn = {"field": "custom_fields.City", "op": "is_not", "value": "Bonn"}
    fluid = await Segment.create(org=acme, name="F", name_key="f", kind="dynamic", member_filter=bonn)
    for asked, found in (
        ("q=ev", ["eva@example.org", "eve@example.org"]),
        ("status=unsubscribed", ["eva@example.org"]),
        (f"segment_id={gold.id}", ["eva@example.org"]),
        (f"segment_id={fluid.id}&q=a", ["eva@example.org", "eve@example.org", "ada@example.org"]),
    ):
        assert people_on(await owner.get(f"/contacts?{asked}&{BERLIN}")) == found
    text = (await owner.get(f"/contacts/export.csv?q=ev&{BERLIN}")).text
    assert ("eve@example.org" in text, "ada@example.org" in text) == (True, False)
    entry = await AuditEntry.of(acme).get(action="data.exported")
    assert entry.details["q"] == "ev"
    assert "custom_fields.City" in str(entry.details["filter"])
    for number in range(51):
        await make_contact(acme, f"zz{number}@example.org", custom_fields={"City": "Berlin"})
    page = await owner.get(f"/contacts?q=zz&match=or&{BERLIN}&field-1=email&op-1=is_not_set")
    (link,) = [link["href"] for link in page.soup.select(".pages [rel=next]")]
    assert len(people_on(await owner.get(link))) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("field-0=created_at&op-0=after&value-0=1+May", "Condition 1: Must be a date like 2026-11-20"),
        ("field-0=custom_fields.%00&op-0=greater_than&value-0=nan", "Condition 1: Must be a number"),
        (
            "field-0=custom_fields.fee&op-0=greater_than&value-0=1.250",
            "Condition 1: “1.250” can mean 1250 or 1.25; write one of these.",
        ),
        (
            "field-0=custom_fields.fee&op-0=less_than&value-0=-12,500",
            "Condition 1: “-12,500” can mean -12500 or -12.5; write one of these.",
        ),
        (
            "field-0=created_at&op-0=in_last_days&value-0=1.000",
            "Condition 1: “1.000” can mean 1000 or 1; write one of these.",
        ),
        ("field-0=segment&op-0=in&value-0=%27+OR+1%3D1", "Condition 1: Must be a UUID"),
        ("&".join(f"field-{n}=email&op-{n}=is_set" for n in range(51)), "Filter has more than 50 conditions"),
    ],
)
async def test_a_faulty_condition_finds_nobody_says_why_and_keeps_what_was_typed(
    owner: Visitor, acme: Organization, asked: str, said: str
) -> None:
    await people_of_berlin(acme)
    page = await owner.get(f"/contacts?q=a&{asked}")
    assert (page.status, people_on(page)) == (422, [])
    assert said in page.text
    given = dict(parse_qsl(asked))
    assert page.soup.find("input", attrs={"name": "field-0"})["value"] == given["field-0"].replace("\0", "\ufffd")
    if value := given.get("value-0"):
        assert f'value="{value}"' in page.data.decode().replace("&#39;", "'")
    assert (await owner.get(f"/contacts/list?q=a&{asked}")).status == 200
    assert (await owner.get(f"/contacts/export.csv?{asked}")).status == 400


async def test_segments_and_campaigns_of_others_are_refused(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    ada = await make_contact(acme, "ada@example.org")
    ours, theirs = await make_segment(acme, ada), await make_segment(rival, await make_contact(rival))
    campaign = await make_campaign(rival, title="Hush")
    for field, op, row in (("segment", "not_in", theirs), ("campaign", "not_got", campaign)):
        asked = f"field-0={field}&op-0={op}&value-0={row.id}"
        page = await owner.get(f"/contacts?{asked}")
        assert (page.status, people_on(page)) == (422, [])
        assert f"Filter names no {field} of this organization" in page.text
        assert (await owner.get(f"/contacts/export.csv?{asked}")).status == 404
    found = await owner.get(f"/contacts?field-0=segment&op-0=in&value-0={ours.id}")
    assert people_on(found) == ["ada@example.org"]


async def test_conditions_are_saved_as_a_segment_and_text_is_not(
    owner: Visitor, viewer: Visitor, acme: Organization
) -> None:
    await people_of_berlin(acme)
    address = f"/contacts?q=ev&{BERLIN}&field-1=email&op-1=is_set"
    (link,) = [one for one in (await owner.get(address)).soup.select("main a") if "as segment" in one.text]
    form = await owner.get(link["href"])
    assert "2 contacts match now" in form.text
    page = await owner.submit(form, "/segments/new/dynamic", name="Berliners", do="save")
    segment = await Segment.of(acme).get()
    assert (page.path, page.title, segment.is_dynamic) == (f"/segments/{segment.id}", "Berliners", True)
    assert segment.member_filter == {
        "and": [{"field": "custom_fields.City", "op": "is", "value": "berlin"}, {"field": "email", "op": "is_set"}]
    }
    assert "as segment" not in (await viewer.get(f"/contacts?{BERLIN}")).text


@pytest.mark.parametrize("timezone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_days_at_the_ends_of_the_calendar_are_refused_and_those_stored_before_find_contacts(
    owner: Visitor, acme: Organization, timezone: str
) -> None:
    await make_contact(acme, "ada@example.org")
    await Organization.filter(id=acme.id).update(timezone=timezone)
    for op, value, is_met in (("on", "9999-12-31", False), ("after", "0001-01-01T00:00:00+00:00", True)):
        row = {"field-0": "created_at", "op-0": op, "value-0": value}
        page = await owner.get("/contacts", query_string=row)
        assert (page.status, people_on(page)) == (422, [])
        assert "Condition 1: Must have a year from 1900 to 9998." in page.text
        stored = {"field": "created_at", "op": op, "value": value}
        segment = await Segment.create(org=acme, name=op, name_key=op, kind="dynamic", member_filter=stored)
        page = await owner.get(f"/segments/{segment.id}")
        assert (page.status, [one[0] for one in page.rows]) == (200, ["ada@example.org"] * is_met)
