"""Many contacts at once: each made, changed or refused, and none of it twice."""

import asyncio

import pytest

from tests.factories import make_contact, make_segment
from webapp.domain.contacts.deletion import delete_contact
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import RowStatus, upsert_batch
from webapp.errors import Conflict, NotFound
from webapp.models import Contact, Organization, OrgUsage, Segment, SegmentContact

pytestmark = pytest.mark.usefixtures("database")


async def test_rows_are_made_changed_or_left_as_they_are(acme: Organization, rival: Organization) -> None:
    ann = await make_contact(acme, "Ann@example.org", first_name="Ann", custom_fields={"a": 1, "b": "x"})
    gone = await make_contact(acme, "gone@example.org", status="unsubscribed")
    await make_contact(rival, "new@example.org", first_name="Theirs")
    segment = await make_segment(acme, ann)
    results = await upsert_batch(
        acme,
        [
            NewContact(email="ann@EXAMPLE.org", last_name="Lee", custom_fields={"b": "y"}),
            NewContact(email="new@example.org", first_name="New"),
            NewContact(email="gone@example.org"),
        ],
        segment.id,
    )
    assert [one.status for one in results] == [RowStatus.CHANGED, RowStatus.CREATED, RowStatus.UNCHANGED]
    assert [one.has_joined for one in results] == [False, True, True]
    assert results[0].before == {"last_name": None, "custom_fields": {"a": 1, "b": "x"}}
    changed = await Contact.get(id=ann.id)
    assert (changed.email, changed.first_name, changed.last_name) == ("Ann@example.org", "Ann", "Lee")
    assert changed.custom_fields == {"a": 1, "b": "y"}
    assert changed.updated_at > ann.updated_at
    assert "ann lee" in changed.search_text
    assert (await Contact.get(id=gone.id)).status == "unsubscribed"
    assert (await Contact.of(rival).get()).first_name == "Theirs"
    assert (await Segment.get(id=segment.id)).contact_count == 3 == await SegmentContact.of(acme).count()


async def test_custom_fields_that_grow_beyond_bounds_are_refused(acme: Organization) -> None:
    await make_contact(acme, "a@example.org", custom_fields={"a": "x" * 10_000})
    results = await upsert_batch(
        acme, [NewContact(email="a@example.org", custom_fields={"b": "x" * 10_000}), NewContact(email="b@example.org")]
    )
    assert [one.status for one in results] == [RowStatus.REFUSED, RowStatus.CREATED]
    assert str(results[0].reason).startswith("custom_fields must be at most 16 KiB")


async def test_a_segment_of_another_organization_takes_nobody_in(acme: Organization, rival: Organization) -> None:
    foreign = await make_segment(rival)
    with pytest.raises(NotFound):
        await upsert_batch(acme, [NewContact(email="a@example.org")], foreign.id)
    assert await Contact.of(acme).count() == 0


async def test_batches_at_once_count_every_contact_once(acme: Organization) -> None:
    """Also beside somebody who deletes some of them: nobody waits for another without end."""
    acme.plan = "scale"
    await acme.save()
    segment = await make_segment(acme)
    rows = [NewContact(email=f"p{number}@example.org", phone="1") for number in range(30)]

    async def delete_some() -> None:
        for contact in await Contact.of(acme).limit(5):
            await delete_contact(acme, contact)

    for _ in range(3):
        works = [upsert_batch(acme, part, segment.id) for part in (rows, rows[::-1], rows[10:])]
        for found in await asyncio.gather(*works, delete_some(), return_exceptions=True):
            assert not isinstance(found, BaseException) or isinstance(found, Conflict), found
    count = await Contact.of(acme).count()
    assert (await OrgUsage.get(org=acme, metric="max_contacts")).used == count
    assert (await Segment.get(id=segment.id)).contact_count == count == await SegmentContact.of(acme).count()
