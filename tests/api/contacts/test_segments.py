"""/v1/segments."""

import asyncio
from typing import Any

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_campaign, make_contact, make_segment
from webapp.domain.segments import segments
from webapp.models import Campaign, Contact, Organization, Segment, SegmentContact

FIELDS = ["id", "name", "kind", "filter", "contact_count", "created_at", "updated_at"]


async def make(api: Api, name: str = "Readers") -> dict[str, Any]:
    return await api.create("/v1/segments", {"name": name})


async def test_a_segment_is_made_without_contacts(api: Api) -> None:
    made = await make(api, " Readers ")
    assert (list(made), made["name"], made["contact_count"]) == (FIELDS, "Readers", 0)
    assert (made["kind"], made["filter"]) == ("static", None)
    assert (await api.get(f"/v1/segments/{made['id']}")) == (200, {"data": made})


async def test_names_need_not_be_unique(api: Api) -> None:
    assert (await make(api))["id"] != (await make(api))["id"]


async def test_a_name_is_required_and_not_empty(api: Api, acme: Organization) -> None:
    path = f"/v1/segments/{(await make_segment(acme)).id}"
    names = ("  ", None, "a\nb", "x" * 201)
    for body in ({}, *({"name": name} for name in names)):
        for status, answer in (await api.post("/v1/segments", body), await api.patch(path, body)):
            assert (status, answer["error"], answer["details"][0]["field"]) == (400, "ValidationError", "name")
    assert [row.name for row in await Segment.all()] == ["Readers"]


async def test_segments_are_listed_by_name_without_case(api: Api) -> None:
    names = ["beta", "Alpha", "GAMMA", "alpha", "Beta 2", "épsilon"]
    made = [await make(api, name) for name in names]
    _, body = await api.get("/v1/segments")
    assert [row for row in body["data"] if row["name"] != "épsilon"] == [made[n] for n in (1, 3, 0, 4, 2)]


async def test_a_change_names_it_and_leaves_its_contacts(api: Api, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme), name="Old")
    await make(api, "M")
    status, body = await api.patch(f"/v1/segments/{segment.id}", {"name": "New", "contact_count": 9})
    assert (status, body["data"]["name"], body["data"]["contact_count"]) == (200, "New", 1)
    assert body["data"]["updated_at"] > body["data"]["created_at"]
    assert (await api.get(f"/v1/segments/{segment.id}"))[1]["data"] == body["data"]
    assert [row["name"] for row in (await api.get("/v1/segments"))[1]["data"]] == ["M", "New"]


async def test_a_deleted_segment_leaves_its_contacts_and_is_null_in_campaigns(api: Api, acme: Organization) -> None:
    contact = await make_contact(acme)
    segment, other = await make_segment(acme, contact), await make_segment(acme, contact)
    await make_campaign(acme, segment=segment)
    assert await api.delete(f"/v1/segments/{segment.id}") == (200, {"ok": True})
    assert (await api.get(f"/v1/contacts/{contact.id}"))[0] == 200
    assert await Contact.all().count() == 1
    assert [row.segment_id for row in await SegmentContact.all()] == [other.id]
    assert (await Campaign.get()).segment_id is None
    for method in ("GET", "PATCH", "DELETE"):
        status, body = await api.answer(method, f"/v1/segments/{segment.id}", json={"name": "x"})
        assert (status, body) == (404, NOT_FOUND)


async def test_what_a_dead_process_left_of_a_deleted_segment_is_gone_for_everybody_and_a_worker_ends_it(
    api: Api, acme: Organization
) -> None:
    contact = await make_contact(acme)
    segment, other = await make_segment(acme, contact), await make_segment(acme, contact)
    await Segment.filter(id=segment.id).update(kind="deleted")
    assert (await api.get(f"/v1/segments/{segment.id}"))[0] == 404
    assert [row["id"] for row in (await api.get("/v1/segments"))[1]["data"]] == [str(other.id)]
    assert (await api.post(f"/v1/segments/{segment.id}/contacts", {"contact_id": str(contact.id)}))[0] == 404
    await segments.finish_deleting(60)
    assert [row.segment_id for row in await SegmentContact.all()] == [other.id]
    assert not await Segment.filter(id=segment.id).exists()


async def test_of_two_deletes_at_once_one_finds_nothing(api: Api, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    answers = await asyncio.gather(*(api.delete(f"/v1/segments/{segment.id}") for _ in range(4)))
    assert sorted(status for status, _ in answers) == [200, 404, 404, 404]
