"""Every type of event that exists arrives at an endpoint, with what GET /v1/events shows of it."""

import re
from datetime import timedelta
from typing import Any

from jsonschema import Draft202012Validator
from quart import Quart
from quart.testing import QuartClient

from tests.api.conftest import Api
from tests.api.mails import send
from tests.domain.bounces.conftest import read_from
from tests.domain.bounces.test_effects import COMPLAINT
from tests.domain.tracking.test_hits import PERSON, links_in, path_of, write
from tests.domain.tracking.test_tracked_emails import age_and_judge, html
from tests.factories import account_on, make_contact, make_form, make_segment, make_template
from tests.fakes.endpoint import Endpoint
from tests.fakes.imap_server import ImapServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import until_received
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.domain.forms import sign_up
from webapp.models import Account, Event, MailLog, Organization, WebhookAttempt, WebhookDelivery
from webapp.models.event import EventType

ANN, BOB, CAT, DAN, EVE = (f"{name}@example.org" for name in ("ann", "bob", "cat", "dan", "eve"))


async def test_every_type_of_event_arrives_as_the_api_shows_it(
    acme: Organization, api: Api, rival_api: Api, app: Quart, settings: Settings, smtp_server: SmtpServer
) -> None:
    await Organization.filter(id=acme.id).update(delivered_on_acceptance=True)
    await account_on(smtp_server, acme, from_name="Acme")
    async with Endpoint() as endpoint, Endpoint() as theirs:
        webhook = await subscribe(api, endpoint)
        await subscribe(rival_api, theirs)
        async with working(settings):
            await change_people(api)
            await sign_up_by_form(api, acme)
            await send_campaigns(api, acme, smtp_server)
            await send_emails(api, acme, smtp_server, app)
            await complain(api, acme)
            await break_and_heal_account(api)
            assert (await api.post(f"/v1/webhooks/{webhook}/test"))[0] == 200
            await eventually(lambda: all_delivered(acme))
    assert set(endpoint.types) == set(EventType)
    described = await api._document()
    for got in endpoint.received:
        check_payload(described, got.event)
        _, shown = await api.get(f"/v1/events/{got.id}")
        assert got.event | {"id": got.id} == shown["data"] | {"data": shown["data"]["data"] | totals_of(got.event)}
    completed = next(got.event for got in endpoint.received if got.event["type"] == "campaign.completed")
    assert completed["data"]["totals"]["total"] == completed["data"]["totals"]["sent"] == 1
    assert await WebhookAttempt.of(acme).filter(response_status=200).count() == len(endpoint.received)
    assert theirs.received == []


def check_payload(described: dict[str, Any], event: dict[str, Any]) -> None:
    """That the body is what the OpenAPI document says of its type: no field more, and none less."""
    components = described["components"]
    media = described["webhooks"][event["type"]]["post"]["requestBody"]["content"]["application/json"]
    Draft202012Validator(media["schema"] | {"components": components}).validate(event)
    shape = components["schemas"][media["schema"]["$ref"].rpartition("/")[2]]
    data = components["schemas"][shape["properties"]["data"]["$ref"].rpartition("/")[2]]
    assert set(event["data"]) <= set(data["properties"]), event


def totals_of(event: dict[str, Any]) -> dict[str, Any]:
    """The totals of a run, which have changed since."""
    return {name: value for name, value in event["data"].items() if name == "totals"}


async def subscribe(api: Api, endpoint: Endpoint) -> str:
    of_recipients = [kind.value for kind in EventType if kind.startswith(("email.", "segment."))]
    return str((await api.create("/v1/webhooks", {"url": endpoint.url, "events": ["*", *of_recipients]}))["id"])


async def change_people(api: Api) -> None:
    path = f"/v1/contacts/{(await api.create('/v1/contacts', {'email': EVE}))['id']}"
    for change in ({"first_name": "Eve"}, {"status": "unsubscribed"}, {"status": "subscribed"}):
        assert (await api.patch(path, change))[0] == 200
    members = f"/v1/segments/{(await api.create('/v1/segments', {'name': 'Readers'}))['id']}/contacts"
    assert (await api.post(members, {"email": EVE}))[0] == 200
    assert (await api.delete(f"{members}/{path.rpartition('/')[2]}"))[0] == 200
    topic = await api.create("/v1/topics", {"name": "News", "default_subscription": "opt_in"})
    changes = [{"id": topic["id"], "subscription": "opt_out"}]
    assert (await api.patch(f"{path}/topics", {"topics": changes}))[0] == 200
    assert (await api.delete(path))[0] == 200


