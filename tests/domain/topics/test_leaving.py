"""The unsubscribe button of mail programs: for mail about a topic, it leaves that topic only."""

import re
from typing import Any

import pytest
from quart import Quart

from tests.api.campaigns.test_runs import World, send, world
from tests.api.conftest import Api
from tests.domain.topics.test_runs import set_topic
from tests.factories import make_contact, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all, eventually
from tests.support.topics import choose
from webapp import clock
from webapp.config import Settings
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import Account, Campaign, Contact, Organization, Topic, TopicChoice

__all__ = ["world"]

ONE_CLICK = {"data": b"List-Unsubscribe=One-Click", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}
MULTIPART = {"form": {"List-Unsubscribe": "One-Click"}}


def links_of(smtp_server: SmtpServer) -> list[str]:
    """The path of the List-Unsubscribe header of each message."""
    links = []
    for message in smtp_server.messages:
        header = message.content.replace(b"\r\n ", b" ").partition(b"\r\n\r\n")[0].decode()
        assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in header
        links += re.findall(r"List-Unsubscribe: <https?://[^/]+(/[^>]+)>", header)
    return links


@pytest.fixture
async def topic(acme: Organization) -> Topic:
    return await make_topic(acme, name="Product news", visibility="public")


@pytest.fixture
async def links(
    api: Api, world: World, acme: Organization, topic: Topic, settings: Settings, smtp_server: SmtpServer
) -> list[str]:
    """The links in the emails of a sent campaign about a topic, by member."""
    await Account.of(acme).update(smtp_port=smtp_server.port, smtp_security="none")
    await set_topic(api, world, topic)
    assert (await send(api, world))[0] == 200
    await deliver_all(settings)
    by_member = dict(zip([one.recipients[0] for one in smtp_server.messages], links_of(smtp_server), strict=True))
    return [by_member[contact.email] for contact in world.members]


async def post(app: Quart, link: str, **body: Any) -> int:
    return (await app.test_client().post(link, **body)).status_code


@pytest.mark.parametrize("body", [ONE_CLICK, MULTIPART], ids=["urlencoded", "multipart"])
async def test_one_click_leaves_the_topic_of_the_mail_alone(
    app: Quart, api: Api, world: World, topic: Topic, links: list[str], body: dict[str, Any]
) -> None:
    contact = world.members[0]
    for _ in range(2):
        assert await post(app, links[0], **body) == 200
    _, answer = await api.get(f"/v1/contacts/{contact.id}")
    assert (answer["data"]["status"], answer["data"]["unsubscribed_at"]) == ("subscribed", None)
    _, answer = await api.get(f"/v1/contacts/{contact.id}/topics")
    (choice,) = answer["data"]
    assert (choice["id"], choice["subscription"], choice["is_default"]) == (str(topic.id), "opt_out", False)
    assert await TopicChoice.all().count() == 1
    _, answer = await api.get("/v1/events?type=contact.topic_changed")
    assert [event["data"]["source"] for event in answer["data"]] == ["person"]


async def test_the_topic_is_that_of_the_mail_whatever_the_campaign_has_now(
    app: Quart, api: Api, world: World, acme: Organization, topic: Topic, links: list[str]
) -> None:
    await set_topic(api, world, await make_topic(acme))
    assert await post(app, links[0], **ONE_CLICK) == 200
    assert [choice.topic_id for choice in await TopicChoice.all()] == [topic.id]


async def check_left(api: Api, path: str, left: int | None) -> None:
    """On a slow machine a count is shown for some seconds."""

    async def is_counted() -> bool:
        details = (await api.get(path))[1]["data"]["details"]
        return details is not None and (details["left_topic"], details["unsubscribed"] or 0) == (left, 0)

    await eventually(is_counted)


async def test_the_report_counts_who_left_the_topic_by_the_campaign(
    app: Quart, api: Api, world: World, acme: Organization, rival: Organization, topic: Topic, links: list[str]
) -> None:
    """Leaving another topic by its link, or the topic elsewhere, does not count; coming back ends it."""
    other, elsewhere = await make_topic(acme, visibility="public"), await make_contact(acme)
    await choose(topic, elsewhere, subscription="opt_out")
    theirs = await make_topic(rival)
    await TopicChoice.create(
        org=rival, topic=theirs, contact=await make_contact(rival), subscription="opt_out", source="person",
        changed_at=clock.now(), campaign_id=world.campaign.id,
    )  # fmt: skip
    path, report = f"{links[1]}/preferences", f"{world.path}/report"
    assert await post(app, links[0], **ONE_CLICK) == 200
    for chosen, count in (({other.id: ""}, 1), ({topic.id: ""}, 2), ({topic.id: "1"}, 1)):
        form = {f"topic.{topic_id}": ticked for topic_id, ticked in chosen.items()}
        shown = {f"shown.{name}": "" if ticked else "1" for name, ticked in form.items()}
        assert await post(app, path, form=form | shown) in (200, 303)
        await check_left(api, report, count)
    await set_topic(api, world, other)
    await check_left(api, report, 1)
    run_id = (await api.get(f"{world.path}/runs"))[1]["data"][0]["id"]
    await check_left(api, f"{report}?run_id={run_id}", None)


@pytest.mark.parametrize("is_gone", ["campaign", "topic"])
async def test_everything_is_left_once_the_campaign_or_topic_is_deleted(
    app: Quart, world: World, topic: Topic, links: list[str], is_gone: str
) -> None:
    await (Campaign.filter(id=world.campaign.id) if is_gone == "campaign" else Topic.filter(id=topic.id)).delete()
    assert await post(app, links[0], **ONE_CLICK) == 200
    contact = await Contact.get(id=world.members[0].id)
    assert (contact.status, contact.unsubscribed_campaign_id) == ("unsubscribed", world.campaign.id)


async def test_the_button_of_the_page_leaves_everything(app: Quart, world: World, links: list[str]) -> None:
    assert await post(app, links[0]) == 200
    contact = await Contact.get(id=world.members[0].id)
    assert (contact.status, contact.unsubscribed_campaign_id) == ("unsubscribed", world.campaign.id)


async def test_a_strangers_topic_is_never_left(app: Quart, acme: Organization, rival: Organization) -> None:
    contact, theirs = await make_contact(acme), await make_topic(rival)
    assert await post(app, f"/unsubscribe/{token_for(contact.id, theirs.id)}", **ONE_CLICK) == 200
    assert (await Contact.get(id=contact.id)).status == "unsubscribed"
    assert await TopicChoice.all().count() == 0
