"""Templates and broadcasts in Resend's shapes: its tags become ours, and a broadcast is a campaign."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import (
    account_on,
    make_account,
    make_campaign,
    make_contact,
    make_segment,
    make_template,
    make_topic,
)
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.resend.conftest import Door, make_door
from tests.support.messages import parsed
from webapp import clock
from webapp.config import Settings
from webapp.domain.roles import Role
from webapp.models import Campaign, Organization, Segment, Template
from webapp.resend.tags import to_merge_tags

HTML = '<p>Hello {{{FIRST_NAME|there}}} of {{{contact.company}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>'
OURS = '<p>Hello {{ first_name | default: "there" }} of {{ company }}</p><a href="{{ unsubscribe_url }}">Leave</a>'
NEWS = {"from": "News <news@acme.example>", "subject": "For {{{FIRST_NAME|you}}}", "html": HTML}


@pytest.fixture
async def segment(acme: Organization) -> Segment:
    await make_account(acme, from_email="news@acme.example")
    return await make_segment(acme, await make_contact(acme, "ada@example.org", first_name="Ada"))


async def test_a_broadcast_and_an_email_have_a_topic(
    door: Door, acme: Organization, rival: Organization, segment: Segment
) -> None:
    topic, theirs = await make_topic(acme, default_subscription="opt_out"), await make_topic(rival)
    broadcast_id = await door.make("/broadcasts", news(segment, topic_id=str(topic.id)))
    assert (await door.get(f"/broadcasts/{broadcast_id}"))[1]["topic_id"] == str(topic.id)
    assert (await door.post("/broadcasts", news(segment, topic_id=str(theirs.id))))[0] == 404
    email = NEWS | {"to": "ada@example.org", "subject": "Hi", "topic_id": str(topic.id)}
    email_id = await door.make("/emails", email)
    assert (await door.get(f"/emails/{email_id}"))[1]["last_event"] == "suppressed"
    assert (await door.post("/emails", email | {"topic_id": str(theirs.id)}))[0] == 404


def news(segment: Segment, **changes: Any) -> dict[str, Any]:
    return NEWS | {"segment_id": str(segment.id)} | changes


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("{{{FIRST_NAME}}}", "{{ first_name }}"),
        ("{{{ LAST_NAME | friend }}}", '{{ last_name | default: "friend" }}'),
        ("{{{EMAIL|}}}", '{{ email | default: "" }}'),
        ("{{{UNSUBSCRIBE_URL}}}", "{{ unsubscribe_url }}"),
        ("{{{PRODUCT}}}", '{{ PRODUCT | default: "a \u2019thing\u2019" }}'.replace("\u2019", "'")),
        ("{{{NAME|a \"b\" 'c'}}}", "{{ NAME | default: 'a \"b\" \u2019c\u2019' }}"),
        ("{{ name }} {{{a b}}} {{{", "{{ name }} {{{a b}}} {{{"),
    ],
)
def test_tags_are_translated(theirs: str, ours: str) -> None:
    assert to_merge_tags(theirs, {"PRODUCT": "a 'thing'"}) == ours


async def test_a_template_is_saved_with_our_tags_and_sent(door: Door, acme: Organization) -> None:
    await make_account(acme)
    variables = [{"key": "PRODUCT", "type": "string", "fallback_value": "a thing"}]
    body = {"name": "Order", "alias": "order", "subject": "{{{PRODUCT}}}", "html": "<p>{{{PRODUCT}}}</p>", "text": "x"}
    template_id = await door.make("/templates", body | {"variables": variables, "from": "a@acme.example"})
    for key in (template_id, "order"):
        _, shown = await door.get(f"/templates/{key}")
        assert (shown["object"], shown["status"], shown["alias"]) == ("template", "published", "order")
        assert (shown["html"], shown["text"]) == ('<p>{{ PRODUCT | default: "a thing" }}</p>', None)
        assert [variable["key"] for variable in shown["variables"]] == ["PRODUCT"]
    mail = {"from": "hello@acme.example", "to": "ada@example.org"}
    for variables, word in (({"PRODUCT": "A lamp"}, "A lamp"), ({}, "a thing")):
        email = await door.make("/emails", mail | {"template": {"id": "order", "variables": variables}})
        assert (await door.get(f"/emails/{email}"))[1]["subject"] == word
    assert (await door.patch("/templates/order", {"text": "Only {{{X|y}}}", "name": "T"}))[1]["id"] == template_id
    assert (await door.get("/templates/order"))[1]["text"] == 'Only {{ X | default: "y" }}'
    assert (await door.post("/templates/order/publish"))[1] == {"object": "template", "id": template_id}
    copied = await door.make("/templates/order/duplicate", None)
    assert [row["id"] for row in (await door.get("/templates"))[1]["data"]] == [copied, template_id]
    assert (await door.delete("/templates/order"))[1] == {"object": "template", "id": template_id, "deleted": True}


@pytest.mark.parametrize(("length", "status"), [(500, 201), (501, 422)])
async def test_a_long_fallback_is_refused_because_each_of_its_tags_becomes_as_long(
    door: Door, length: int, status: int
) -> None:
    variables = [{"key": "A", "type": "string", "fallback_value": "x" * length}]
    answer = await door.post("/templates", {"name": "T", "html": "<p>{{{A}}}</p>", "variables": variables})
    assert answer[0] == status
    if status == 422:
        assert answer[1]["message"] == "variables.0.fallback_value must be at most 500 characters"


async def test_a_broadcast_is_a_campaign_that_is_sent_once(
    door: Door, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, from_email="news@acme.example")
    ada = await make_contact(acme, "ada@example.org", custom_fields={"company": "Engines"})
    segment = await make_segment(acme, ada)
    broadcast_id = await door.make("/broadcasts", news(segment, name="June", preview_text="{{{EMAIL}}}", x_unknown=1))
    _, shown = await door.get(f"/broadcasts/{broadcast_id}")
    assert (shown["name"], shown["status"], shown["html"], shown["text"]) == ("June", "draft", OURS, None)
    assert (shown["from"], shown["subject"]) == (NEWS["from"], 'For {{ first_name | default: "you" }}')
    assert (shown["segment_id"], shown["audience_id"]) == (str(segment.id), str(segment.id))
    status, campaign = await door.send("GET", f"/v1/campaigns/{broadcast_id}"), await Campaign.get(id=broadcast_id)
    assert (status.status_code, campaign.title, campaign.preview_text) == (200, "June", "{{ email }}")
    assert (await door.post(f"/broadcasts/{broadcast_id}/send", {}))[0] == 200
    await deliver_all(settings)
    (message,) = [parsed(received.content) for received in smtp_server.messages]
    assert (message["Subject"], "Hello there of Engines" in str(message)) == ("For you", True)
    assert (await door.post(f"/broadcasts/{broadcast_id}/send", {}))[0] == 200
    await deliver_all(settings)
    assert len(smtp_server.messages) == 1
    _, listed = await door.get("/broadcasts")
    assert [(row["id"], row["status"]) for row in listed["data"]] == [(broadcast_id, "sent")]


async def test_a_broadcast_is_sent_when_it_is_made_or_not_made(door: Door, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme, "ada@example.org"))
    await make_account(acme, from_email="news@acme.example")
    broadcast_id = await door.make("/broadcasts", news(segment, send=True))
    assert (await door.get(f"/broadcasts/{broadcast_id}"))[1]["status"] == "queued"
    assert (await door.refusal("POST", "/broadcasts", news(segment, send=True, html="")))[:2] == (
        422,
        "validation_error",
    )
    assert (await Campaign.all().count(), await Template.all().count()) == (1, 1)
    assert (await door.post(f"/broadcasts/{broadcast_id}/cancel"))[0] == 200
    assert (await door.get(f"/broadcasts/{broadcast_id}"))[1]["status"] == "canceled"


async def test_a_broadcast_is_scheduled_canceled_and_changed(door: Door, segment: Segment) -> None:
    at = (clock.now() + timedelta(days=1)).isoformat()
    planned = await door.make("/broadcasts", news(segment, send=True, scheduled_at="in 2 hours"))
    draft = await door.make("/broadcasts", {**news(segment), "audience_id": str(segment.id)})
    assert (await door.post(f"/broadcasts/{draft}/send", {"scheduled_at": at}))[0] == 200
    for broadcast_id in (planned, draft):
        path = f"/broadcasts/{broadcast_id}"
        _, shown = await door.get(path)
        assert (shown["status"], shown["scheduled_at"] is not None) == ("scheduled", True)
        assert (await door.post(f"{path}/cancel"))[1] == {"object": "broadcast", "id": broadcast_id}
        assert (await door.get(path))[1]["status"] == "draft"
        assert (await door.refusal("POST", f"{path}/cancel"))[:2] == (422, "validation_error")
    changes = {"subject": "Other", "html": "<p>{{{LAST_NAME}}}</p>", "from": "Ada <ada@acme.example>", "name": "N"}
    assert (await door.patch(f"/broadcasts/{draft}", changes | {"reply_to": "b@acme.example"}))[0] == 200
    _, shown = await door.get(f"/broadcasts/{draft}")
    assert (shown["subject"], shown["html"], shown["from"]) == ("Other", "<p>{{ last_name }}</p>", changes["from"])
    assert (shown["name"], shown["reply_to"]) == ("N", ["b@acme.example"])
    assert (await door.delete(f"/broadcasts/{draft}"))[1] == {"object": "broadcast", "id": draft, "deleted": True}


async def test_changing_a_copy_leaves_the_content_of_the_original(door: Door, segment: Segment) -> None:
    first = await door.make("/broadcasts", news(segment))
    second = await door.make(f"/broadcasts/{first}/duplicate", None)
    assert (await door.patch(f"/broadcasts/{second}", {"text": "Only text"}))[0] == 200
    shown = [(await door.get(f"/broadcasts/{broadcast_id}"))[1] for broadcast_id in (first, second)]
    assert [(one["html"], one["text"]) for one in shown] == [(OURS, None), (None, "Only text")]


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize(
    "refused", [{"from": "a@elsewhere.example"}, {"segment_id": str(uuid4())}, {"html": "<p>{{ first_name</p>"}]
)
async def test_a_refused_change_leaves_campaign_and_content(
    door: Door, segment: Segment, refused: dict[str, Any], *, is_shared: bool
) -> None:
    broadcast_id = await door.make("/broadcasts", news(segment, name="June"))
    if is_shared:
        await door.make(f"/broadcasts/{broadcast_id}/duplicate", None)
    _, before = await door.get(f"/broadcasts/{broadcast_id}")
    changes = {"name": "July", "html": "<p>New</p>"} | refused
    assert (await door.patch(f"/broadcasts/{broadcast_id}", changes))[0] in (404, 422)
    assert (await door.get(f"/broadcasts/{broadcast_id}"))[1] == before
    assert await Template.all().count() == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"from": None}, "validation_error"),
        ({"from": ...}, "missing_required_field"),
        ({"subject": ...}, "missing_required_field"),
        ({"segment_id": ...}, "missing_required_field"),
        ({"segment_id": "x"}, "validation_error"),
        ({"from": "a@elsewhere.example"}, "validation_error"),
        ({"reply_to": ["a@acme.example", "b@acme.example"]}, "validation_error"),
        ({"html": "<p>{{ first_name</p>"}, "validation_error"),
        ({"subject": "{{{a b}}}"}, "validation_error"),
        ({"topic_id": "news"}, "validation_error"),
        ({"scheduled_at": "in 2 hours"}, "validation_error"),
        ({"scheduled_at": "at some time", "send": True}, "validation_error"),
    ],
)
async def test_a_wrong_broadcast_is_refused_and_leaves_nothing(
    door: Door, segment: Segment, changes: dict[str, Any], error: str
) -> None:
    body = {name: value for name, value in news(segment, **changes).items() if value is not ...}
    assert (await door.refusal("POST", "/broadcasts", body))[:2] == (422, error)
    assert (await Campaign.all().count(), await Template.all().count()) == (0, 0)


async def test_a_senders_key_sends_and_does_not_schedule(
    door: Door, sender_door: Door, segment: Segment, settings: Settings
) -> None:
    broadcast_id = await door.make("/broadcasts", news(segment))
    path = f"/broadcasts/{broadcast_id}/send"
    refusal = await sender_door.refusal("POST", path, {"scheduled_at": "in 2 hours"})
    assert refusal[:2] == (401, "restricted_api_key")
    assert (await sender_door.post(path, {}))[0] == 200


async def test_a_strangers_rows_are_not_there(door: Door, rival: Organization, segment: Segment) -> None:
    theirs = f"/broadcasts/{(await make_campaign(rival)).id}"
    template = f"/templates/{(await make_template(rival)).id}"
    for method, path in (
        ("GET", theirs),
        ("PATCH", theirs),
        ("POST", f"{theirs}/send"),
        ("POST", f"{theirs}/cancel"),
        ("DELETE", theirs),
        ("GET", template),
        ("POST", f"{template}/duplicate"),
    ):
        assert (await door.refusal(method, path, {}))[:2] == (404, "not_found"), path
    for segment_id in (uuid4(), (await make_segment(rival)).id):
        body = news(segment, segment_id=str(segment_id))
        assert (await door.refusal("POST", "/broadcasts", body))[:2] == (404, "not_found")


async def test_a_viewer_reads_and_changes_nothing(door: Door, acme: Organization, segment: Segment) -> None:
    viewer = await make_door(door.app, acme, Role.VIEWER)
    broadcast_id = await door.make("/broadcasts", news(segment))
    assert (await viewer.get(f"/broadcasts/{broadcast_id}"))[0] == 200
    assert (await viewer.refusal("POST", f"/broadcasts/{broadcast_id}/send"))[:2] == (401, "restricted_api_key")
