"""/v1/webhooks: made, changed, rotated and deleted by admins, and by nobody else."""

from typing import Any

from tests.api.conftest import Api, make_api, serving
from webapp.config import Settings
from webapp.models import ApiRequestDetails, AuditEntry, Organization, Webhook, WebhookDelivery

URL = "https://example.com/hooks"
NEW = {"url": URL, "events": ["email.bounced", "email.complained"]}


async def made(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/webhooks", NEW | fields)


async def test_a_webhook_shows_its_secret_once(api: Api, rival_api: Api) -> None:
    webhook = await made(api)
    secret = webhook.pop("signing_secret")
    assert secret.startswith("whsec_")
    assert (webhook["url"], webhook["events"], webhook["status"]) == (URL, NEW["events"], "enabled")
    assert await api.get(f"/v1/webhooks/{webhook['id']}") == (200, {"data": webhook})
    assert (await api.get("/v1/webhooks"))[1]["data"] == [webhook]
    assert secret not in (await Webhook.get(id=webhook["id"])).secret
    assert (await rival_api.get("/v1/webhooks"))[1]["data"] == []


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"url": "ftp://example.com/"}, "url", "must be a URL like https://example.com/path"),
    ({"url": "https://ada:secret@example.com/"}, "url", "must not contain a user name or password"),
    ({"url": "https://example.com:99999/"}, "url", "is not a valid URL"),
    ({"url": "https://example.com/" + "x" * 2_000}, "url", "at most 2000"),
    ({"url": "https://a b.com/"}, "url", "must not contain spaces"),
    ({"url": f"https://{'a' * 64}.example/"}, "url", "must have a host name or an address"),
    ({"url": "http://93.184.215.14/"}, "url", "93.184.215.14 must be reached over https"),
    ({"events": []}, "events", "must name an event type"),
    ({"events": ["email.read"]}, "events", "has an unknown type: email.read"),
]


async def test_what_cannot_be_posted_to_is_refused_in_words(api: Api) -> None:
    for fields, field, words in BAD:
        status, answer = await api.post("/v1/webhooks", NEW | fields)
        assert (status, [one["field"] for one in answer["details"]]) == (400, [field]), fields
        assert words in answer["message"]
    assert await Webhook.all().count() == 0


async def test_a_change_and_a_rotation_are_in_the_audit_log_without_secrets(api: Api, acme: Organization) -> None:
    webhook = await made(api)
    path = f"/v1/webhooks/{webhook['id']}"
    _, changed = await api.patch(path, {"url": "https://example.com/other", "events": ["*"]})
    assert (changed["data"]["url"], changed["data"]["events"]) == ("https://example.com/other", ["*"])
    _, rotated = await api.post(f"{path}/signing-secret/rotate")
    assert rotated["data"]["signing_secret"] != webhook["signing_secret"]
    assert (await api.delete(path)) == (200, {"ok": True})
    assert (await api.get(path))[0] == 404
    entries = await AuditEntry.of(acme).filter(action__startswith="webhook.").order_by("id")
    assert [entry.action.partition(".")[2] for entry in entries] == ["added", "changed", "rotated", "deleted"]
    assert not any("whsec_" in str(entry.details) for entry in entries)


async def test_a_secret_in_its_url_is_in_no_log(settings: Settings, acme: Organization) -> None:
    secret_url = "https://example.com/hooks?token=hunter2"
    async with serving(settings) as app:
        api = await make_api(app, acme)
        path = f"/v1/webhooks/{(await made(api, url=secret_url))['id']}"
        for read in (path, "/v1/webhooks"):
            assert secret_url in str((await api.get(read))[1])
        await api.patch(path, {"url": f"{secret_url}&x=1"})
        await api.delete(path)
    rows = [*await ApiRequestDetails.of(acme).values(), *await AuditEntry.of(acme).values()]
    assert sum("https://example.com/hooks?token=[hidden]" in str(row) for row in rows) == 7
    assert "hunter2" not in str(rows)


async def test_a_replay_is_of_what_failed_or_since_a_time(api: Api) -> None:
    webhook = await made(api, events=["contact.created"])
    path = f"/v1/webhooks/{webhook['id']}/replay"
    await api.post("/v1/contacts", {"email": "ada@example.org"})
    await WebhookDelivery.filter(webhook_id=webhook["id"]).update(status="delivered")
    for body, queued in (({}, 0), ({"since": "2026-11-20T09:30:00Z"}, 1), ({"since": "2099-11-20T09:30:00Z"}, 0)):
        assert await api.post(path, body) == (200, {"data": {"queued": queued}})
    await WebhookDelivery.filter(webhook_id=webhook["id"]).update(status="failed")
    assert await api.post(path, {"failed": True}) == (200, {"data": {"queued": 1}})


async def test_a_disabled_webhook_takes_no_test(api: Api) -> None:
    path = f"/v1/webhooks/{(await made(api))['id']}"
    await api.patch(path, {"status": "disabled"})
    status, answer = await api.post(f"{path}/test")
    assert (status, answer["message"]) == (409, "this webhook is disabled; enable it first")
    assert (await api.patch(path, {"status": "enabled"}))[1]["data"]["status"] == "enabled"
    assert (await api.post(f"{path}/test"))[0] == 200
    (delivery,) = (await api.get(f"{path}/events"))[1]["data"]
    assert (delivery["status"], delivery["attempts"]) == ("pending", 0)


async def test_events_are_listed_by_filters(api: Api, rival_api: Api) -> None:
    _, answer = await api.post("/v1/contacts", {"email": "ada@example.org"})
    contact = answer["data"]
    await api.patch(f"/v1/contacts/{contact['id']}", {"first_name": "Ada"})
    await api.patch(f"/v1/contacts/{contact['id']}", {"status": "unsubscribed"})
    await api.post("/v1/contacts", {"email": "bob@example.org"})
    await api.delete(f"/v1/contacts/{contact['id']}")
    _, listed = await api.get("/v1/events")
    kinds = [one["type"].removeprefix("contact.") for one in listed["data"]]
    assert kinds == ["deleted", "created", "unsubscribed", "updated", "created"]
    assert listed["data"][3]["data"]["first_name"] == "Ada"
    assert len((await api.get(f"/v1/events?contact_id={contact['id']}"))[1]["data"]) == 4
    assert len((await api.get("/v1/events?type=contact.created"))[1]["data"]) == 2
    assert (await api.get("/v1/events?type=contact.eaten"))[0] == 400
    assert (await api.get("/v1/events?until=2026-01-01T00:00:00Z"))[1]["data"] == []
    event = listed["data"][0]
    assert await api.get(f"/v1/events/{event['id']}") == (200, {"data": event})
    assert (await rival_api.get("/v1/events"))[1]["data"] == []
