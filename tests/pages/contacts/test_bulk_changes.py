"""All contacts that a search finds: added, unsubscribed and deleted in batches, and never those of others."""

import asyncio

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_bulk_change, make_contact, make_segment
from tests.pages.conftest import Page, Visitor
from tests.pages.contacts.test_contacts import tick
from webapp.domain.contacts import bulk
from webapp.domain.contacts.search import ROWS_AT_ONCE
from webapp.models import BulkChange, Contact, Organization, Segment, SegmentContact
from webapp.models.queries.contacts.segment_filter import filter_values

MANY = 1_501
BERLIN = "field-0=custom_fields.city&op-0=is&value-0=Berlin"
LIST = f"/contacts?{BERLIN}"


async def fill(org: Organization, count: int, city: str = "Berlin") -> None:
    rows = []
    for number in range(count):
        email = f"{city.lower()}{number}@example.org"
        rows.append(Contact(id=uuid7(), org=org, email=email, email_key=email, search_text=email))
        rows[-1].custom_fields = {"city": city}
        rows[-1].filter_values = filter_values(rows[-1])
    await Contact.bulk_create(rows, batch_size=500)


async def all_of(visitor: Visitor, action: str, back: str = LIST, **fields: str) -> Page:
    return await tick(visitor, action, all="1", back=back, **fields)


