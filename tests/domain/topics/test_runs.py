"""Runs of campaigns with a topic: who left it or is paused gets no row, or what waits for them is halted for good."""

from datetime import timedelta
from typing import Any

import pytest

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.domain.suppressions.test_runs import newest_run
from tests.factories import make_contact, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.pages.conftest import Visitor
from tests.support.topics import choose
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import stop
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    Contact,
    Event,
    MailLog,
    Organization,
    Topic,
    TopicChoice,
)

__all__ = ["world"]

LEFT = 'opted out of "Product news" on '


async def set_topic(api: Api, world: World, topic: Topic | None) -> None:
    status, answer = await api.patch(world.path, {"topic_id": topic and str(topic.id)})
    assert status == 200, answer


async def delete(api: Api, topic: Topic) -> None:
    assert (await api.delete(f"/v1/topics/{topic.id}"))[0] == 200


async def test_who_left_or_is_paused_is_counted_and_gets_no_row(
    api: Api, rival_api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    first, second, third = world.members
    topic = await make_topic(acme, name="Product news")
    await choose(topic, first, subscription="opt_out")
    await Contact.filter(id=second.id).update(paused_until=clock.now() + timedelta(days=1))
    await set_topic(api, world, topic)
    status, answer = await send(api, world)
    assert (status, answer["contacts_messaged"]) == (200, 1)
    assert [row.contact_id for row in await rows_of(world)] == [third.id]
    assert (await newest_run(api, world))["skipped"] == 2
    _, report = await api.get(f"{world.path}/report")
    assert report["data"]["skipped"] == 2
    await finish(world)
    assert (await rival_api.patch(world.path, {"topic_id": None}))[0] == 404
    theirs = await make_topic(rival)
    status, answer = await api.patch(world.path, {"topic_id": str(theirs.id)})
    assert (status, answer["message"]) == (404, "topic_id: topic not found")
    await set_topic(api, world, None)
    assert (await send(api, world))[1]["contacts_messaged"] == 2


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("opt_out", LEFT),
        ("default", 'opted out of "Product news"'),
        ("pause", "the contact paused campaigns before the email was sent"),
    ],
)
async def test_a_choice_made_while_a_row_waits_halts_it_for_good(
    api: Api, world: World, acme: Organization, settings: Settings, smtp_server: SmtpServer, choice: str, reason: str
) -> None:
    await Account.of(acme).update(smtp_port=smtp_server.port, smtp_security="none")
    topic = await make_topic(acme, name="Product news", default_subscription="opt_out")
    await choose(topic, *world.members, subscription="opt_in")
    await set_topic(api, world, topic)
    assert (await send(api, world))[0] == 200
    contact = world.members[1]
    if choice == "pause":
        await Contact.filter(id=contact.id).update(paused_until=clock.now() + timedelta(days=1))
    elif choice == "default":
        await TopicChoice.filter(contact_id=contact.id).delete()
    else:
        await choose(topic, contact, subscription="opt_out")
    async with working(settings):
        await eventually(CampaignRun.of(acme).filter(status="completed").exists)
    assert sorted(one.recipients[0] for one in smtp_server.messages) == ["c0@example.org", "c2@example.org"]
    halted = await MailLog.of(acme).get(status="halted")
    expected = reason + (f"{clock.now():%Y-%m-%d}" if reason == LEFT else "")
    assert (halted.to_email, halted.error) == ("c1@example.org", expected)
    await Contact.of(acme).update(paused_until=None)
    await choose(topic, contact, subscription="opt_in")
    await CampaignRun.of(acme).update(status="halted")
    await Campaign.of(acme).update(status="halted")
    assert (await api.post(f"{world.path}/resume"))[0] == 200
    await stop.finish_resumes()
    assert (await MailLog.of(acme).get(id=halted.id)).status == "halted"


async def test_a_run_goes_by_the_topic_of_its_start(api: Api, world: World, acme: Organization) -> None:
    topic, other = await make_topic(acme, name="Product news"), await make_topic(acme, name="Other")
    await set_topic(api, world, topic)
    assert (await send(api, world))[0] == 200
    await set_topic(api, world, other)
    assert (await CampaignRun.of(acme).get()).topic_id == topic.id
    await finish(world, "failed")
    await choose(topic, world.members[0], subscription="opt_out")
    await choose(other, world.members[1], subscription="opt_out")
    run = await newest_run(api, world)
    status, retried = await api.post(f"{world.path}/runs/{run['id']}/retry")
    assert (status, retried["data"]["total"], retried["data"]["skipped"]) == (200, 2, 1)


