"""Webhooks, suppressions, keys, logs and domains in Resend's shapes."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.mails import MAIL
from tests.factories import make_account, make_suppression, make_webhook
from tests.resend.conftest import Door, make_door
from webapp import clock, crypto
from webapp.domain.roles import Role
from webapp.domain.webhooks import log
from webapp.models import ApiKey, Organization, Suppression, Webhook

HOOK = {"endpoint": "https://example.com/hooks", "events": ["email.sent", "email.bounced"]}


async def test_a_webhook_is_made_changed_and_deleted(door: Door) -> None:
    status, made = await door.post("/webhooks", HOOK)
    assert (status, made["signing_secret"][:6]) == (201, "whsec_")
    path = f"/webhooks/{made['id']}"
    _, shown = await door.get(path)
    assert (shown["endpoint"], shown["events"], shown["status"]) == (HOOK["endpoint"], HOOK["events"], "enabled")
    assert (await door.patch(path, {"status": "disabled", "endpoint": "https://example.com/new"}))[0] == 200
    _, listed = await door.get("/webhooks")
    assert [(row["endpoint"], row["status"]) for row in listed["data"]] == [("https://example.com/new", "disabled")]
    _, rotated = await door.post(f"{path}/signing-secret/rotate")
    assert rotated["signing_secret"] != made["signing_secret"]
    assert (await door.delete(path))[1] == {"object": "webhook", "id": made["id"], "deleted": True}


async def test_the_events_of_a_webhook_are_listed_shown_and_replayed(door: Door, acme: Organization) -> None:
    webhook = await make_webhook(acme, "https://example.com/hooks")
    event = await log.send_test(webhook)
    path = f"/webhooks/{webhook.id}/events"
    _, listed = await door.get(path)
    assert [(row["id"], row["type"], row["status"]) for row in listed["data"]] == [
        (str(event.id), "webhook.test", "pending")
    ]
    _, shown = await door.get(f"{path}/{event.id}")
    assert (shown["object"], shown["payload"]["type"]) == ("webhook_event", "webhook.test")
    assert (await door.post(f"{path}/{event.id}/replay"))[1] == {"object": "webhook_event", "id": str(event.id)}
    assert (await door.get(f"{path}/{event.id}/attempts"))[1]["data"] == []
    other = await make_webhook(acme, "https://example.com/other")
    assert (await door.get(f"/webhooks/{other.id}/events/{event.id}"))[0] == 404


async def test_suppressions_are_added_and_removed_alone_and_in_batches(door: Door, acme: Organization) -> None:
    entry_id = await door.make("/suppressions", {"email": "ada@example.org"})
    assert await door.make("/suppressions", {"email": "ADA@example.org"}) == entry_id
    for key in (entry_id, "ada@example.org"):
        _, shown = await door.get(f"/suppressions/{key}")
        assert (shown["email"], shown["origin"], shown["source_id"]) == ("ada@example.org", "manual", None)
    bounced = await make_suppression(acme, "bob@example.org", reason="bounce")
    for origin, ids in (("bounce", [str(bounced.id)]), ("manual", [entry_id]), ("complaint", [])):
        assert [row["id"] for row in (await door.get(f"/suppressions?origin={origin}"))[1]["data"]] == ids
    assert (await door.delete("/suppressions/ada@example.org"))[1]["deleted"]
    status, added = await door.post("/suppressions/batch/add", {"emails": ["c@example.org", "bob@example.org"]})
    assert (status, len(added["data"])) == (201, 2)
    body = {"emails": ["c@example.org"], "ids": [str(bounced.id), str(uuid4())]}
    assert len((await door.post("/suppressions/batch/remove", body))[1]["data"]) == 2
    assert await Suppression.all().count() == 0


async def test_keys_have_the_role_of_their_permission_and_the_maker_of_the_key_that_made_them(
    door: Door, acme: Organization
) -> None:
    for permission, role in (("sending_access", "sender"), ("full_access", "admin")):
        status, made = await door.post("/api-keys", {"name": permission, "permission": permission})
        assert (status, made["token"][:9]) == (201, "svc_live_")
        assert (await ApiKey.get(id=made["id"])).role == role
    program = Door(door.app, made["token"])
    assert {row["name"] for row in (await program.get("/api-keys"))[1]["data"]} >= {"sending_access", "full_access"}
    assert (await program.delete(f"/api-keys/{made['id']}"))[1]["deleted"]
    sender = await make_door(door.app, acme, Role.EDITOR)
    assert (await sender.refusal("POST", "/api-keys", {"name": "x"}))[:2] == (401, "restricted_api_key")


async def test_a_key_with_an_end_makes_keys_that_last_no_longer(door: Door) -> None:
    issuer, end = ApiKey.filter(key_hash=crypto.digest(door.key or "")), clock.now() + timedelta(days=7)
    await issuer.update(expires_at=end)
    assert (await ApiKey.get(id=await door.make("/api-keys", {"name": "shop"}))).expires_at == end


async def test_a_key_for_a_domain_sends_from_there_alone(door: Door, acme: Organization, rival: Organization) -> None:
    account = await make_account(acme, from_email="hello@acme.example")
    theirs = await make_account(rival, from_email="hello@rival.example")
    await make_account(acme, from_email="hi@other.example")
    body = {"name": "shop", "permission": "sending_access", "domain_id": str(account.id)}
    program = Door(door.app, (await door.post("/api-keys", body))[1]["token"])
    await program.make("/emails", MAIL)
    refusal = await program.refusal("POST", "/emails", MAIL | {"from": "hi@other.example"})
    assert refusal == (
        403,
        "restricted_api_key",
        "this API key may not send as hi@other.example, only as @acme.example",
    )
    assert (await door.refusal("POST", "/api-keys", body | {"domain_id": str(theirs.id)}))[:2] == (404, "not_found")


async def test_logs_show_requests_with_masked_bodies(door: Door) -> None:
    await door.make("/api-keys", {"name": "shop"})
    await door.post("/contacts", {"email": "ada@example.org"}, headers={"User-Agent": "resend-python:2.51.0"})
    await door.app.extensions["request_log"].write()
    _, listed = await door.get("/logs")
    made, key = listed["data"]
    assert (made["endpoint"], made["method"], made["response_status"]) == ("/resend/contacts", "POST", 201)
    assert made["user_agent"] == "resend-python:2.51.0"
    _, shown = await door.get(f"/logs/{made['id']}")
    assert (shown["object"], shown["request_body"]) == ("log", {"email": "ada@example.org"})
    _, masked = await door.get(f"/logs/{key['id']}")
    assert "svc_live_" not in str(masked)


async def test_domains_are_those_of_accounts(door: Door, acme: Organization) -> None:
    account = await make_account(acme, from_email="hello@shop.example")
    await make_account(acme, from_email="news@shop.example")
    await make_account(acme, from_email="hi@other.example", status="error")
    _, listed = await door.get("/domains")
    assert [(row["name"], row["status"]) for row in listed["data"]] == [
        ("shop.example", "verified"),
        ("other.example", "failed"),
    ]
    assert (await door.get(f"/domains/{account.id}"))[1]["name"] == "shop.example"
    assert (await door.refusal("POST", "/domains", {"name": "new.example"}))[:2] == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/webhooks", {"events": ["email.sent"]}, "missing_required_field"),
        ("/webhooks", HOOK | {"endpoint": "ftp://example.com"}, "validation_error"),
        ("/webhooks", HOOK | {"events": ["domain.created"]}, "validation_error"),
        ("/suppressions", {}, "missing_required_field"),
        ("/suppressions", {"email": "nobody"}, "validation_error"),
        ("/suppressions/batch/add", {"emails": []}, "validation_error"),
        ("/suppressions/batch/add", {"emails": [f"{n}@example.org" for n in range(101)]}, "validation_error"),
        ("/suppressions/batch/remove", {"emails": ["nobody"]}, "validation_error"),
        ("/api-keys", {}, "missing_required_field"),
        ("/api-keys", {"name": "x", "permission": "owner"}, "validation_error"),
        ("/api-keys", {"name": "x", "domain_id": "x"}, "validation_error"),
    ],
)
async def test_wrong_bodies_are_refused(door: Door, path: str, body: Any, error: str) -> None:
    assert (await door.refusal("POST", path, body))[:2] == (422, error)


async def test_a_strangers_rows_are_not_there(door: Door, rival_door: Door, rival: Organization) -> None:
    key, webhook = await ApiKey.get(org_id=rival.id), await make_webhook(rival, "https://example.com/hooks")
    entry = await make_suppression(rival, "ada@example.org")
    event = await log.send_test(webhook)
    for method, path in (
        ("DELETE", f"/api-keys/{key.id}"),
        ("GET", f"/webhooks/{webhook.id}"),
        ("GET", f"/webhooks/{webhook.id}/events/{event.id}"),
        ("GET", "/suppressions/ada@example.org"),
        ("DELETE", f"/suppressions/{entry.id}"),
        ("GET", f"/domains/{(await make_account(rival, from_email='a@b.example')).id}"),
    ):
        assert (await door.refusal(method, path))[:2] == (404, "not_found"), path
    assert (await door.post("/suppressions/batch/remove", {"ids": [str(entry.id)]}))[1]["data"] == []
    assert (await Suppression.all().count(), await Webhook.all().count()) == (1, 1)
    assert (await rival_door.get("/emails"))[0] == 200
