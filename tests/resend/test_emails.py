"""Emails in Resend's shapes: sent, listed, shown, rescheduled and canceled, with what is wrong in its words."""

from datetime import timedelta
from uuid import uuid4

import pytest

from tests.api.mails import MAIL
from tests.factories import account_on, make_account, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.resend.conftest import Door
from webapp import clock
from webapp.config import Settings
from webapp.models import Email, Organization


@pytest.fixture
async def scheduled(door: Door, acme: Organization) -> str:
    await make_account(acme)
    return await door.make("/emails", MAIL | {"scheduled_at": (clock.now() + timedelta(hours=2)).isoformat()})


@pytest.mark.parametrize(("on_acceptance", "event"), [(False, "sent"), (True, "delivered")])
async def test_an_email_is_sent_and_its_last_event_follows_the_organizations_setting(
    door: Door, acme: Organization, settings: Settings, smtp_server: SmtpServer, *, on_acceptance: bool, event: str
) -> None:
    await Organization.filter(id=acme.id).update(delivered_on_acceptance=on_acceptance)
    await account_on(smtp_server, acme)
    files = [{"filename": "a.txt", "content": "aGVsbG8=", "content_id": "a", "x_unknown": 1}]
    more = {"tags": [{"name": "kind", "value": "order"}], "attachments": files, "cc": "bob@example.org", "x_unknown": 1}
    email_id = await door.make("/emails", MAIL | more)
    _, waiting = await door.get(f"/emails/{email_id}")
    assert waiting["last_event"] == "queued"
    await deliver_all(settings)
    _, shown = await door.get(f"/emails/{email_id}")
    assert (shown["object"], shown["last_event"], shown["to"]) == ("email", event, ["ada@example.org"])
    assert (shown["cc"], shown["html"], shown["tags"]) == (["bob@example.org"], "<p>Hello</p>", more["tags"])
    _, listed = await door.get("/emails")
    assert [(row["id"], row["last_event"]) for row in listed["data"]] == [(email_id, event)]


async def test_attachments_are_listed_with_the_url_of_their_content(door: Door, acme: Organization) -> None:
    await make_account(acme)
    files = [{"filename": "a.txt", "content": "aGVsbG8="}, {"filename": "b.txt", "content": "aGk=", "content_id": "b"}]
    email_id = await door.make("/emails", MAIL | {"attachments": files})
    _, listed = await door.get(f"/emails/{email_id}/attachments")
    assert [row["content_disposition"] for row in listed["data"]] == ["attachment", "inline"]
    first, second = listed["data"]
    _, shown = await door.get(f"/emails/{email_id}/attachments/{second['id']}")
    assert (shown["object"], shown["filename"], shown["size"]) == ("attachment", "b.txt", 2)
    response = await door.send("GET", "/v1" + first["download_url"].partition("/v1")[2])
    assert await response.get_data() == b"hello"
    other = await door.make("/emails", MAIL)
    assert (await door.get(f"/emails/{other}/attachments/{first['id']}"))[0] == 404


async def test_a_batch_is_strict_unless_it_says_permissive(door: Door, acme: Organization) -> None:
    await make_account(acme)
    status, body = await door.post("/emails/batch", [MAIL | {"x_unknown": 1}, MAIL])
    assert (status, len(body["data"]), set(body)) == (200, 2, {"data"})
    mixed = [MAIL, MAIL | {"to": "nobody"}]
    assert (await door.refusal("POST", "/emails/batch", mixed))[:2] == (422, "validation_error")
    status, body = await door.post("/emails/batch", mixed, headers={"x-batch-validation": "permissive"})
    assert (status, len(body["data"]), [fault["index"] for fault in body["errors"]]) == (200, 1, [1])


async def test_a_template_and_its_variables_are_sent(door: Door, acme: Organization) -> None:
    await make_account(acme)
    template = await make_template(acme, subject="For {{ name }}", body="<p>{{ name }}</p>", alias="welcome")
    mail = {"from": MAIL["from"], "to": MAIL["to"], "template": {"id": template.alias, "variables": {"name": "Ada"}}}
    _, shown = await door.get(f"/emails/{await door.make('/emails', mail)}")
    assert (shown["subject"], shown["html"]) == ("For Ada", "<p>Ada</p>")


async def test_a_scheduled_email_is_moved_and_canceled(door: Door, scheduled: str) -> None:
    later = (clock.now() + timedelta(hours=5)).isoformat()
    assert await door.patch(f"/emails/{scheduled}", {"scheduled_at": later}) == (
        200,
        {"object": "email", "id": scheduled},
    )
    assert (await door.get(f"/emails/{scheduled}"))[1]["last_event"] == "scheduled"
    assert await door.post(f"/emails/{scheduled}/cancel") == (200, {"object": "email", "id": scheduled})
    assert (await door.get(f"/emails/{scheduled}"))[1]["last_event"] == "canceled"
    assert (await door.refusal("POST", f"/emails/{scheduled}/cancel"))[:2] == (422, "validation_error")


