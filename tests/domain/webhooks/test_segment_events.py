"""segment.joined and segment.left: recorded for webhooks that name them, whatever adds or removes members."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_segment, make_webhook
from webapp.models import Event, Organization, WebhookDelivery
from webapp.models.event import EventType

BOTH = [EventType.SEGMENT_JOINED.value, EventType.SEGMENT_LEFT.value]


async def recorded(org: Organization) -> list[tuple[str, dict[str, Any]]]:
    events = await Event.of(org).filter(type__in=BOTH).order_by("id")
    return [(event.type, event.data) for event in events]


async def test_members_that_join_and_leave_are_told_once(
    api: Api, rival_api: Api, acme: Organization, rival: Organization
) -> None:
    webhook = await make_webhook(acme, events=BOTH)
    await make_webhook(rival, events=BOTH)
    segment, ada = await make_segment(acme, name="Readers"), await make_contact(acme, "ada@example.org")
    path = f"/v1/segments/{segment.id}/contacts"
    for _ in range(2):
        assert (await api.post(path, {"contact_id": str(ada.id)}))[0] == 200
    assert (await rival_api.delete(f"{path}/{ada.id}"))[0] == 404
    assert (await api.delete(f"{path}/{ada.id}"))[0] == 200
    assert (await api.delete(f"{path}/{ada.id}"))[0] == 404
    about = {"segment_id": str(segment.id), "segment_name": "Readers"}
    about |= {"contact_id": str(ada.id), "email": "ada@example.org"}
    assert await recorded(acme) == [(kind, about) for kind in BOTH]
    assert await WebhookDelivery.filter(webhook_id=webhook.id).count() == 2
    assert await recorded(rival) == []
    _, body = await api.get(f"/v1/events?contact_id={ada.id}&type=segment.left")
    assert [event["data"] for event in body["data"]] == [about]
    assert (await rival_api.get(f"/v1/events?contact_id={ada.id}"))[1]["data"] == []


async def test_a_batch_of_contacts_tells_each_that_joined(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=["segment.joined"])
    segment = await make_segment(acme, await make_contact(acme, "old@example.org"))
    emails = ["old@example.org", *(f"new{number}@example.org" for number in range(20))]
    rows = [{"email": email, "segments": [str(segment.id)]} for email in emails]
    assert (await api.post("/v1/contacts/batch", rows))[0] == 200
    assert sorted(data["email"] for _, data in await recorded(acme)) == sorted(emails[1:])


@pytest.mark.parametrize("events", [["*"], ["contact.created"], []])
async def test_nothing_is_recorded_unless_a_webhook_names_them(api: Api, acme: Organization, events: list[str]) -> None:
    if events:
        await make_webhook(acme, events=events)
    await make_webhook(acme, events=BOTH, status="disabled")
    segment = await make_segment(acme)
    status, body = await api.post(f"/v1/segments/{segment.id}/contacts", {"email": "ada@example.org"})
    assert status == 200
    assert (await api.delete(f"/v1/segments/{segment.id}/contacts/{body['data']['id']}"))[0] == 200
    assert await recorded(acme) == []


async def test_a_deleted_contact_and_a_deleted_segment_tell_nothing(api: Api, acme: Organization) -> None:
    await make_webhook(acme, events=BOTH)
    ada, bob = await make_contact(acme), await make_contact(acme)
    segment = await make_segment(acme, ada, bob)
    assert (await api.delete(f"/v1/contacts/{ada.id}"))[0] == 200
    assert (await api.delete(f"/v1/segments/{segment.id}"))[0] == 200
    assert await recorded(acme) == []
