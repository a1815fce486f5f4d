"""/v1/topics, and which of them a contact gets."""

import asyncio
from collections.abc import Awaitable
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_campaign, make_contact, make_topic
from webapp.domain.topics import topics
from webapp.models import AuditEntry, Campaign, Consent, Contact, Event, Organization, Topic, TopicChoice
from webapp.models.campaign import CampaignStatus, ScheduleType

FIELDS = ["id", "name", "description", "default_subscription", "visibility", "position", "created_at", "updated_at"]
OF_CONTACT = ["id", "name", "description", "visibility", "subscription", "is_default", "changed_at"]


async def make(api: Api, name: str = "Product news", default: str = "opt_in", **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = await api.create("/v1/topics", {"name": name, "default_subscription": default} | fields)
    return made


async def test_a_topic_is_private_and_last_unless_the_body_says_otherwise(api: Api) -> None:
    made = await make(api, " Product news ", "opt_out")
    assert list(made) == FIELDS
    expected = {"name": "Product news", "description": None, "default_subscription": "opt_out", "visibility": "private"}
    assert {name: made[name] for name in expected} == expected
    other = await make(api, "Beta", description=" Monthly. ", visibility="public")
    assert (other["description"], other["visibility"], other["position"]) == ("Monthly.", "public", 1)
    assert await api.get(f"/v1/topics/{made['id']}") == (200, {"data": made})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "News"}, "default_subscription"),
        ({"default_subscription": "opt_in"}, "name"),
        ({"name": "News", "default_subscription": "maybe"}, "default_subscription"),
        ({"name": " ", "default_subscription": "opt_in"}, "name"),
        ({"name": "x" * 201, "default_subscription": "opt_in"}, "name"),
        ({"name": "PRODUCT News", "default_subscription": "opt_in"}, "name"),
        ({"name": "News", "default_subscription": "opt_in", "visibility": "deleted"}, "visibility"),
        ({"name": "News", "default_subscription": "opt_in", "position": -1}, "position"),
        ({"name": "News", "default_subscription": "opt_in", "description": "x" * 1001}, "description"),
    ],
)
async def test_a_bad_topic_is_refused_by_its_field(api: Api, body: dict[str, Any], field: str) -> None:
    await make(api)
    assert await api.refused("POST", "/v1/topics", body) == field
    assert await Topic.all().count() == 1


async def test_topics_are_listed_by_position_and_then_by_name(api: Api, rival: Organization) -> None:
    await make_topic(rival)
    for name, position in (("c", 2), ("B", 1), ("a", 1), ("d", 0)):
        await make(api, name, position=position)
    status, body = await api.get("/v1/topics")
    assert (status, body["meta"]["total"]) == (200, 4)
    assert [row["name"] for row in body["data"]] == ["d", "a", "B", "c"]


async def test_a_change_leaves_what_it_does_not_name_and_the_default(api: Api) -> None:
    made, other = await make(api, visibility="public", description="Monthly."), await make(api, "Offers")
    path = f"/v1/topics/{made['id']}"
    same = {"name": "product NEWS", "position": 7, "default_subscription": "opt_in"}
    status, body = await api.patch(path, same)
    expected = made | {"name": "product NEWS", "position": 7, "updated_at": body["data"]["updated_at"]}
    assert (status, body["data"]) == (200, expected)
    assert (await api.patch(path, {"description": None}))[1]["data"]["description"] is None
    assert await api.refused("PATCH", path, {"default_subscription": "opt_out"}) == "default_subscription"
    assert await api.refused("PATCH", path, {"name": other["name"].upper()}) == "name"
    changed = await AuditEntry.filter(action="topic.changed").order_by("id").first()
    assert changed is not None
    assert changed.details["position"] == [0, 7]


async def test_there_are_50_topics_at_most(api: Api, acme: Organization, rival: Organization) -> None:
    for number in range(49):
        await make_topic(acme, name=f"Topic number {number}")
    await make_topic(rival)
    await make(api)
    status, body = await api.post("/v1/topics", {"name": "One more", "default_subscription": "opt_in"})
    assert (status, body["message"]) == (409, "an organization can have 50 topics at most")


