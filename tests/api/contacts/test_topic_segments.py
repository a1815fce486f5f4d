"""Dynamic segments of those who get a topic: by their own choice, and elsewhere by its default."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_topic
from webapp.models import Organization, Topic, TopicChoice


async def members(api: Api, tree: dict[str, Any]) -> set[str]:
    made = await api.create("/v1/segments", {"name": "Readers", "kind": "dynamic", "filter": tree})
    status, body = await api.get(f"/v1/segments/{made['id']}/contacts")
    assert (status, body["meta"]["total"]) == (200, len(body["data"]))
    return {contact["email"].partition("@")[0] for contact in body["data"]}


async def make_choices(api: Api, org: Organization, topic: Topic) -> None:
    for name, subscription in (("in", "opt_in"), ("out", "opt_out")):
        contact = await make_contact(org, f"{name}@example.org")
        body = {"topics": [{"id": str(topic.id), "subscription": subscription}]}
        assert (await api.patch(f"/v1/contacts/{contact.id}/topics", body))[0] == 200
    await make_contact(org, "silent@example.org")


@pytest.mark.parametrize(("default", "opted_in"), [("opt_in", {"in", "silent"}), ("opt_out", {"in"})])
async def test_its_members_are_those_who_are_opted_in_or_out(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, default: str, opted_in: set[str]
) -> None:
    topic, other = await make_topic(acme, default_subscription=default), await make_topic(rival)
    await make_choices(api, acme, topic)
    await make_choices(rival_api, rival, other)
    condition = {"field": "topic", "op": "opted_in", "value": str(topic.id)}
    assert await members(api, condition) == opted_in
    for tree in ({"not": condition}, condition | {"op": "opted_out"}):
        assert await members(api, tree) == {"in", "out", "silent"} - opted_in
    by_name = {"field": "email", "op": "starts_with", "value": "in"}
    assert await members(api, {"and": [condition, by_name]}) == {"in"}


@pytest.mark.parametrize("op", ["opted_in", "opted_out"])
@pytest.mark.parametrize("is_half_deleted", [True, False])
async def test_nobody_matches_after_the_topic_was_deleted(
    api: Api, acme: Organization, op: str, *, is_half_deleted: bool
) -> None:
    topic = await make_topic(acme)
    await make_choices(api, acme, topic)
    tree = {"field": "topic", "op": op, "value": str(topic.id)}
    made = await api.create("/v1/segments", {"name": "Readers", "kind": "dynamic", "filter": tree})
    if is_half_deleted:
        await Topic.filter(id=topic.id).update(visibility="deleted")
    else:
        assert (await api.delete(f"/v1/topics/{topic.id}"))[0] == 200
        assert await TopicChoice.all().count() == 0
    assert (await api.get(f"/v1/segments/{made['id']}/contacts"))[1]["data"] == []
    assert (await api.post("/v1/segments", {"name": "More", "kind": "dynamic", "filter": tree}))[0] == 404


@pytest.mark.parametrize(
    ("change", "status"),
    [({"op": "is"}, 400), ({"value": "nonsense"}, 400), ({"value": True}, 400), ({"value": None}, 404)],
)
async def test_a_condition_names_a_topic_of_the_organization(
    api: Api, acme: Organization, rival: Organization, change: dict[str, Any], status: int
) -> None:
    tree = {"field": "topic", "op": "opted_in", "value": str((await make_topic(acme)).id), **change}
    if status == 404:
        tree["value"] = str((await make_topic(rival)).id)
    assert (await api.post("/v1/segments", {"name": "Readers", "kind": "dynamic", "filter": tree}))[0] == status
