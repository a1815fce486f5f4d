"""GET /v1/contacts/{id}/consents."""

from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import NOT_FOUND, Api, make_api
from tests.factories import make_contact, make_org
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.contacts.upsert import upsert_batch
from webapp.models import Organization

FIELDS = ["id", "kind", "at", "text", "form_id", "form_version", "network", "page_url", "topic_id"]
PAUSE = "2030-05-01T12:00:00Z"


async def consents_of(api: Api, contact_id: Any) -> list[tuple[str, str]]:
    status, body = await api.get(f"/v1/contacts/{contact_id}/consents")
    assert (status, body["meta"]["total"]) == (200, len(body["data"]))
    return [(row["kind"], row["text"]) for row in body["data"]]


class TestByPrograms:
    async def test_each_change_of_a_choice_is_a_row_newest_first(self, api: Api) -> None:
        made = await api.create("/v1/contacts", {"email": "ada@example.org"})
        path = f"/v1/contacts/{made['id']}"
        for body in (
            {"status": "unsubscribed", "do_not_track": True},
            {"status": "unsubscribed"},  # changes nothing
            {"first_name": "Ada"},
            {"email": "ada.lovelace@example.org"},
            {"paused_until": PAUSE},
            {"paused_until": None, "status": "subscribed"},
        ):
            assert (await api.patch(path, body))[0] == 200
        assert await consents_of(api, made["id"]) == [
            ("api", "Status: subscribed; Paused until: no"),
            ("api", "Paused until: 2030-05-01"),
            ("api", "Status: unsubscribed; Do not track: yes"),
            ("api", "Status: subscribed"),
        ]
        (newest, *_) = (await api.get(f"{path}/consents?page_size=1"))[1]["data"]
        assert list(newest) == FIELDS
        assert [newest[name] for name in FIELDS[4:]] == [None] * 5

    @pytest.mark.parametrize("path", ["/v1/contacts/upsert", "/v1/contacts/batch"])
    async def test_an_upsert_records_what_it_makes_and_what_it_changes(self, api: Api, path: str) -> None:
        ada = {"email": "ada@example.org"}
        for body in (ada, ada | {"status": "unsubscribed"}, ada | {"status": "unsubscribed", "phone": "1"}):
            status, _ = await api.post(path, [body] if path.endswith("batch") else body)
            assert status in (200, 201)
        expected = [("api", "Status: unsubscribed"), ("api", "Status: subscribed")]
        assert await consents_of(api, "ada@example.org") == expected

    async def test_a_new_member_of_a_segment_has_a_consent_too(self, api: Api) -> None:
        segment = await api.create("/v1/segments", {"name": "News"})
        await api.post(f"/v1/segments/{segment['id']}/contacts", {"email": "ada@example.org", "do_not_track": True})
        assert await consents_of(api, "ada@example.org") == [("api", "Status: subscribed; Do not track: yes")]


async def test_an_import_records_only_what_it_makes_or_changes(api: Api, acme: Organization) -> None:
    for email in ("left@example.org", "stays@example.org"):
        await make_contact(acme, email)
    rows = [
        NewContact(email="left@example.org", status="unsubscribed"),
        NewContact(email="stays@example.org", first_name="Bob"),
        NewContact(email="new@example.org"),
        NewContact(email="new@example.org", do_not_track=True),
    ]
    await upsert_batch(acme, rows)
    assert await consents_of(api, "left@example.org") == [("import", "Status: unsubscribed")]
    assert await consents_of(api, "stays@example.org") == []
    assert await consents_of(api, "new@example.org") == [("import", "Status: subscribed; Do not track: yes")]


async def test_a_link_in_mail_records_the_choice_of_the_person(api: Api, app: Quart, acme: Organization) -> None:
    contact = await make_contact(acme, "ada@example.org")
    for _ in range(2):  # the second press changes nothing
        pressed = await app.test_client().post(f"/unsubscribe/{token_for(contact.id, contact.id)}")
        assert pressed.status_code == 200
    assert await consents_of(api, contact.id) == [("person", "Status: unsubscribed")]


async def test_consents_of_strangers_are_absent(api: Api, app: Quart, acme: Organization) -> None:
    contact = await make_contact(acme, "ada@example.org")
    stranger = await make_api(app, await make_org("Others"))
    assert await stranger.get(f"/v1/contacts/{contact.id}/consents") == (404, NOT_FOUND)