@pytest.mark.parametrize(("default", "other"), [("opt_in", "opt_out"), ("opt_out", "opt_in")])
async def test_a_contact_has_the_default_until_it_chooses(
    api: Api, acme: Organization, rival: Organization, default: str, other: str
) -> None:
    await make_topic(rival)
    contact, topic = await make_contact(acme, "ada@example.org"), await make(api, default=default)
    path = f"/v1/contacts/{contact.id}/topics"
    status, body = await api.get(path)
    (row,) = body["data"]
    assert (status, list(body), list(row)) == (200, ["data"], OF_CONTACT)
    assert (row["id"], row["subscription"], row["is_default"], row["changed_at"]) == (topic["id"], default, True, None)
    for subscription in (other, default):
        status, body = await api.patch(path, {"topics": [{"id": topic["id"], "subscription": subscription}]})
        (row,) = body["data"]
        assert (status, row["subscription"], row["is_default"]) == (200, subscription, False)
        assert row["changed_at"] is not None
    assert await api.get("/v1/contacts/ADA@example.org/topics") == (200, body)
    assert (await api.get(f"/v1/contacts/{contact.id}"))[1]["data"]["status"] == "subscribed"


async def test_each_change_has_an_event_and_a_consent_and_the_same_choice_has_none(
    api: Api, acme: Organization
) -> None:
    contact, topic, other = await make_contact(acme), await make(api), await make(api, "Offers")
    changes = [{"id": topic["id"], "subscription": "opt_out"}]
    for _ in range(2):
        assert (await api.patch(f"/v1/contacts/{contact.id}/topics", {"topics": changes}))[0] == 200
    event = await Event.get(type="contact.topic_changed")
    about = {"contact_id": str(contact.id), "topic_id": topic["id"]}
    assert event.data == about | {"subscription": "opt_out", "source": "api"}
    assert event.contact_id == contact.id
    consent = await Consent.get()
    assert (consent.kind, str(consent.topic_id), consent.text) == ("api", topic["id"], "Opted out of “Product news”.")
    # Choosing the default is a choice as well.
    await api.patch(f"/v1/contacts/{contact.id}/topics", {"topics": [{"id": other["id"], "subscription": "opt_in"}]})
    assert await Event.filter(type="contact.topic_changed").count() == 2
    assert await Consent.all().count() == 2


@pytest.mark.parametrize("stranger", [True, False])
async def test_an_unknown_topic_among_known_ones_changes_nothing(
    api: Api, acme: Organization, rival: Organization, *, stranger: bool
) -> None:
    contact, topic = await make_contact(acme), await make(api)
    unknown = (await make_topic(rival)).id if stranger else uuid4()
    ids = (topic["id"], str(unknown))
    changes = [{"id": topic_id, "subscription": "opt_out"} for topic_id in ids]
    status, body = await api.patch(f"/v1/contacts/{contact.id}/topics", {"topics": changes})
    assert (status, body["error"]) == (404, "Not found")
    assert await TopicChoice.all().count() == await Consent.all().count() == 0


async def test_a_topic_that_is_named_twice_is_refused(api: Api, acme: Organization) -> None:
    contact, topic = await make_contact(acme), await make(api)
    changes = [{"id": topic["id"], "subscription": value} for value in ("opt_in", "opt_out")]
    assert await api.refused("PATCH", f"/v1/contacts/{contact.id}/topics", {"topics": changes}) == "topics"


@pytest.mark.parametrize("key", ["", "unknown@example.org", "01a22979-c372-7670-a8bf-31f0af0f02cf"])
async def test_the_topics_of_an_unknown_contact_are_absent(api: Api, rival: Organization, key: str) -> None:
    key = key or str((await make_contact(rival)).id)
    assert await api.get(f"/v1/contacts/{key}/topics") == (404, NOT_FOUND)
    assert (await api.patch(f"/v1/contacts/{key}/topics", {"topics": []}))[0] == 404


