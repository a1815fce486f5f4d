"""Fields of contacts and templates under the names that other clients have for them."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_segment
from webapp.models import Contact, Organization, Segment, SegmentContact, Template

NEW = {"email": "ada@example.org"}


async def create(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/contacts", NEW | fields)


async def members(segment: Segment) -> set[Any]:
    await segment.refresh_from_db()
    found = {one.contact_id for one in await SegmentContact.filter(segment_id=segment.id)}
    assert segment.contact_count == len(found)
    return found


class TestUnsubscribed:
    """The alias of `status`."""

    async def test_it_sets_the_status_of_a_new_contact_and_of_a_known_one(self, api: Api) -> None:
        made = await create(api, unsubscribed=True)
        assert (made["status"], "unsubscribed" in made) == ("unsubscribed", False)
        assert made["unsubscribed_at"] is not None
        for value, status in ((False, "subscribed"), (True, "unsubscribed"), (None, "unsubscribed")):
            answer = await api.patch(f"/v1/contacts/{made['id']}", {"unsubscribed": value})
            assert (answer[0], answer[1]["data"]["status"]) == (200, status)

    async def test_what_is_said_twice_must_say_the_same(self, api: Api, acme: Organization) -> None:
        contact = await make_contact(acme)
        body = {"unsubscribed": False, "status": "unsubscribed"}
        for status, answer in (
            await api.post("/v1/contacts", NEW | body),
            await api.patch(f"/v1/contacts/{contact.id}", body),
        ):
            assert (status, answer["message"]) == (400, "unsubscribed contradicts status")
            assert answer["details"][0]["field"] == "unsubscribed"
        assert [one.id for one in await Contact.of(acme)] == [contact.id]
        made = await create(api, unsubscribed=True, status="unsubscribed")
        assert made["status"] == "unsubscribed"


class TestProperties:
    """The alias of `custom_fields`, merged where those are replaced."""

    async def test_a_change_merges_them_and_custom_fields_replace_whole(self, api: Api) -> None:
        path = f"/v1/contacts/{(await create(api, custom_fields={'a': 1, 'b': 2}))['id']}"
        for body, fields in (
            ({"properties": {"b": 3, "c": 4}}, {"a": 1, "b": 3, "c": 4}),
            ({"properties": None}, {"a": 1, "b": 3, "c": 4}),
            ({"custom_fields": {"d": 5}, "properties": {"e": 6}}, {"d": 5, "e": 6}),
        ):
            status, answer = await api.patch(path, body)
            assert (status, answer["data"]["custom_fields"]) == (200, fields)

    async def test_a_key_with_two_values_is_refused(self, api: Api, acme: Organization) -> None:
        contact = await make_contact(acme)
        for value in (2, True):
            body = {"properties": {"a": 1}, "custom_fields": {"a": value}}
            for status, answer in (
                await api.post("/v1/contacts", NEW | body),
                await api.patch(f"/v1/contacts/{contact.id}", body),
            ):
                assert (status, answer["message"]) == (400, "properties contradicts custom_fields for a")

    async def test_the_limits_hold_for_what_comes_of_the_merging(self, api: Api) -> None:
        path = f"/v1/contacts/{(await create(api, custom_fields={'a': 'x' * 10_000}))['id']}"
        status, body = await api.patch(path, {"properties": {"b": "x" * 10_000}})
        assert (status, body["details"][0]["field"]) == (400, "properties")
        assert "16 KiB" in body["message"]


class TestSegments:
    """Ids of segments to join, bare or in objects."""

    async def test_a_new_contact_joins_them(self, api: Api, acme: Organization) -> None:
        first, second = await make_segment(acme), await make_segment(acme)
        made = await create(api, segments=[str(first.id), {"id": str(second.id)}, str(first.id)])
        assert [{str(one) for one in await members(segment)} for segment in (first, second)] == [{made["id"]}] * 2
        assert "segments" not in made

    async def test_a_change_joins_and_leaves_none(self, api: Api, acme: Organization) -> None:
        contact = await make_contact(acme)
        first, second = await make_segment(acme, contact), await make_segment(acme)
        assert (await api.patch(f"/v1/contacts/{contact.id}", {"segments": [{"id": str(second.id)}]}))[0] == 200
        assert (await members(first), await members(second)) == ({contact.id}, {contact.id})


class TestMembers:
    """The aliases in the body of a segment's new member."""

    @pytest.fixture
    async def path(self, acme: Organization) -> str:
        return f"/v1/segments/{(await make_segment(acme)).id}/contacts"

    async def test_a_new_one_is_the_contact_that_the_same_body_makes_elsewhere(self, api: Api, path: str) -> None:
        fields = {"unsubscribed": True, "properties": {"seats": 3}, "custom_fields": {"seats": 3, "vip": True}}
        status, body = await api.post(path, {"email": "bob@example.org"} | fields)
        assert status == 200, body
        member, elsewhere = body["data"], await create(api, **fields)
        for contact in (member, elsewhere):
            assert (contact["status"], contact["custom_fields"]) == ("unsubscribed", {"seats": 3, "vip": True})
            assert contact["unsubscribed_at"] is not None

    async def test_a_known_one_keeps_its_own_by_either_name(
        self, api: Api, acme: Organization, rival: Organization, path: str
    ) -> None:
        theirs = await make_contact(rival, "ann@example.org")
        contact = await make_contact(acme, status="unsubscribed", custom_fields={"a": 1})
        for named in ({"email": contact.email}, {"contact_id": str(contact.id)}):
            for fields in (
                {"status": "subscribed", "custom_fields": {"a": 2}},
                {"unsubscribed": False, "properties": {"a": 2, "b": 3}},
            ):
                status, body = await api.post(path, named | fields)
                assert (status, body["data"]["id"]) == (200, str(contact.id))
                assert (body["data"]["status"], body["data"]["custom_fields"]) == ("unsubscribed", {"a": 1})
        status, body = await api.post(path, {"email": theirs.email, "unsubscribed": True})
        assert (status, body["data"]["status"]) == (200, "unsubscribed")
        assert body["data"]["id"] != str(theirs.id)
        await theirs.refresh_from_db()
        assert theirs.status == "subscribed"


