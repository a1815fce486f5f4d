"""Segments on the pages: made, searched, filled, emptied, renamed and deleted."""

import asyncio

import pytest

from tests.factories import make_campaign, make_contact, make_form, make_segment
from tests.pages.conftest import Page, Visitor
from webapp import db
from webapp.models import Campaign, Contact, Organization, Segment, SegmentContact

HTMX = {"HX-Request": "true"}


async def members_of(segment: Segment) -> set[str]:
    rows = await SegmentContact.filter(segment_id=segment.id).prefetch_related("contact")
    assert (await Segment.get(id=segment.id)).contact_count == len(rows)
    return {row.contact.email for row in rows}


async def test_the_first_segment_is_made_and_filled(owner: Visitor, acme: Organization) -> None:
    empty = await owner.get("/segments")
    assert "A segment is a group of contacts" in empty.text
    made = await owner.submit(await owner.get("/segments/new"), "/segments", name=" Readers ")
    segment = await Segment.of(acme).get()
    assert (made.path, made.title) == (f"/segments/{segment.id}", "Readers")
    assert made.notes == ["Segment created. Now add contacts."]
    page = await owner.submit(
        await owner.get(f"{made.path}/add"), f"{made.path}/members", email="Ada@Example.org", first_name="Ada"
    )
    assert page.notes == ["Ada@example.org added to “Readers”."]
    assert page.rows[0][0] == "Ada Ada@example.org"
    assert await members_of(segment) == {"Ada@example.org"}