async def sign_up_by_form(api: Api, acme: Organization) -> None:
    form = await make_form(acme, double_opt_in=False)
    assert (await api.post(f"/v1/forms/{form.id}/sign-ups", {"email": "fay@example.org"}))[0] == 202
    await sign_up.queue.send()


async def send_campaigns(api: Api, acme: Organization, smtp_server: SmtpServer) -> None:
    segment = await make_segment(acme, await make_contact(acme, ANN))
    template = await make_template(acme)
    fields = {"title": "News", "segment_id": str(segment.id), "template_id": str(template.id)}
    for is_stopped in (False, True):
        path = f"/v1/campaigns/{(await api.create('/v1/campaigns', fields))['id']}"
        release = smtp_server.hold("RCPT") if is_stopped else None
        assert (await api.post(f"{path}/send", {}))[0] == 200
        if release is not None:
            assert (await api.post(f"{path}/stop"))[0] == 200
            release.set()
        else:
            await eventually(Event.of(acme).filter(type=EventType.CAMPAIGN_COMPLETED).exists)


async def send_emails(api: Api, acme: Organization, smtp_server: SmtpServer, app: Quart) -> None:
    smtp_server.refuse(BOB, "550 5.1.1 no such user")
    smtp_server.refuse(CAT, "451 4.7.1 greylisted")
    smtp_server.refuse(DAN, "550 5.7.1 relaying denied")
    scheduled = await send(api, to=ANN, scheduled_at=(clock.now() + timedelta(days=1)).isoformat())
    assert (await api.post(f"/v1/emails/{scheduled}/cancel"))[0] == 200
    assert (await api.post("/v1/suppressions", {"email": EVE}))[0] == 201
    for address in (BOB, CAT, DAN, EVE):
        await send(api, to=address)
    assert (await api.delete(f"/v1/suppressions/{EVE}"))[0] == 200
    seen = len(smtp_server.messages)
    await send(api, to=ANN, html=html(), tracking={"opens": True, "clicks": True})
    await until_received(smtp_server, seen + 1)
    body = part(parsed(smtp_server.messages[-1].content), "html")
    for link in (links_in(body)[0], re.findall(r'<img src="([^"]*)"', body)[0]):
        await QuartClient(app).get(path_of(link), headers=PERSON)
    await write(app)
    await age_and_judge()


async def complain(api: Api, acme: Organization) -> None:
    sent = await MailLog.of(acme).filter(to_email=ANN, status="sent").first()
    async with ImapServer() as server:
        mailbox = await read_from(server, acme)
        assert (await api.patch(f"/v1/accounts/{mailbox.account.id}", {"status": "paused"}))[0] == 200
        mailbox.add(COMPLAINT, sent.message_id)
        await mailbox.read()


async def break_and_heal_account(api: Api) -> None:
    async with SmtpServer(users={"ada": "secret"}) as server:
        fields = {"smtp_host": "127.0.0.1", "smtp_port": server.port, "smtp_security": "none"}
        login = {"smtp_username": "ada", "smtp_password": "wrong", "from_email": "ada@other.example"}
        made = {"name": "Wrong", "provider_type": "smtp", "daily_mail_limit": 10}
        account = await api.create("/v1/accounts", fields | login | made)
        await send(api, account_key=account["account_key"], to=DAN, **{"from": "ada@other.example"})
        await eventually(Account.filter(id=account["id"], status="error").exists)
        assert (await api.patch(f"/v1/accounts/{account['id']}", {"smtp_password": "secret"}))[0] == 200


async def all_delivered(acme: Organization) -> bool:
    kinds = set(await Event.of(acme).values_list("type", flat=True))
    waiting = await WebhookDelivery.of(acme).exclude(status="delivered").exists()
    return kinds == set(EventType) and not waiting