async def test_a_list_is_paged_by_ids(door: Door, acme: Organization) -> None:
    await make_account(acme)
    assert (await door.get("/emails"))[1] == {"object": "list", "has_more": False, "data": []}
    ids = [await door.make("/emails", MAIL) for _ in range(3)][::-1]
    _, first = await door.get("/emails?limit=2&x_unknown=1")
    assert ([row["id"] for row in first["data"]], first["has_more"]) == (ids[:2], True)
    _, rest = await door.get(f"/emails?limit=2&after={ids[1]}")
    assert ([row["id"] for row in rest["data"]], rest["has_more"]) == (ids[2:], False)
    _, newer = await door.get(f"/emails?before={ids[1]}")
    assert [row["id"] for row in newer["data"]] == ids[:1]


async def test_a_key_used_again_gets_the_first_answer_and_another_body_a_conflict(
    door: Door, acme: Organization
) -> None:
    await make_account(acme)
    keyed = {"headers": {"Idempotency-Key": "order-1"}}
    first = await door.post("/emails", MAIL, **keyed)
    assert await door.post("/emails", MAIL, **keyed) == first
    assert (await door.refusal("POST", "/emails", MAIL | {"subject": "Other"}, **keyed))[:2] == (
        409,
        "invalid_idempotent_request",
    )
    wrong = {"headers": {"Idempotency-Key": "x" * 257}}
    assert (await door.refusal("POST", "/emails", MAIL, **wrong))[:2] == (400, "invalid_idempotency_key")
    assert await Email.all().count() == 1


@pytest.mark.parametrize(
    ("changes", "error", "field"),
    [
        ({"to": None}, "validation_error", "to"),
        ({"from": ...}, "missing_required_field", "from"),
        ({"subject": ...}, "missing_required_field", "subject"),
        ({"html": ...}, "missing_required_field", "text"),
        ({"from": "nobody"}, "validation_error", "from"),
        (
            {"attachments": [{"path": "https://example.org/a", "filename": "a"}]},
            "missing_required_field",
            "attachments",
        ),
        ({"tags": [{"name": "a b", "value": "c"}]}, "validation_error", "tags"),
        ({"topic_id": "news"}, "validation_error", "topic_id"),
    ],
)
async def test_a_wrong_email_is_refused(
    door: Door, acme: Organization, changes: dict[str, object], error: str, field: str
) -> None:
    await make_account(acme)
    mail = {name: value for name, value in (MAIL | changes).items() if value is not ...}
    status, name, message = await door.refusal("POST", "/emails", mail)
    assert (status, name) == (422, error), message
    assert message.startswith(field)


async def test_a_key_is_missing_wrong_or_of_too_low_a_role(
    keyless_door: Door, door: Door, rival_door: Door, sender_door: Door, scheduled: str
) -> None:
    assert (await keyless_door.refusal("GET", "/emails"))[:2] == (401, "missing_api_key")
    wrong = {"headers": {"Authorization": "Bearer re_123"}}
    assert (await keyless_door.refusal("GET", "/emails", **wrong))[:2] == (403, "invalid_api_key")
    assert (await keyless_door.refusal("GET", "/nothing"))[:2] == (401, "missing_api_key")
    for path in ("/nothing", f"/emails/{uuid4()}", "/emails/receiving", "/automations/x"):
        assert (await door.refusal("GET", path))[:2] == (404, "not_found"), path
    assert (await door.refusal("PUT", "/emails"))[:2] == (404, "not_found")
    for method, path in (("GET", ""), ("PATCH", ""), ("POST", "/cancel"), ("GET", "/attachments")):
        answer = await rival_door.refusal(method, f"/emails/{scheduled}{path}", {})
        assert answer[:2] == (404, "not_found"), path


@pytest.mark.parametrize(
    ("body", "kind", "status", "name"),
    [
        (b"{", "application/json", 422, "validation_error"),
        (b"[]", "application/json", 422, "validation_error"),
        (b"{}", "text/plain", 415, "validation_error"),
        (b" " * (40 * 1024 * 1024 + 1), "application/json", 413, "validation_error"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(
    door: Door, body: bytes, kind: str, status: int, name: str
) -> None:
    _, answer = await door.answer("POST", "/emails", data=body, headers={"Content-Type": kind})
    assert (answer["statusCode"], answer["name"]) == (status, name)
