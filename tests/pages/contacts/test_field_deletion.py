"""Custom fields that are deleted with their values, unless something uses them."""

import asyncio

import pytest

from tests.factories import make_campaign, make_contact, make_form, make_template
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_bulk_changes import MANY, fill
from webapp.domain.contacts import bulk
from webapp.domain.contacts.search import ROWS_AT_ONCE
from webapp.models import AuditEntry, BulkChange, Contact, CustomField, Event, Organization, Segment

PLACE = "/contacts/fields"
DELETE = f"{PLACE}/delete"
CITY = f"{DELETE}?name=city"


async def test_a_field_is_deleted_with_its_values(
    owner: Visitor, viewer: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for org in (acme, rival):
        await CustomField.named(org, "city", label="City").save()
    ada = await make_contact(acme, "ada@example.org", custom_fields={"City": "Oslo", "plan": "x", "capacity": "9"})
    bo = await make_contact(acme, "bo@example.org", custom_fields={"plan": "y", "city": " "})
    eve = await make_contact(rival, "eve@example.org", custom_fields={"city": "Rome"})
    assert (await viewer.get(CITY)).status == 403
    asked = await owner.get(CITY)
    assert "1 contact has a value in this field." in asked.text
    assert asked.soup.select_one(".confirm p a")["href"] == "/contacts?field-0=custom_fields.city&op-0=is_set"
    cy = await make_contact(acme, "cy@example.org", custom_fields={"city": "Bonn"})
    asked = await owner.submit(asked, DELETE)
    assert "2 contacts have a value in this field." in asked.text  # another number than was confirmed
    page = await owner.submit(asked, DELETE)
    assert page.notes == ["“City” deleted, with the values of 2 contacts."]
    assert [row[1] for row in page.rows] == ["capacity", "plan"]
    assert await Event.of(acme).filter(type="contact.updated").count() == 2
    values = {contact.email: contact.custom_fields for contact in await Contact.of(acme)}
    assert values == {ada.email: {"plan": "x", "capacity": "9"}, bo.email: {"plan": "y", "city": " "}, cy.email: {}}
    assert "No contacts found" in (await owner.get("/contacts?field-0=custom_fields.city&op-0=is_set")).text
    assert (await owner.get(CITY)).notes == ["This field is no longer there."]
    await eve.refresh_from_db()
    assert eve.custom_fields == {"city": "Rome"}
    assert [row[0] for row in (await rival_owner.get(PLACE)).rows] == ["City"]
    assert await AuditEntry.of(rival).count() == 0


async def test_many_values_are_deleted_by_the_worker_and_the_field_last(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await fill(acme, MANY)
    await fill(rival, 2)
    await CustomField.named(acme, "city", label="City").save()
    page = await owner.submit(await owner.get(CITY), DELETE)
    assert "Deleting values of “city”: 0 of 1,501 contacts" in page.text
    assert (await rival_owner.get(page.path)).status == 404
    (change,) = await BulkChange.of(acme)
    for _ in range(4):  # as often as it changes contacts, each time as if the process had then been killed
        assert await CustomField.of(acme).count() == 1
        await bulk.process_batch(change.id)
    await asyncio.gather(bulk.process_pending(), bulk.process_pending())
    page = await owner.get(page.path)
    assert "Values of “city” deleted from 1,501 contacts. The field is deleted too." in page.text
    assert await CustomField.of(acme).count() == 0
    assert not any(await Contact.of(acme).values_list("custom_fields", flat=True))
    assert {contact.custom_fields["city"] for contact in await Contact.of(rival)} == {"Berlin"}


async def test_a_field_that_got_new_values_meanwhile_stays(owner: Visitor, acme: Organization) -> None:
    await fill(acme, ROWS_AT_ONCE + 1)
    await CustomField.named(acme, "city", label="City").save()
    page = await owner.submit(await owner.get(CITY), DELETE)
    await fill(acme, 1, "Bonn")
    await bulk.process_pending()
    page = await owner.get(page.path)
    assert "Contacts got new values meanwhile, so the field is still there. Delete it again." in page.text
    assert "Values of “city” deleted from 501 contacts." in page.text
    assert "The field is deleted" not in page.text
    page = await owner.submit(await owner.get(CITY), DELETE)
    assert page.notes == ["“City” deleted, with the values of 1 contact."]


async def test_a_stopped_deletion_keeps_the_field(owner: Visitor, acme: Organization) -> None:
    await fill(acme, 2 * ROWS_AT_ONCE)
    await CustomField.named(acme, "city", label="City").save()
    page = await owner.submit(await owner.get(CITY), DELETE)
    (change,) = await BulkChange.of(acme)
    await bulk.process_batch(change.id)
    page = await owner.submit(await owner.get(page.path), f"{page.path}/stop")
    assert "Stopped after 500 of 1,000." in page.text
    await bulk.process_pending()
    assert await CustomField.of(acme).count() == 1
    assert "500 contacts have a value" in (await owner.get(CITY)).text


@pytest.mark.parametrize("kind", ["segment", "template", "campaign", "form"])
async def test_a_field_in_use_is_kept_and_says_where(
    owner: Visitor, acme: Organization, rival: Organization, kind: str
) -> None:
    for org in (acme, rival):
        await use(org, kind)
    await CustomField.named(acme, "city", label="City").save()
    ada = await make_contact(acme, "ada@example.org", custom_fields={"city": "Oslo"})
    other = await make_contact(acme, "bo@example.org", custom_fields={"cit": "x"})
    for page in (await owner.get(CITY), await owner.send_form(DELETE, name="city", confirm="1")):
        assert "“City” is in use" in page.text
        assert "Delete field" not in page.text
        (use_of,) = page.soup.select(".confirm li a")
        assert use_of.text == f"The {kind}"
        assert (await owner.get(str(use_of["href"]))).status == 200
    await ada.refresh_from_db()
    assert ada.custom_fields == {"city": "Oslo"}
    assert await BulkChange.of(acme).count() == 0
    page = await owner.submit(await owner.get(f"{DELETE}?name=cit"), DELETE)  # part of the name of one in use
    assert page.notes == ["“cit” deleted, with the values of 1 contact."]
    await other.refresh_from_db()
    assert other.custom_fields == {}


async def use(org: Organization, kind: str) -> None:
    name = f"The {kind}"
    if kind == "segment":
        tree = {"and": [{"field": "email", "op": "is_set"}, {"not": {"field": "custom_fields.CITY", "op": "is_set"}}]}
        await Segment.create(org=org, name=name, name_key=name, kind="dynamic", member_filter=tree)
    elif kind == "template":
        await make_template(org, name=name, subject="In {{ City }}", variables=["City"])
    elif kind == "form":
        await make_form(
            org,
            name=name,
            form_fields=[{"key": "City", "label": "City", "kind": "text", "required": False, "options": []}],
        )
    else:
        await make_campaign(org, title=name, subject="News from {{ city | default: 'us' }}")
