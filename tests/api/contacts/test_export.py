"""GET /v1/contacts/{id}/export."""

from quart import Quart

from tests.api.conftest import NOT_FOUND, Api, make_api
from tests.factories import make_account, make_org, make_segment, make_suppression
from webapp.domain.roles import Role
from webapp.models import AuditEntry, Contact, MailHit, Organization

ADA = "ada@example.org"
SECTIONS = ["contact", "consents", "topics", "segments", "suppressions", "emails", "hits", "events"]


async def test_it_has_all_that_is_stored_of_the_person(api: Api, acme: Organization) -> None:
    made = await api.create("/v1/contacts", {"email": ADA, "first_name": "Ada", "do_not_track": True})
    segment = await make_segment(acme, await Contact.get(id=made["id"]), name="Readers")
    topic = await api.create("/v1/topics", {"name": "Product news", "default_subscription": "opt_in"})
    await api.patch(f"/v1/contacts/{ADA}/topics", {"topics": [{"id": topic["id"], "subscription": "opt_out"}]})
    account = await make_account(acme)
    about = {"from": account.from_email, "subject": "Hi", "text": "Hello"}
    _, mine = await api.post("/v1/emails", about | {"to": [ADA]})
    await api.post("/v1/emails", about | {"to": ["bob@example.org"]})
    await MailHit.create(org=acme, mail_log_id=mine["id"], agent="Mail", network="0" * 16)
    await make_suppression(acme, ADA)
    status, body = await api.get(f"/v1/contacts/{ADA}/export")
    data = body["data"]
    assert (status, list(data)) == (200, SECTIONS)
    assert data["contact"] == (await api.get(f"/v1/contacts/{ADA}"))[1]["data"]
    assert data["consents"][0]["text"] == "Status: subscribed; Do not track: yes"
    choices = [(row["name"], row["subscription"], row["source"]) for row in data["topics"]]
    assert choices == [("Product news", "opt_out", "api")]
    assert [row["id"] for row in data["segments"]] == [str(segment.id)]
    assert [row["email"] for row in data["suppressions"]] == [ADA]
    assert [(row["id"], row["subject"], row["to_email"]) for row in data["emails"]] == [(mine["id"], "Hi", ADA)]
    assert [(row["mail_log_id"], row["agent"]) for row in data["hits"]] == [(mine["id"], "Mail")]
    assert data["events"][0]["type"] == "contact.created"
    assert await AuditEntry.of(acme).filter(action="data.exported").count() == 1


async def test_many_emails_come_in_parts(api: Api, acme: Organization) -> None:
    await api.create("/v1/contacts", {"email": ADA})
    account = await make_account(acme)
    email = {"from": account.from_email, "to": [ADA], "subject": "Hi", "text": "Hello"}
    for _ in range(3):
        await api.post("/v1/emails/batch", [email] * 90)
    _, body = await api.get(f"/v1/contacts/{ADA}/export")
    ids = [row["id"] for row in body["data"]["emails"]]
    assert (len(ids), ids) == (270, sorted(set(ids)))


async def test_strangers_and_editors_get_none(api: Api, app: Quart, acme: Organization) -> None:
    await api.create("/v1/contacts", {"email": ADA})
    path = f"/v1/contacts/{ADA}/export"
    stranger = await make_api(app, await make_org("Others"))
    assert await stranger.get(path) == (404, NOT_FOUND)
    assert (await (await make_api(app, acme, Role.EDITOR)).get(path))[0] == 403