async def test_a_run_whose_topic_is_deleted_is_halted_until_another_is_chosen(
    api: Api, rival_api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    topic, theirs = await make_topic(acme, name="Product news"), await make_topic(rival)
    await choose(topic, world.members[0], subscription="opt_out")
    await set_topic(api, world, topic)
    assert (await send(api, world))[1]["contacts_messaged"] == 2
    await delete(rival_api, theirs)
    assert (await api.get(world.path))[1]["data"]["status"] == "sending"
    await delete(api, topic)
    _, shown = await api.get(world.path)
    campaign = shown["data"]
    assert (campaign["status"], campaign["topic_id"]) == ("halted", None)
    assert campaign["halted_reason"] == "its topic was deleted"
    event = await Event.of(acme).get(type="campaign.halted")
    assert event.data["reason"] == "its topic was deleted"
    await stop.finish_halts()
    assert {row.status for row in await rows_of(world)} == {"halted"}
    status, refused = await api.post(f"{world.path}/resume")
    assert (status, refused["message"]) == (409, "this campaign's topic was deleted; choose another one first")
    await set_topic(api, world, None)
    status, refused = await api.post(f"{world.path}/resume")
    assert status == 409  # those who left the deleted topic are no longer known
    assert "the topic of the halted run was deleted" in refused["message"]
    other = await make_topic(acme, name="Other")
    await set_topic(api, world, other)
    assert (await api.post(f"{world.path}/resume"))[0] == 200
    assert (await CampaignRun.of(acme).get()).topic_id == other.id
    assert {row.status for row in await rows_of(world)} == {"pending"}


@pytest.mark.parametrize("status", ["scheduled", "halted"])
async def test_a_schedule_whose_topic_is_deleted_waits_for_a_decision(
    api: Api, world: World, acme: Organization, status: str
) -> None:
    topic = await make_topic(acme, name="Product news")
    daily = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}
    assert (await api.patch(world.path, daily | {"topic_id": str(topic.id)}))[0] == 200
    if status == "halted":
        assert (await api.post(f"{world.path}/stop"))[0] == 200
    await delete(api, topic)
    campaign = (await api.get(world.path))[1]["data"]
    assert (campaign["status"], campaign["halted_reason"]) == ("halted", "its topic was deleted")
    assert (await api.patch(world.path, {"recurrence_interval": 2}))[1]["data"]["status"] == "halted"
    assert (await api.post(f"{world.path}/resume"))[0] == 409
    await set_topic(api, world, None)
    assert (await api.post(f"{world.path}/resume"))[1]["data"]["status"] == "scheduled"


async def test_a_draft_whose_topic_is_deleted_stays_a_draft(api: Api, world: World, acme: Organization) -> None:
    topic = await make_topic(acme, name="Product news")
    await set_topic(api, world, topic)
    await delete(api, topic)
    campaign = (await api.get(world.path))[1]["data"]
    assert (campaign["status"], campaign["topic_id"]) == ("draft", None)


async def test_a_second_send_reaches_who_missed_the_first_unless_opted_out(
    api: Api, world: World, acme: Organization
) -> None:
    topic = await make_topic(acme, default_subscription="opt_out")
    await choose(topic, world.members[0], subscription="opt_in")
    await set_topic(api, world, topic)
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    await finish(world)
    await choose(topic, world.members[1], await make_contact(acme), subscription="opt_in")
    answer: dict[str, Any] = (await send(api, world, {"audience": "new"}))[1]
    assert answer["contacts_messaged"] == 1
    assert [row.contact_id for row in await rows_of(world)] == [contact.id for contact in world.members[:2]]


@pytest.mark.parametrize("choice", ["opt_out", "pause"])
async def test_one_recipient_who_left_is_not_retried(
    owner: Visitor, api: Api, world: World, acme: Organization, choice: str
) -> None:
    topic, contact = await make_topic(acme, name="Product news"), world.members[0]
    await set_topic(api, world, topic)
    assert (await send(api, world))[0] == 200
    await finish(world, "failed")
    if choice == "pause":
        await Contact.filter(id=contact.id).update(paused_until=clock.now() + timedelta(days=1))
    else:
        await choose(topic, contact, subscription="opt_out")
    place = f"/mail-logs/{(await rows_of(world))[0].id}"
    token = (await owner.get("/accounts")).token
    page = await owner.post(f"{place}/retry", form={"csrf_token": token})
    why = LEFT if choice == "opt_out" else "the contact paused campaigns"
    assert f"c0@example.org: {why}" in " ".join(page.notes)
    assert await CampaignRun.of(acme).count() == 1