async def test_pages_refuse_the_name_of_another_segment(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_segment(rival, name="Theirs")
    friends, readers = await make_segment(acme, name="Friends"), await make_segment(acme, name="Readers")
    in_use = "The name is the name of another segment."
    condition = {"field-0": "email", "op-0": "contains", "value-0": "a", "do": "save"}
    for form, path, more in (
        ("/segments/new", "/segments", {}),
        (f"/segments/{readers.id}/name", f"/segments/{readers.id}/name", {}),
        ("/segments/new/dynamic", "/segments/new/dynamic", condition),
    ):
        refused = await owner.submit(await owner.get(form), path, name="friends", **more)
        assert (refused.status, refused.error_at("name")) == (422, in_use), path
    page = await owner.submit(await owner.get("/segments/new"), "/segments", name="Theirs")
    assert page.notes == ["Segment created. Now add contacts."]
    edit = f"/segments/{friends.id}/name"
    assert (await owner.submit(await owner.get(edit), edit, name="FRIENDS")).title == "FRIENDS"
    assert await Segment.of(acme).count() == 3


async def test_a_segment_that_is_deleted_as_its_name_is_saved_is_absent(owner: Visitor, acme: Organization) -> None:
    segment = await make_segment(acme)
    path = f"/segments/{segment.id}/name"
    page, is_locked = await owner.get(path), asyncio.Event()

    async def save() -> Page:
        await is_locked.wait()
        return await owner.submit(page, path, name="Readers")

    async def delete() -> None:
        async with db.write_transaction():
            await Segment.of(acme).select_for_update().get(id=segment.id)
            is_locked.set()
            await asyncio.sleep(0.3)  # until the other waits for the lock
            await Segment.of(acme).filter(id=segment.id).delete()

    gone, _ = await asyncio.gather(save(), delete())
    assert (gone.status, gone.title) == (404, "Page not found")
    assert "may have been deleted" in gone.text


async def test_segments_are_searched_by_name(owner: Visitor, acme: Organization) -> None:
    names = ["100% of them", "Readers", "Été 2026"]
    for name in names:
        await make_segment(acme, name=name)
    for q, found in (("read", names[1:2]), ("ÉTÉ", names[2:]), ("100%", names[:1]), ("_", []), ("\0\n", names)):
        page = await owner.get("/segments", query_string={"q": q})
        assert [row[0] for row in page.rows] == found
        part = await owner.get("/segments", query_string={"q": q}, headers=HTMX)
        assert (part.rows, part.title) == (page.rows, "")


async def test_members_are_searched_and_paged(owner: Visitor, acme: Organization) -> None:
    people = [await make_contact(acme, f"p{number:03}@example.org") for number in range(60)]
    segment = await make_segment(acme, *people)
    first = await owner.get(f"/segments/{segment.id}")
    assert (len(first.rows), first.rows[0][0]) == (50, "p059@example.org")
    assert "1 to 50 of 60 members" in first.text
    found = await owner.get(f"/segments/{segment.id}?q=P01")
    assert [row[0] for row in found.rows] == [f"p01{digit}@example.org" for digit in reversed(range(10))]


async def test_known_contacts_are_ticked_and_join_once(owner: Visitor, acme: Organization, rival: Organization) -> None:
    ann, ben, cem = [await make_contact(acme, f"{name}@example.org") for name in ("ann", "ben", "cem")]
    foreign = await make_contact(rival, "rita@example.org")
    segment = await make_segment(acme, ann)
    place = f"/segments/{segment.id}"
    page = await owner.get(f"{place}/add")
    boxes = {box["value"]: box for box in page.soup.select("input[name=contact_ids]")}
    assert list(boxes) == [str(one.id) for one in (cem, ben, ann)]
    assert [box.has_attr("disabled") for box in boxes.values()] == [False, False, True]
    assert len((await owner.get(f"{place}/add?q=BEN", headers=HTMX)).soup.select("input[name=contact_ids]")) == 1
    ticks = [str(one.id) for one in (ann, ben, cem, foreign, ben)] + ["x"]
    added = await owner.send_form(f"{place}/members/ticked", contact_ids=ticks)
    assert added.notes == ["2 contacts added to “Readers”."]
    assert await members_of(segment) == {"ann@example.org", "ben@example.org", "cem@example.org"}


async def test_a_member_is_taken_out_and_stays_a_contact(owner: Visitor, acme: Organization) -> None:
    ann, ben = [await make_contact(acme, f"{name}@example.org") for name in ("ann", "ben")]
    segment = await make_segment(acme, ann, ben)
    place = f"/segments/{segment.id}"
    page = await owner.submit(await owner.get(place), f"{place}/members/{ann.id}/remove?page=1")
    assert (page.path, [row[0] for row in page.rows]) == (place, ["ben@example.org"])
    form = {"csrf_token": page.token}
    part = await owner.post(f"{place}/members/{ben.id}/remove?page=1", form=form, headers=HTMX)
    assert (part.status, part.soup.find(id="contact-count").get_text()) == (200, "0")
    assert await Contact.of(acme).count() == 2
    assert (await owner.send_form(f"{place}/members/{ben.id}/remove")).status == 404


async def test_a_segment_is_renamed_and_deleting_it_names_who_uses_it(owner: Visitor, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    campaign = await make_campaign(acme, title="Autumn news", segment=segment)
    place = f"/segments/{segment.id}"
    page = await owner.submit(await owner.get(f"{place}/name"), f"{place}/name", name="Subscribers")
    assert (page.title, page.notes) == ("Subscribers", ["Segment renamed to “Subscribers”."])
    asked = await owner.get(f"{place}/delete")
    assert "1 campaign uses this segment and will be left without one." in asked.text
    assert "Autumn news (draft)" in asked.text
    gone = await owner.submit(asked, f"{place}/delete")
    assert (gone.path, gone.notes) == ("/segments", ["Segment “Subscribers” deleted. Its contacts are kept."])
    assert (await Segment.of(acme).count(), await Contact.of(acme).count()) == (0, 1)
    assert (await Campaign.get(id=campaign.id)).segment_id is None


@pytest.mark.parametrize(
    ("count", "asked", "listed"),
    [
        (0, "", []),
        (1, "New sign-ups through this form will no longer be added to the segment: Form 0", ["Form 0"]),
        (
            12,
            "these forms will no longer be added to the segment: "
            + "".join(f"Form {number} " for number in range(10))
            + "and 2 more",
            [f"Form {number}" for number in range(10)],
        ),
    ],
)
async def test_the_forms_that_add_to_a_segment_are_named_also_when_it_is_deleted(
    owner: Visitor,
    rival_owner: Visitor,
    acme: Organization,
    rival: Organization,
    count: int,
    asked: str,
    listed: list[str],
) -> None:
    segment, other = await make_segment(acme), await make_segment(acme, name="Other")
    path = f"/segments/{segment.id}"
    for number in range(count):
        name = f"Form {number}" if number < 10 else f"More {number}"
        await make_form(acme, name=name, segment_ids=[str(segment.id), str(other.id)])
    await make_form(acme, name="Elsewhere", segment_ids=[str(other.id)])
    await make_form(rival, name="Theirs", segment_ids=[str(segment.id)])
    page, dialog = await owner.get(path), await owner.get(f"{path}/delete")
    assert [link.text for link in page.soup.select("main a[href^='/forms/']")] == listed
    assert (asked in dialog.text, "sign-ups" in dialog.text) == (True, count > 0)
    assert "Elsewhere" not in page.text + dialog.text
    assert "Theirs" not in page.text + dialog.text
    assert (await rival_owner.get(f"{path}/delete")).status == 404
