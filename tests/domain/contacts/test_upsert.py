"""Many contacts at once: each made, changed or refused, and none of it twice."""

import asyncio
from typing import Any

import pytest

from tests.factories import make_contact, make_org, make_segment
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.contacts.contacts import delete_contact
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import RowResult, RowStatus, upsert_batch
from webapp.errors import Conflict, NotFound
from webapp.models import Contact, Organization, OrgUsage, Segment, SegmentContact

pytestmark = pytest.mark.usefixtures("database")


def row(email: str, **fields: Any) -> NewContact:
    return NewContact(email=email, **fields)


def statuses(taken: list[RowResult]) -> list[RowStatus]:
    return [one.status for one in taken]


async def test_rows_are_made_changed_or_left_as_they_are(acme: Organization, rival: Organization) -> None:
    ann = await make_contact(acme, "Ann@example.org", first_name="Ann", custom_fields={"a": 1, "b": "x"})
    gone = await make_contact(acme, "gone@example.org", status="unsubscribed")
    await make_contact(rival, "new@example.org", first_name="Theirs")
    segment = await make_segment(acme, ann)
    taken = await upsert_batch(
        acme,
        [
            row("ann@EXAMPLE.org", last_name="Lee", custom_fields={"b": "y"}),
            row("new@example.org", first_name="New"),
            row("gone@example.org"),
        ],
        segment.id,
    )
    assert statuses(taken) == [RowStatus.CHANGED, RowStatus.CREATED, RowStatus.UNCHANGED]
    assert [one.has_joined for one in taken] == [False, True, True]
    assert taken[0].before == {"last_name": None, "custom_fields": {"a": 1, "b": "x"}}
    changed = await Contact.get(id=ann.id)
    assert (changed.email, changed.first_name, changed.last_name) == ("Ann@example.org", "Ann", "Lee")
    assert changed.custom_fields == {"a": 1, "b": "y"}
    assert changed.updated_at > ann.updated_at
    assert "ann lee" in changed.search_text
    assert (await Contact.get(id=gone.id)).status == "unsubscribed"
    assert (await Contact.of(rival).get()).first_name == "Theirs"
    assert (await Segment.get(id=segment.id)).contact_count == 3 == await SegmentContact.of(acme).count()


async def test_the_same_rows_again_change_nothing(acme: Organization) -> None:
    segment = await make_segment(acme)
    rows = [row(f"p{number}@example.org", phone=str(number)) for number in range(50)]
    await upsert_batch(acme, rows, segment.id)
    before = await Contact.of(acme).order_by("id").values()
    again = await upsert_batch(acme, rows, segment.id)
    assert set(statuses(again)) == {RowStatus.UNCHANGED}
    assert not any(one.has_joined for one in again)
    assert await Contact.of(acme).order_by("id").values() == before


async def test_the_later_of_two_rows_with_one_address_counts(acme: Organization) -> None:
    segment = await make_segment(acme)
    rows = [row("a@example.org", phone="1", first_name="A"), row("A@example.org", phone="2")]
    taken = await upsert_batch(acme, rows, segment.id)
    assert (statuses(taken), [one.has_joined for one in taken]) == (
        [RowStatus.CREATED, RowStatus.CHANGED],
        [True, False],
    )
    contact = await Contact.of(acme).get()
    assert (contact.first_name, contact.phone) == ("A", "2")


async def test_known_contacts_are_left_alone_where_that_is_wanted(acme: Organization) -> None:
    await make_contact(acme, "a@example.org", first_name="A")
    taken = await upsert_batch(acme, [row("a@example.org", first_name="B")], overwrites=False)
    assert statuses(taken) == [RowStatus.UNCHANGED]
    assert (await Contact.of(acme).get()).first_name == "A"


async def test_what_is_beyond_the_plan_is_refused_and_the_rest_is_made(settings: Settings) -> None:
    use_plans(settings, {"free": {"max_contacts": 4}})
    org = await make_org(plan="free")
    for number in range(2):
        await make_contact(org, f"k{number}@example.org")
    rows = [row("k1@example.org", phone="1"), *(row(f"n{number}@example.org") for number in range(4))]
    taken = await upsert_batch(org, rows)
    assert statuses(taken) == [
        RowStatus.CHANGED,
        RowStatus.CREATED,
        RowStatus.CREATED,
        RowStatus.REFUSED,
        RowStatus.REFUSED,
    ]
    assert "allows 4 contacts" in str(taken[-1].reason)
    assert await Contact.of(org).count() == 4 == (await OrgUsage.get(org=org, metric="max_contacts")).used
    assert statuses(await upsert_batch(org, [row("one-more@example.org")])) == [RowStatus.REFUSED]


async def test_custom_fields_that_grow_beyond_bounds_are_refused(acme: Organization) -> None:
    await make_contact(acme, "a@example.org", custom_fields={"a": "x" * 10_000})
    taken = await upsert_batch(acme, [row("a@example.org", custom_fields={"b": "x" * 10_000}), row("b@example.org")])
    assert statuses(taken) == [RowStatus.REFUSED, RowStatus.CREATED]
    assert str(taken[0].reason).startswith("custom_fields must be at most 16 KiB")


async def test_a_segment_of_another_organization_takes_nobody_in(acme: Organization, rival: Organization) -> None:
    foreign = await make_segment(rival)
    with pytest.raises(NotFound):
        await upsert_batch(acme, [row("a@example.org")], foreign.id)
    assert await Contact.of(acme).count() == 0


async def test_batches_at_once_count_every_contact_once(acme: Organization) -> None:
    """Also beside somebody who deletes some of them: nobody waits for another without end."""
    acme.plan = "scale"
    await acme.save()
    segment = await make_segment(acme)
    rows = [row(f"p{number}@example.org", phone="1") for number in range(30)]

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
