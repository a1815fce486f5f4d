"""Emails about a topic: rows of recipients who opted out fail at once, the others get it, with links to leave."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api, viewer_api
from tests.api.mails import MAIL, send
from tests.factories import make_contact, make_suppression, make_template, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.plans import use_plans
from tests.support.topics import choose
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Contact, Event, MailLog, Organization, OrgUsage, Topic, TopicChoice

__all__ = ["viewer_api"]

TODAY = f"{clock.now():%Y-%m-%d}"
LEFT = f'opted out of "Product news" on {TODAY}'
NEVER_CHOSE = 'opted out of "Product news"'
PEOPLE = ["ada@example.org", "Bob@example.org", "eve@example.org", "stranger@example.org"]
ONE_CLICK = {"data": b"List-Unsubscribe=One-Click", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}


async def rows_of(org: Organization) -> dict[str, tuple[str, str | None]]:
    return {row.to_email: (row.status, row.error) for row in await MailLog.of(org).order_by("id")}


async def make_people(org: Organization, default: str) -> Topic:
    """Ada chose the topic, Bob left it, and Eve chose nothing; the stranger is no contact."""
    topic = await make_topic(org, name="Product news", default_subscription=default)
    ada, bob, _ = [await make_contact(org, email.lower()) for email in PEOPLE[:3]]
    await choose(topic, ada, subscription="opt_in")
    await choose(topic, bob, subscription="opt_out")
    return topic


@pytest.mark.parametrize(
    ("default", "errors"),
    [("opt_in", [None, LEFT, None, None]), ("opt_out", [None, LEFT, NEVER_CHOSE, NEVER_CHOSE])],
)
@pytest.mark.usefixtures("account")
async def test_who_opted_out_fails_at_once_and_the_others_go(
    api: Api, acme: Organization, rival: Organization, default: str, errors: list[str | None]
) -> None:
    await make_people(rival, "opt_in" if default == "opt_out" else "opt_out")
    topic = await make_people(acme, default)
    await Contact.of(acme).filter(email="eve@example.org").update(paused_until=clock.now() + timedelta(days=1))
    email_id = await send(api, to=PEOPLE, topic_id=str(topic.id))
    expected = {
        email: ("pending" if error is None else "failed", error) for email, error in zip(PEOPLE, errors, strict=True)
    }
    assert await rows_of(acme) == expected
    suppressed = await Event.of(acme).filter(type="email.suppressed")
    assert sorted(event.data["suppressed"]["reason"] for event in suppressed) == sorted(filter(None, errors))
    (listed,) = (await api.get("/v1/emails"))[1]["data"]
    whole = (await api.get(f"/v1/emails/{email_id}"))[1]["data"]
    assert (whole["status"], whole["topic_id"], listed["topic_id"]) == ("pending", str(topic.id), str(topic.id))
    await send(api, to=PEOPLE)
    assert {error for _, error in (await rows_of(acme)).values()} == {None}


async def test_a_topic_is_looked_for_in_the_own_organization(
    api: Api, account: Account, acme: Organization, rival: Organization
) -> None:
    own, theirs = await make_topic(acme), await make_topic(rival)
    for topic_id in (theirs.id, uuid4()):
        status, answer = await api.post("/v1/emails", MAIL | {"topic_id": str(topic_id)})
        assert (status, answer["message"]) == (404, "topic_id: topic not found")
        batch = [MAIL | {"topic_id": str(own.id)}, MAIL | {"topic_id": str(topic_id)}]
        status, answer = await api.post("/v1/emails/batch", batch)
        assert (status, answer["message"]) == (404, "emails.1.topic_id: topic not found")
    assert await api.refused("POST", "/v1/emails", MAIL | {"topic_id": "news"}) == "topic_id"
    assert await MailLog.all().count() == 0


@pytest.mark.usefixtures("account")
async def test_each_email_of_a_batch_goes_by_its_own_topic(api: Api, acme: Organization) -> None:
    topic, other = await make_people(acme, "opt_in"), await make_topic(acme, name="Other")
    await make_suppression(acme, "eve@example.org")
    to = {"to": ["bob@example.org", "eve@example.org"]}
    batch = [MAIL | to | {"topic_id": str(topic.id)}, MAIL | to | {"topic_id": str(other.id)}, MAIL | to]
    status, answer = await api.post("/v1/emails/batch", batch)
    assert status == 200, answer
    rows = await MailLog.of(acme).order_by("email_id", "id")
    assert [(row.error or "")[:10] for row in rows] == ["opted out ", "suppressed", "", "suppressed", "", "suppressed"]


@pytest.mark.usefixtures("account")
async def test_what_is_not_sent_counts_towards_no_limit(api: Api, acme: Organization, settings: Settings) -> None:
    use_plans(settings, {"free": {"monthly_email_quota": 2}})
    topic = await make_people(acme, "opt_in")
    for _ in range(3):
        await send(api, to=PEOPLE[1], topic_id=str(topic.id))
    assert not await OrgUsage.of(acme).filter(metric="monthly_email_quota", used__gt=0).exists()
    await OrgUsage.of(acme).filter(metric="monthly_email_quota").delete()  # it is counted again
    (day,) = (await api.get("/v1/metrics"))[1]["data"]
    assert (day["suppressed"], day["failed"]) == (3, 0)


async def test_a_choice_made_while_the_email_waits_counts(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    topic = await make_people(acme, "opt_in")
    await send(api, to=PEOPLE[0], cc=[PEOPLE[2], PEOPLE[3]], topic_id=str(topic.id))
    await choose(topic, await Contact.of(acme).get(email="eve@example.org"), subscription="opt_out")
    await deliver_all(settings)
    assert [message.recipients for message in smtp_server.messages] == [["ada@example.org", "stranger@example.org"]]
    rows = await rows_of(acme)
    assert rows["eve@example.org"] == ("failed", LEFT)
    assert (rows["ada@example.org"][0], rows["stranger@example.org"][0]) == ("sent", "sent")
    assert await Event.of(acme).filter(type="email.suppressed").count() == 1


async def test_a_topic_that_is_deleted_while_the_email_waits_stops_it(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    topic = await make_people(acme, "opt_in")
    await send(api, to=PEOPLE[0], topic_id=str(topic.id))
    assert (await api.delete(f"/v1/topics/{topic.id}"))[0] == 200
    await deliver_all(settings)
    assert smtp_server.messages == []
    assert await rows_of(acme) == {"ada@example.org": ("failed", "the topic was deleted before the email was sent")}


BODY = '<a href="{{ unsubscribe_url }}">Leave</a> <a href="{{preferences_url}}">Choose</a> {{ first_name }}'


async def deliver_one(api: Api, settings: Settings, smtp_server: SmtpServer, **fields: Any) -> str:
    await send(api, **fields)
    await deliver_all(settings)
    (message,) = smtp_server.messages
    return message.content.replace(b"=\r\n", b"").replace(b"=3D", b"=").replace(b"\r\n ", b" ").decode()


@pytest.mark.parametrize("has_template", [True, False])
async def test_an_email_to_one_contact_has_links_that_leave_the_topic(
    app: Quart,
    api: Api,
    viewer_api: Api,
    acme: Organization,
    account: Account,
    settings: Settings,
    smtp_server: SmtpServer,
    *,
    has_template: bool,
) -> None:
    topic = await make_people(acme, "opt_in")
    fields: dict[str, Any] = {"html": BODY, "text": "{{ unsubscribe_url }}"}
    if has_template:
        template = await make_template(acme, subject="News", body=BODY)
        variables = {"first_name": "{{ first_name }}"}
        fields = {"template": {"id": str(template.id), "variables": variables}, "html": None, "text": None}
    tracking = {"opens": False, "clicks": True}
    sent = await deliver_one(
        api, settings, smtp_server, to=PEOPLE[0], topic_id=str(topic.id), tracking=tracking, **fields
    )
    (header,) = re.findall(r"List-Unsubscribe: <(https?://[^>]+)>", sent)
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in sent
    assert f'href="{header}"' in sent
    assert f'href="{header}/preferences"' in sent
    assert ("{{ first_name }}" in sent) is True
    link = header.partition("/unsubscribe/")[2]
    (email,) = (await api.get("/v1/emails"))[1]["data"]
    for shown in ("", "/raw"):
        assert link not in str(await viewer_api.get(f"/v1/emails/{email['id']}{shown}"))
    contact = await Contact.of(acme).get(email="ada@example.org")
    assert (await app.test_client().post(f"/unsubscribe/{link}", **ONE_CLICK)).status_code == 200
    assert (await TopicChoice.get(contact_id=contact.id)).subscription == "opt_out"
    assert (await Contact.get(id=contact.id)).status == "subscribed"


@pytest.mark.parametrize("to", [PEOPLE[3], [PEOPLE[0], PEOPLE[2]]], ids=["no contact", "several"])
async def test_others_have_a_link_to_ask_for_theirs_and_no_button(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer, to: Any
) -> None:
    topic = await make_people(acme, "opt_in")
    sent = await deliver_one(api, settings, smtp_server, to=to, topic_id=str(topic.id), html=BODY, text="Hello")
    page = f"/preferences/{acme.public_key}"
    assert len(re.findall(f'href="https?://[^"/]+{page}"', sent)) == 2
    assert "List-Unsubscribe" not in sent


async def test_an_email_without_a_topic_stays_as_it_is(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_people(acme, "opt_in")
    sent = await deliver_one(api, settings, smtp_server, to=PEOPLE[0], html=BODY, text="Hello")
    assert "{{ unsubscribe_url }}" in sent
    assert "List-Unsubscribe" not in sent


async def test_an_own_header_stays_the_only_one(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    topic, own = await make_people(acme, "opt_in"), {"List-Unsubscribe": "<mailto:leave@acme.example>"}
    sent = await deliver_one(api, settings, smtp_server, to=PEOPLE[0], topic_id=str(topic.id), headers=own)
    assert re.findall("List-Unsubscribe.*", sent) == ["List-Unsubscribe: <mailto:leave@acme.example>\r"]