async def test_a_deleted_topic_halts_armed_campaigns_and_takes_its_choices_with_it(
    api: Api, acme: Organization
) -> None:
    contact, topic, other = await make_contact(acme), await make(api), await make(api, "Offers")
    for row in (topic, other):
        await api.patch(f"/v1/contacts/{contact.id}/topics", {"topics": [{"id": row["id"], "subscription": "opt_out"}]})
    armed = {"status": "scheduled", "schedule_type": ScheduleType.SCHEDULED_ONCE, "next_run_at": "2100-01-01T00:00:00Z"}
    about = [{"topic_id": topic["id"]} | armed, {"topic_id": topic["id"]}, {"topic_id": other["id"]} | armed]
    campaigns = [await make_campaign(acme, **fields) for fields in about]
    assert await api.delete(f"/v1/topics/{topic['id']}") == (200, {"ok": True})
    rows = [await Campaign.get(id=campaign.id) for campaign in campaigns]
    assert [row.status for row in rows] == [CampaignStatus.HALTED, CampaignStatus.DRAFT, CampaignStatus.SCHEDULED]
    assert [row.topic_id and str(row.topic_id) for row in rows] == [None, None, other["id"]]
    assert (rows[0].halted_reason, rows[0].next_run_at) == ("its topic was deleted", None)
    assert await Event.filter(type="campaign.halted").values_list("campaign_id", flat=True) == [rows[0].id]
    assert [str(choice.topic_id) for choice in await TopicChoice.all()] == [other["id"]]
    assert await api.delete(f"/v1/topics/{topic['id']}") == (404, NOT_FOUND)
    assert await Topic.all().count() == 1


async def test_what_a_dead_process_left_of_a_deleted_topic_is_gone_for_everybody_and_a_worker_ends_it(
    api: Api, acme: Organization
) -> None:
    contact, topic, other = await make_contact(acme), await make(api), await make(api, "Offers")
    changes = {"topics": [{"id": topic["id"], "subscription": "opt_out"}]}
    await api.patch(f"/v1/contacts/{contact.id}/topics", changes)
    await Topic.filter(id=topic["id"]).update(visibility="deleted", name_key=topic["id"])
    assert (await api.get(f"/v1/topics/{topic['id']}"))[0] == 404
    assert [row["id"] for row in (await api.get(f"/v1/contacts/{contact.id}/topics"))[1]["data"]] == [other["id"]]
    assert (await api.patch(f"/v1/contacts/{contact.id}/topics", changes))[0] == 404
    await make(api)
    await topics.finish_deleting(60)
    assert await TopicChoice.all().count() == 0
    assert not await Topic.filter(id=topic["id"]).exists()


async def test_choices_made_at_once_while_a_topic_is_deleted_leave_one_of_each_or_none(
    api: Api, acme: Organization
) -> None:
    contacts, kept, gone = [await make_contact(acme) for _ in range(3)], await make(api), await make(api, "Offers")

    def choosing(contact: Contact, value: str) -> Awaitable[tuple[int, Any]]:
        changes = [{"id": topic["id"], "subscription": value} for topic in (gone, kept)]
        return api.patch(f"/v1/contacts/{contact.id}/topics", {"topics": changes})

    calls = [choosing(contact, value) for contact in contacts for value in ("opt_in", "opt_out")]
    answers = await asyncio.gather(*calls[:3], api.delete(f"/v1/topics/{gone['id']}"), *calls[3:])
    assert {status for status, _ in answers} <= {200, 404}
    await topics.finish_deleting(60)
    left = await TopicChoice.all().values_list("topic_id", "contact_id")
    assert {str(topic_id) for topic_id, _ in left} <= {kept["id"]}
    assert len(left) == len(set(left))
    assert await Event.filter(type="contact.topic_changed").count() == await Consent.all().count()
