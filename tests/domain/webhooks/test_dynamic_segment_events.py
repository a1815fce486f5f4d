"""segment.joined and segment.left of dynamic segments: recorded once for whoever begins or ceases to match."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.domain.webhooks.test_segment_events import BOTH, recorded
from tests.factories import make_contact, make_org, make_webhook
from webapp import clock
from webapp.domain.segments.watch import AT_ONCE, MOST_SEGMENTS, compare_segments
from webapp.models import Contact, Organization, Segment, SegmentWatch, WatchedMember, Webhook
from webapp.models.event import EventType
from webapp.models.queries.contacts.segment_filter import filter_values

JOINED, LEFT = EventType.SEGMENT_JOINED.value, EventType.SEGMENT_LEFT.value
IN_BERLIN = {"field": "custom_fields.city", "op": "is", "value": "Berlin"}


async def make_dynamic(api: Api, filter_: dict[str, Any]) -> str:
    status, body = await api.post("/v1/segments", {"name": "Berliners", "kind": "dynamic", "filter": filter_})
    assert status == 201
    return str(body["data"]["id"])


async def move(api: Api, contact: Contact, city: str) -> None:
    assert (await api.patch(f"/v1/contacts/{contact.id}", {"custom_fields": {"city": city}}))[0] == 200


async def changes(org: Organization) -> list[tuple[str, str]]:
    """The events that new comparisons add, as type and address."""
    before = len(await recorded(org))
    await SegmentWatch.of(org).update(seconds=0.0)  # no rest between them
    assert await compare_segments()
    return sorted((kind, data["email"]) for kind, data in (await recorded(org))[before:])


async def make_berliners(org: Organization, number: int) -> list[Contact]:
    rows = [
        Contact(
            org=org, email=f"b{n}@example.org", email_key=f"b{n}@example.org", custom_fields={"city": "Berlin"},
            search_text=f"b{n}@example.org",
        )
        for n in range(number)
    ]  # fmt: skip
    for row in rows:
        row.filter_values = filter_values(row)
    await Contact.bulk_create(rows)
    return rows


async def test_contacts_join_and_leave_as_they_change(
    api: Api, rival_api: Api, acme: Organization, rival: Organization
) -> None:
    await make_webhook(acme, events=BOTH)
    ada, bob = await make_contact(acme, "ada@example.org"), await make_contact(acme, "bob@example.org")
    theirs = await make_contact(rival, "eve@example.org")
    await move(api, ada, "Berlin")
    segment_id = await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []  # who matches already is no news
    await move(api, bob, "Berlin")
    await move(rival_api, theirs, "Berlin")
    assert await changes(acme) == [(JOINED, "bob@example.org")]
    about = {"segment_id": segment_id, "segment_name": "Berliners", "contact_id": str(bob.id)}
    assert (await recorded(acme))[-1] == (JOINED, about | {"email": "bob@example.org"})
    await move(api, ada, "Rome")
    assert await changes(acme) == [(LEFT, "ada@example.org")]
    await move(api, ada, "Berlin")
    await move(api, ada, "Rome")
    assert await changes(acme) == []
    _, body = await api.get(f"/v1/events?contact_id={bob.id}&type={JOINED}")
    assert [event["data"]["segment_id"] for event in body["data"]] == [segment_id]
    assert await recorded(rival) == []
    assert await WatchedMember.of(rival).count() == 0


async def test_members_change_with_the_filter_and_with_time(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=BOTH)
    ada, bob = await make_contact(acme, "ada@example.org"), await make_contact(acme, "bob@example.org")
    await move(api, ada, "Berlin")
    await move(api, bob, "Rome")
    segment_id = await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    in_rome = {"name": "Romans", "filter": IN_BERLIN | {"value": "Rome"}}
    assert (await api.patch(f"/v1/segments/{segment_id}", in_rome))[0] == 200
    assert await changes(acme) == [(JOINED, "bob@example.org"), (LEFT, "ada@example.org")]
    fresh = {"name": "Fresh", "filter": {"field": "created_at", "op": "in_last_days", "value": 7}}
    assert (await api.patch(f"/v1/segments/{segment_id}", fresh))[0] == 200
    assert await changes(acme) == [(JOINED, "ada@example.org")]
    await Contact.filter(id=bob.id).update(created_at=clock.now() - timedelta(days=7, seconds=1))  # as if time went on
    assert await changes(acme) == [(LEFT, "bob@example.org")]


async def test_deleted_contacts_and_segments_are_not_reported(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=BOTH)
    (ada, _) = await make_berliners(acme, 2)
    segment_id = await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    assert (await api.delete(f"/v1/contacts/{ada.id}"))[0] == 200
    assert await changes(acme) == []
    assert (await api.delete(f"/v1/segments/{segment_id}"))[0] == 200
    assert await changes(acme) == []
    assert (await WatchedMember.of(acme).count(), await SegmentWatch.of(acme).count()) == (0, 0)
    assert not await Segment.filter(id=segment_id).exists()


@pytest.mark.parametrize("events", [[], ["*"], ["contact.created", "email.opened"]])
async def test_nothing_is_saved_unless_a_webhook_names_the_events(
    api: Api, acme: Organization, events: list[str]
) -> None:
    if events:
        await make_webhook(acme, events=events)
    await make_berliners(acme, 1)
    await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    assert (await WatchedMember.of(acme).count(), await SegmentWatch.of(acme).count()) == (0, 0)


@pytest.mark.parametrize(("events", "kinds"), [([JOINED], {JOINED}), ([LEFT], {LEFT}), (BOTH, set(BOTH))])
async def test_only_the_named_types_are_recorded(
    api: Api, acme: Organization, events: list[str], kinds: set[str]
) -> None:
    await make_webhook(acme, events=events)
    ada, bob = await make_contact(acme), await make_contact(acme)
    await move(api, ada, "Berlin")
    await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    await move(api, ada, "Rome")
    await move(api, bob, "Berlin")
    assert {kind for kind, _ in await changes(acme)} == kinds
    assert await changes(acme) == []


async def test_what_was_saved_goes_with_the_last_webhook_that_names_them(api: Api, acme: Organization) -> None:
    webhook = await make_webhook(acme, events=BOTH)
    await make_berliners(acme, 2)
    await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    assert await WatchedMember.of(acme).count() == 2
    await Webhook.filter(id=webhook.id).update(status="disabled")
    (ada, *_) = await Contact.of(acme)
    await move(api, ada, "Rome")
    assert await changes(acme) == []
    assert (await WatchedMember.of(acme).count(), await SegmentWatch.of(acme).count()) == (0, 0)
    await Webhook.filter(id=webhook.id).update(status="enabled")
    assert await changes(acme) == []  # what happened meanwhile is not made up for
    assert await WatchedMember.of(acme).count() == 1


async def test_many_join_and_leave_in_steps_each_once_with_several_workers(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=BOTH)
    number = 2 * AT_ONCE + 1
    berliners = await make_berliners(acme, number)
    await make_dynamic(api, IN_BERLIN)
    assert not await compare_segments(seconds=0)
    assert await changes(acme) == []
    assert await WatchedMember.of(acme).count() == number
    await Contact.of(acme).update(filter_values={"custom_fields.city": "rome"})
    await SegmentWatch.of(acme).update(seconds=0.0)
    await asyncio.gather(*(compare_segments() for _ in range(3)))
    assert await changes(acme) == []
    left = Counter(data["email"] for kind, data in await recorded(acme) if kind == LEFT)
    assert left == {contact.email: 1 for contact in berliners}
    assert await WatchedMember.of(acme).count() == 0


async def test_a_slow_comparison_is_not_repeated_for_a_while(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=BOTH)
    (ada,) = await make_berliners(acme, 1)
    await make_dynamic(api, IN_BERLIN)
    assert await changes(acme) == []
    await move(api, ada, "Rome")
    await SegmentWatch.of(acme).update(seconds=60.0)
    await compare_segments()
    assert await recorded(acme) == []
    assert await changes(acme) == [(LEFT, ada.email)]


async def test_an_organization_has_the_oldest_segments_compared(api: Api, acme: Organization) -> None:
    other = await make_org("Other")
    for org in (acme, other):
        await make_webhook(org, events=BOTH)
        rows = [
            Segment(org=org, name=f"s{number}", name_key=f"s{number}", kind="dynamic", member_filter=IN_BERLIN)
            for number in range(MOST_SEGMENTS + 1)
        ]
        await Segment.bulk_create(rows)
    assert await changes(acme) == []
    for org in (acme, other):
        watched = await SegmentWatch.of(org).values_list("segment_id", flat=True)
        oldest = await Segment.of(org).order_by("id").limit(MOST_SEGMENTS).values_list("id", flat=True)
        assert sorted(watched) == oldest
