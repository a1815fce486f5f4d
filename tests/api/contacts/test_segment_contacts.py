"""/v1/segments/{id}/contacts."""

import asyncio
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_segment
from webapp import clock
from webapp.models import Contact, Organization, SegmentContact


@pytest.fixture
async def path(acme: Organization) -> str:
    return f"/v1/segments/{(await make_segment(acme)).id}/contacts"


async def members(api: Api, path: str) -> list[str]:
    """The ids of the members; the segment's count is checked against them."""
    status, body = await api.get(path)
    assert status == 200
    ids = [row["id"] for row in body["data"]]
    _, shown = await api.get(path.removesuffix("/contacts"))
    assert shown["data"]["contact_count"] == body["meta"]["total"] == len(ids)
    return ids


async def link(api: Api, path: str, **fields: Any) -> dict[str, Any]:
    status, body = await api.post(path, fields)
    assert status == 200, body
    found: dict[str, Any] = body["data"]
    return found


class TestLinkById:
    """POST with `contact_id`."""

    async def test_a_known_contact_is_linked_and_shown_whole(self, api: Api, acme: Organization, path: str) -> None:
        contact = await make_contact(acme, "ada@example.org", first_name="Ada", custom_fields={"seats": 3})
        linked = await link(api, path, contact_id=str(contact.id))
        assert (linked["id"], linked["custom_fields"]) == (str(contact.id), {"seats": 3})
        assert await api.get(f"/v1/contacts/{contact.id}") == (200, {"data": linked})
        assert (await api.get(path))[1]["data"] == [linked]

    async def test_repeating_it_changes_nothing(self, api: Api, acme: Organization, path: str) -> None:
        contact_id = str((await make_contact(acme, status="unsubscribed")).id)
        first = await link(api, path, contact_id=contact_id)
        (joined,) = await SegmentContact.all()
        assert await link(api, path, contact_id=contact_id.upper()) == first
        assert (await SegmentContact.get()).created_at == joined.created_at
        assert await members(api, path) == [contact_id]
        assert first["status"] == "unsubscribed"


class TestLinkByEmail:
    """POST with `email`: create-or-link."""

    async def test_an_unknown_address_makes_a_contact(self, api: Api, path: str) -> None:
        given = {"first_name": "Ada", "last_name": "Lovelace", "phone": "1", "custom_fields": {"seats": 3}}
        made = await link(api, path, email="Ada@Example.org", **given)
        assert made.items() >= {**given, "email": "Ada@example.org", "status": "subscribed"}.items()
        assert await members(api, path) == [made["id"]]
        assert (await api.get(f"/v1/contacts/{made['id']}"))[1]["data"] == made

    async def test_a_known_address_is_linked_and_only_empty_names_are_filled(
        self, api: Api, acme: Organization, path: str
    ) -> None:
        contact = await make_contact(
            acme, "Ada@example.org", first_name="Ada", custom_fields={"seats": 3, "until": None}, status="unsubscribed",
            unsubscribed_at=clock.now(), bounced_at=clock.now(),
        )  # fmt: skip
        names = {"first_name": "X", "last_name": "King", "phone": "1"}
        custom_fields = {"seats": 4, "until": 1, "company": "Engines"}
        linked = await link(
            api, path, email="ADA@EXAMPLE.ORG", **names, status="subscribed", custom_fields=custom_fields
        )
        assert (linked["id"], linked["email"]) == (str(contact.id), "Ada@example.org")
        assert (linked["first_name"], linked["last_name"], linked["phone"]) == ("Ada", "King", None)
        assert (linked["custom_fields"], linked["status"]) == ({"seats": 3, "until": None}, "unsubscribed")
        assert None not in (linked["unsubscribed_at"], linked["bounced_at"])
        assert (await api.get(f"/v1/contacts/{contact.id}"))[1]["data"] == linked
        assert (await api.get("/v1/contacts?q=king"))[1]["data"] == [linked]
        assert await members(api, path) == [str(contact.id)]

    async def test_one_address_taken_in_at_once_is_one_contact_of_every_segment(
        self, api: Api, acme: Organization, path: str
    ) -> None:
        paths = [path, f"/v1/segments/{(await make_segment(acme)).id}/contacts"]
        answers = await asyncio.gather(
            *(api.post(where, {"email": case}) for case in ("a@b.example", "A@b.example") for where in paths * 5),
            *(api.post("/v1/contacts", {"email": "a@b.example"}) for _ in range(3)),
        )
        assert {status for status, _ in answers[:20]} == {200}
        assert {status for status, _ in answers[20:]} <= {201, 400}
        (contact,) = await Contact.all()
        for where in paths:
            assert await members(api, where) == [str(contact.id)]


async def test_contact_id_and_email_are_refused_together_and_one_is_required(
    api: Api, acme: Organization, path: str
) -> None:
    contact = await make_contact(acme)
    for body, field in (
        ({"contact_id": str(contact.id), "email": contact.email}, "contact_id"),
        ({"first_name": "Ada"}, "email"),
        ({"contact_id": None, "email": None}, "email"),
    ):
        assert await api.refused("POST", path, body) == field
    assert await members(api, path) == []
    assert (await link(api, path, contact_id=None, email=contact.email))["id"] == str(contact.id)


class TestUnlink:
    """DELETE /v1/segments/{id}/contacts/{contactId}."""

    async def test_only_the_membership_goes(self, api: Api, acme: Organization) -> None:
        gone, stays = await make_contact(acme), await make_contact(acme)
        paths = [f"/v1/segments/{(await make_segment(acme, gone, stays)).id}/contacts" for _ in range(2)]
        assert await api.delete(f"{paths[0]}/{gone.id}") == (200, {"ok": True})
        assert await members(api, paths[0]) == [str(stays.id)]
        assert await members(api, paths[1]) == [str(stays.id), str(gone.id)]
        assert (await api.get(f"/v1/contacts/{gone.id}"))[0] == 200