class TestTemplateBodies:
    """`html` and `text` as names of `body`."""

    @pytest.mark.parametrize("name", ["html", "text"])
    async def test_either_is_the_body(self, api: Api, name: str) -> None:
        status, made = await api.post("/v1/templates", {"name": "Welcome", name: "<p>Hi {{ first_name }}</p>"})
        assert (status, made["data"]["body"]) == (201, "<p>Hi {{ first_name }}</p>")
        assert made["data"]["variables"] == ["first_name"]
        path = f"/v1/templates/{made['data']['id']}"
        status, changed = await api.patch(path, {name: "Bye {{ last_name }}"})
        assert (status, changed["data"]["body"]) == (200, "Bye {{ last_name }}")

    async def test_two_bodies_that_differ_are_refused(self, api: Api, acme: Organization) -> None:
        status, made = await api.post("/v1/templates", {"name": "Welcome", "body": "as it was"})
        for bodies, field in (({"html": "a", "text": "b"}, "text"), ({"body": "", "html": "b"}, "html")):
            for status, answer in (
                await api.post("/v1/templates", {"name": "Other"} | bodies),
                await api.patch(f"/v1/templates/{made['data']['id']}", bodies),
            ):
                assert (status, answer["details"][0]["field"]) == (400, field)
                assert "contradicts" in answer["message"]
        assert [one.body for one in await Template.of(acme)] == ["as it was"]

    async def test_a_fault_is_told_of_the_name_that_was_given(self, api: Api) -> None:
        status, answer = await api.post("/v1/templates", {"name": "Welcome", "html": "<p>{{ first_name</p>"})
        assert (status, answer["details"][0]["field"]) == (400, "html")
        assert answer["message"].startswith("html ")


async def test_the_reference_names_the_aliases(api: Api) -> None:
    _, document = await api.get("/openapi.json")
    schemas = document["components"]["schemas"]
    for name in ("NewContact", "ContactChanges", "NewMember"):
        for alias, own in (("unsubscribed", "status"), ("properties", "custom_fields")):
            assert schemas[name]["properties"][alias]["description"].startswith(f"Alias of `{own}`")
    assert "unsubscribed" not in schemas["Contact"]["properties"]
    for name in ("NewTemplate", "TemplateChanges"):
        assert schemas[name]["properties"]["html"]["description"] == "Alias of `body`."