async def test_many_are_added_by_the_worker_and_shown_on_the_way(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await fill(acme, MANY)
    await fill(acme, 2, "Bonn")
    await fill(rival, 3)
    gold = await make_segment(acme, await Contact.of(acme).get(email="berlin7@example.org"), name="Gold")
    page = await all_of(owner, "segment", join=str(gold.id))
    assert "Adding to “Gold”: 0 of 1,501 contacts" in page.text
    (change,) = await BulkChange.of(acme)
    await bulk.process_batch(change.id)
    part = await owner.get(page.path, headers={"HX-Request": "true"})
    assert "500 of 1,501 contacts" in part.text
    assert part.soup.find(id="change")["hx-get"] == page.path
    await fill(acme, 1, "Bern")
    await Contact.of(acme).filter(email="bern0@example.org").update(filter_values={"custom_fields.city": "berlin"})
    await asyncio.gather(bulk.process_pending(), bulk.process_pending())
    page = await owner.get(page.path)
    assert "1,500 contacts added to “Gold”. 1 needed no change." in page.text
    assert not page.soup.find(id="change").has_attr("hx-get")
    await gold.refresh_from_db()
    assert gold.contact_count == await SegmentContact.of(acme).count() == MANY  # and not who came later
    assert await SegmentContact.of(rival).count() == 0


async def test_some_are_changed_at_once(owner: Visitor, acme: Organization, rival: Organization) -> None:
    await fill(acme, 60)
    await fill(acme, 2, "Bonn")
    await fill(rival, 1)
    gold = await make_segment(acme, name="Gold")
    page = await all_of(owner, "segment", f"{LIST}&q=berlin1", join=str(gold.id))
    assert (page.path, page.notes) == (f"{LIST}&q=berlin1", ["11 contacts added to “Gold”."])
    page = await all_of(owner, "unsubscribe", confirm="60")
    assert page.notes == ["60 contacts unsubscribed."]
    assert await Contact.of(acme).filter(status="unsubscribed").count() == 60
    assert (await Contact.of(rival).get()).status == "subscribed"
    long = "&".join(f"field-{n}=email&op-{n}=not_contains&value-{n}={'x' * 100}" for n in range(40))
    assert (await all_of(owner, "segment", f"/contacts?{long}", join=str(gold.id))).notes == [
        "51 contacts added to “Gold”."
    ]


async def test_all_are_deleted_once_their_number_is_entered(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await fill(acme, 1_200)
    bonn = await make_contact(acme, custom_fields={"city": "Bonn"})
    await fill(rival, 1)
    asked = await all_of(owner, "ask-delete")
    assert "Delete 1,200 contacts?" in asked.text
    for typed in ("", "1199", "delete", "１２００"):  # noqa: RUF001 - digits of another script
        page = await owner.submit(asked, "/contacts/ticked/delete", confirm=typed)
        assert page.status == 422
        assert page.error_at("confirm") == "Enter 1,200 to delete 1,200 contacts."
    assert await Contact.of(acme).count() == 1_201
    page = await owner.submit(page, "/contacts/ticked/delete", confirm="1,200")
    assert "Deleting: 0 of 1,200 contacts" in page.text
    await bulk.process_pending()
    assert "1,200 contacts deleted. Their deliveries are kept." in (await owner.get(page.path)).text
    assert [one.id for one in await Contact.of(acme)] == [bonn.id]
    assert await Contact.of(rival).count() == 1


async def test_a_change_is_stopped_where_it_is(owner: Visitor, acme: Organization) -> None:
    await fill(acme, 2 * ROWS_AT_ONCE)
    page = await all_of(owner, "unsubscribe", confirm="1000")
    (change,) = await BulkChange.of(acme)
    await bulk.process_batch(change.id)
    page = await owner.submit(await owner.get(page.path), f"{page.path}/stop")
    assert page.path == f"/contacts/changes/{change.id}"
    assert "Stopped after 500 of 1,000." in page.text
    assert not page.soup.select_one("#stop, main [hx-get]")
    await bulk.process_pending()
    assert await Contact.of(acme).filter(status="unsubscribed").count() == ROWS_AT_ONCE


async def test_no_more_go_than_the_number_that_was_confirmed(acme: Organization) -> None:
    await fill(acme, 3)
    await make_bulk_change(acme, filters={"q": "berlin"}, total=2)
    await bulk.process_pending()
    assert [one.email for one in await Contact.of(acme)] == ["berlin0@example.org"]


@pytest.mark.parametrize("back", ["/contacts?q=", "//evil.example?q=a"])
async def test_without_a_search_all_are_not_selected(owner: Visitor, acme: Organization, back: str) -> None:
    await fill(acme, 3)
    assert (await owner.get("/contacts")).soup.select("[name=all]") == []
    assert (await owner.get("/contacts?q=berlin1")).soup.select(
        "[name=all]"
    ) == []  # one match, which has a box already
    assert len((await owner.get("/contacts?q=berlin")).soup.select(".ticked [name=all]")) == 1
    page = await all_of(owner, "delete", back, confirm="3")
    assert page.notes == ["Select at least one contact."]
    assert await Contact.of(acme).count() == 3


@pytest.mark.parametrize("action", ["segment", "delete"])
async def test_faulty_and_foreign_conditions_change_nobody(
    owner: Visitor, viewer: Visitor, acme: Organization, rival: Organization, action: str
) -> None:
    await fill(acme, 3)
    gold = await make_segment(acme)
    theirs = await make_segment(rival)
    form = {"join": str(gold.id), "confirm": "3"}
    for asked, status in (
        ("field-0=email&op-0=is", 400),
        (f"field-0=segment&op-0=not_in&value-0={theirs.id}", 404),
        (f"segment_id={theirs.id}", 404),
    ):
        assert (await all_of(owner, action, f"/contacts?{asked}", **form)).status == status, asked
    assert (await all_of(viewer, action, **form)).status == 403
    assert await BulkChange.of(acme).count() == await SegmentContact.of(acme).count() == 0
    assert await Contact.of(acme).filter(status="subscribed").count() == 3


async def test_a_foreign_or_dynamic_segment_takes_nobody(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await fill(acme, 2)
    theirs = await make_segment(rival)
    tree = {"field": "email", "op": "is_set"}
    fluid = await Segment.create(org=acme, name="F", name_key="f", kind="dynamic", member_filter=tree)
    assert (await all_of(owner, "segment", join=str(theirs.id))).status == 404
    assert "is dynamic" in (await all_of(owner, "segment", join=str(fluid.id))).notes[0]
    assert await SegmentContact.all().count() == 0


async def test_a_segment_deleted_on_the_way_ends_the_change(owner: Visitor, acme: Organization) -> None:
    await fill(acme, ROWS_AT_ONCE + 1)
    gold = await make_segment(acme)
    page = await all_of(owner, "segment", join=str(gold.id))
    (change,) = await BulkChange.of(acme)
    await bulk.process_batch(change.id)
    await gold.delete()
    await bulk.process_pending()
    page = await owner.get(page.path)
    assert "The segment was deleted." in page.text
    assert "500 contacts added to the segment." in page.text


async def test_unfinished_changes_are_few(owner: Visitor, acme: Organization) -> None:
    await fill(acme, 1)
    for _ in range(10):
        await make_bulk_change(acme)
    page = await all_of(owner, "unsubscribe", confirm="1")
    assert page.notes == ["Other changes of contacts are still running. Try again when they have finished."]


async def test_two_workers_change_each_contact_once(acme: Organization) -> None:
    await fill(acme, 2 * ROWS_AT_ONCE)
    change = await make_bulk_change(acme, action="unsubscribe", filters={"q": "berlin"}, total=1_000)
    for _ in range(4):
        await asyncio.gather(*(bulk.process_batch(change.id) for _ in range(2)))
    await change.refresh_from_db()
    assert (change.reached_count, change.changed_count) == (1_000, 1_000)
