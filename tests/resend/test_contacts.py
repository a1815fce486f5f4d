"""Contacts, segments and audiences, and contact properties in Resend's shapes."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import make_contact, make_segment, make_template, make_topic
from tests.resend.conftest import Door
from webapp.models import Consent, Contact, CustomField, Organization, Segment, SegmentContact

ADA = {"email": "ada@example.org", "first_name": "Ada", "last_name": "Lovelace"}


@pytest.mark.parametrize("key", ["id", "email"])
async def test_a_contact_is_made_shown_changed_and_deleted_by_id_and_address(door: Door, key: str) -> None:
    properties = {"company": "Engines", "seats": 3, "vip": True}
    contact_id = await door.make("/contacts", ADA | {"properties": properties, "x_unknown": 1})
    path = f"/contacts/{contact_id if key == 'id' else 'Ada%40example.org'}"
    _, shown = await door.get(path)
    assert {name: shown[name] for name in ADA} == ADA
    assert (shown["object"], shown["unsubscribed"]) == ("contact", False)
    assert shown["properties"] == {
        "company": {"type": "string", "value": "Engines"},
        "seats": {"type": "number", "value": 3},
        "vip": {"type": "boolean", "value": True},
    }
    status, changed = await door.patch(path, {"unsubscribed": True, "properties": {"seats": 4}})
    assert (status, changed) == (200, {"object": "contact", "id": contact_id})
    _, shown = await door.get(path)
    assert (shown["unsubscribed"], shown["properties"]["seats"]["value"], len(shown["properties"])) == (True, 4, 3)
    status, gone = await door.delete(path)
    assert (status, gone) == (200, {"object": "contact", "id": contact_id, "contact": contact_id, "deleted": True})
    assert (await door.get(path))[0] == 404


async def test_making_a_known_contact_again_changes_it(door: Door) -> None:
    first = await door.make("/contacts", ADA | {"unsubscribed": True})
    assert await door.make("/contacts", {"email": "ADA@example.org", "first_name": "Augusta"}) == first
    _, shown = await door.get(f"/contacts/{first}")
    assert (shown["first_name"], shown["last_name"], shown["unsubscribed"]) == ("Augusta", "Lovelace", True)


@pytest.mark.parametrize("noun", ["segment", "audience"])
async def test_segments_and_audiences_are_the_same(door: Door, noun: str) -> None:
    status, made = await door.post(f"/{noun}s", {"name": "Readers", "x_unknown": 1})
    assert (status, made["object"], made["name"]) == (201, noun, "Readers")
    path = f"/{noun}s/{made['id']}"
    assert (await door.get(path))[1]["object"] == noun
    assert (await door.patch(path, {"name": "Writers"}))[1] == {"object": noun, "id": made["id"]}
    for other in ("segments", "audiences"):
        _, listed = await door.get(f"/{other}")
        assert [row["name"] for row in listed["data"]] == ["Writers"]
    assert (await door.delete(path))[1] == {"object": noun, "id": made["id"], "deleted": True}
    assert await Segment.all().count() == 0


async def test_a_contact_joins_and_leaves_segments(door: Door, acme: Organization) -> None:
    first, second, third = [await make_segment(acme, name=name) for name in ("A", "B", "C")]
    body = ADA | {"segments": [{"id": str(first.id)}, str(second.id)], "audience_id": str(third.id)}
    contact_id = await door.make("/contacts", body)
    _, listed = await door.get(f"/contacts/{contact_id}/segments")
    assert [row["name"] for row in listed["data"]] == ["A", "B", "C"]
    ids = {"contact_id": contact_id, "segment_id": str(first.id)}
    status, left = await door.delete(f"/contacts/ada@example.org/segments/{first.id}")
    assert (status, left) == (200, {"object": "contact_segment", "id": str(first.id), **ids, "deleted": True})
    assert (await door.delete(f"/contacts/{contact_id}/segments/{first.id}"))[0] == 404
    status, joined = await door.post(f"/contacts/{contact_id}/segments/{first.id}")
    assert (status, joined) == (200, {"object": "contact_segment", "id": str(first.id), **ids})
    assert await SegmentContact.all().count() == 3


@pytest.mark.parametrize("noun", ["segments", "audiences"])
async def test_the_contacts_of_an_audience(door: Door, acme: Organization, noun: str) -> None:
    path = f"/{noun}/{(await make_segment(acme)).id}/contacts"
    contact_id, outside = await door.make(path, ADA), await make_contact(acme, "bob@example.org")
    assert [row["id"] for row in (await door.get(path))[1]["data"]] == [contact_id]
    assert (await door.get(f"{path}/ada@example.org"))[1]["email"] == "ada@example.org"
    assert (await door.patch(f"{path}/{contact_id}", {"first_name": "Augusta"}))[0] == 200
    assert (await door.get(f"{path}/{outside.id}"))[0] == 404
    assert (await door.delete(f"{path}/{contact_id}"))[1]["deleted"]
    assert (await door.get(f"{path}/{contact_id}"))[0] == 404
    assert await Contact.all().count() == 2


async def test_contacts_are_paged_by_ids(door: Door, acme: Organization) -> None:
    segment = await make_segment(acme)
    ids = [await door.make("/contacts", {"email": f"{n}@example.org", "segments": [str(segment.id)]}) for n in range(5)]
    ids.reverse()
    await make_contact(acme, "other@example.org")
    for query in (f"/contacts?segment_id={segment.id}", f"/segments/{segment.id}/contacts?x=1"):
        _, first = await door.get(f"{query}&limit=2")
        assert ([row["id"] for row in first["data"]], first["has_more"]) == (ids[:2], True)
        _, older = await door.get(f"{query}&limit=3&after={ids[1]}")
        assert ([row["id"] for row in older["data"]], older["has_more"]) == (ids[2:], False)
        _, newer = await door.get(f"{query}&limit=2&before={ids[4]}")
        assert ([row["id"] for row in newer["data"]], newer["has_more"]) == (ids[2:4], True)
    assert len((await door.get("/contacts"))[1]["data"]) == 6
    assert (await door.refusal("GET", f"/contacts?after={uuid4()}"))[:2] == (422, "validation_error")
    assert (await door.refusal("GET", "/contacts?limit=101"))[:2] == (422, "validation_error")
    assert (await door.refusal("GET", f"/contacts?segment_id={uuid4()}"))[:2] == (404, "not_found")


async def test_contact_properties_are_saved_custom_fields(door: Door, acme: Organization) -> None:
    property_id = await door.make("/contact-properties", {"key": "company", "type": "string"})
    seats = await door.make("/contact-properties", {"key": "seats", "type": "number"})
    _, listed = await door.get("/contact-properties")
    assert [(row["key"], row["type"]) for row in listed["data"]] == [("seats", "number"), ("company", "string")]
    assert (await door.get(f"/contact-properties/{seats}"))[1]["object"] == "contact_property"
    await door.make("/contacts", ADA | {"properties": {"company": "Engines", "seats": 3}})
    template = await make_template(acme, variables=["company"])
    refusal = await door.refusal("DELETE", f"/contact-properties/{property_id}")
    assert refusal[:2] == (422, "validation_error")
    assert "the template “Welcome”" in refusal[2]
    assert (await door.delete(f"/contact-properties/{seats}"))[1]["deleted"]
    assert [field.name for field in await CustomField.of(acme)] == ["company"]
    assert (await Contact.of(acme).get()).custom_fields == {"company": "Engines"}
    await template.delete()
    assert (await door.delete(f"/contact-properties/{property_id}"))[1]["deleted"]
    assert (await Contact.of(acme).get()).custom_fields == {}


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/contacts", {"first_name": "Ada"}, (422, "missing_required_field")),
        ("/contacts", {"email": "nobody"}, (422, "validation_error")),
        ("/contacts", {"email": 1}, (422, "validation_error")),
        ("/contacts", ADA | {"topics": [{"id": "x", "subscription": "opt_in"}]}, (422, "validation_error")),
        ("/contacts", ADA | {"segments": ["x"]}, (422, "validation_error")),
        ("/contacts", ADA | {"segments": "x"}, (422, "validation_error")),
        ("/contacts", ADA | {"segments": "x", "audience_id": 7}, (422, "validation_error")),
        ("/contacts", ADA | {"segments": 7, "audience_id": str(uuid4())}, (422, "validation_error")),
        ("/contacts", ADA | {"audience_id": str(uuid4())}, (404, "not_found")),
        ("/contacts", [ADA], (422, "validation_error")),
        ("/segments", {}, (422, "missing_required_field")),
        ("/segments", {"name": "A", "filter": {"and": []}}, (422, "validation_error")),
        ("/contact-properties", {"key": "a", "type": "list"}, (422, "validation_error")),
        ("/contact-properties", {"key": "a", "type": "string", "fallback_value": "x"}, (422, "validation_error")),
        ("/topics", {"name": "News"}, (422, "missing_required_field")),
        ("/topics", {"name": "News", "default_subscription": "maybe"}, (422, "validation_error")),
    ],
)
async def test_wrong_bodies_are_refused(door: Door, path: str, body: Any, error: tuple[int, str]) -> None:
    assert (await door.refusal("POST", path, body))[:2] == error


async def test_a_strangers_rows_are_not_there(door: Door, rival: Organization) -> None:
    contact, segment = await make_contact(rival, "ada@example.org"), await make_segment(rival)
    ours = await door.make("/contacts", {"email": "bob@example.org"})
    for method, path in (
        ("GET", f"/contacts/{contact.id}"),
        ("DELETE", "/contacts/ada@example.org"),
        ("GET", f"/contacts?segment_id={segment.id}"),
        ("POST", f"/contacts/{ours}/segments/{segment.id}"),
        ("POST", f"/segments/{segment.id}/contacts"),
        ("DELETE", f"/audiences/{segment.id}"),
    ):
        assert (await door.refusal(method, path, {}))[:2] == (404, "not_found"), path
    body = {"email": "new@example.org", "segments": [str(segment.id)]}
    assert (await door.refusal("POST", "/contacts", body))[:2] == (404, "not_found")


async def test_a_contact_is_created_with_topics(door: Door, acme: Organization, rival: Organization) -> None:
    news, theirs = await make_topic(acme, default_subscription="opt_out"), await make_topic(rival)
    chosen = {"id": str(news.id), "subscription": "opt_in"}
    for number in range(2):  # creating a known address changes that contact
        contact_id = await door.make("/contacts", ADA | {"topics": [chosen]})
        (row,) = (await door.get(f"/contacts/{contact_id}/topics"))[1]["data"]
        assert (row["id"], row["subscription"]) == (str(news.id), "opt_in")
        assert await Consent.of(acme).filter(topic_id=news.id, kind="api").count() == 1, number
    for wrong in (
        [chosen, {"id": str(theirs.id), "subscription": "opt_in"}],
        [{"id": str(theirs.id)}],
        [chosen, chosen],
        7,
    ):
        status, _, _ = await door.refusal("POST", "/contacts", {"email": "new@example.org", "topics": wrong})
        assert status in (404, 422), wrong
    assert (await door.refusal("PATCH", f"/contacts/{contact_id}", {"topics": [chosen]}))[:2] == (
        422,
        "validation_error",
    )
    assert await Contact.of(acme).count() == 1


@pytest.mark.parametrize("key", ["id", "email"])
@pytest.mark.parametrize("is_bare", [True, False])
async def test_a_contact_opts_in_to_topics_and_out_of_them(
    door: Door, rival: Organization, key: str, *, is_bare: bool
) -> None:
    contact_id = await door.make("/contacts", ADA)
    path = f"/contacts/{contact_id if key == 'id' else 'Ada%40example.org'}/topics"
    news = await door.make("/topics", {"name": "News", "default_subscription": "opt_in", "visibility": "public"})
    beta = await door.make("/topics", {"name": "Beta", "default_subscription": "opt_out", "description": "Monthly."})
    changes = [{"id": news, "subscription": "opt_out"}]
    status, changed = await door.patch(path, changes if is_bare else {"topics": changes})
    assert (status, changed) == (
        200,
        {"object": "contact_topics", "id": contact_id, "contact_id": contact_id, "topics": changes},
    )
    _, listed = await door.get(path)
    rows = [(row["id"], row["name"], row["description"], row["subscription"]) for row in listed["data"]]
    assert rows == [(news, "News", "", "opt_out"), (beta, "Beta", "Monthly.", "opt_out")]
    theirs = await make_topic(rival)
    body = {"topics": [*changes, {"id": str(theirs.id), "subscription": "opt_in"}]}
    for method, where in (("PATCH", path), ("GET", f"/topics/{theirs.id}"), ("DELETE", f"/topics/{theirs.id}")):
        assert (await door.refusal(method, where, body))[:2] == (404, "not_found")
    assert (await door.delete(f"/topics/{news}"))[1] == {"object": "topic", "id": news, "deleted": True}
    assert [row["id"] for row in (await door.get("/topics"))[1]["data"]] == [beta]
