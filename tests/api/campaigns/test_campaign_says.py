"""A campaign over the API with its own subject, preview text, sender, link parameters; whom it leaves out."""

from typing import Any
from uuid import uuid4

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.factories import make_account, make_contact, make_media, make_segment, make_topic
from webapp import clock
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.campaigns import find_campaign
from webapp.domain.campaigns.review import review_campaign
from webapp.models import Account, CampaignRun, CampaignRunAccount, Organization, Segment

__all__ = ["world"]

UNSET: dict[str, Any] = {
    **dict.fromkeys(("subject", "preview_text", "from_name", "from_email", "reply_to", "utm", "topic_id")),
    "exclude_segment_ids": [],
    "media_ids": [],
}


def said(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in UNSET}


async def exclude(api: Api, world: World, *segments: Segment) -> None:
    status, answer = await api.patch(world.path, {"exclude_segment_ids": [str(one.id) for one in segments]})
    assert status == 200, answer


async def test_all_of_it_is_optional_and_is_answered_as_it_was_given(
    api: Api, world: World, acme: Organization
) -> None:
    segment = await make_segment(acme)
    whole = {
        "subject": "Hi {{ first_name | default: 'you' }} ☀",
        "preview_text": "Soon <b> & {{ town }}",
        "from_name": 'Acme "News", Ltd.',
        "from_email": "News@Acme.example",
        "reply_to": "answers@other.example",
        "exclude_segment_ids": [str(segment.id)],
        "topic_id": str((await make_topic(acme)).id),
        "utm": {"source": "news", "medium": None, "campaign": "sp ring&"},
    }
    body = {"title": "One", "segment_id": str(segment.id)}
    status, answer = await api.post("/v1/campaigns", body)
    assert (status, said(answer["data"])) == (201, UNSET)
    whole["media_ids"] = [str((await make_media(acme, type="application/pdf", width=0, height=0)).id)]
    status, answer = await api.post("/v1/campaigns", body | whole)
    expected = whole | {"from_email": "News@acme.example"}  # a domain has no case
    assert (status, said(answer["data"])) == (201, expected)
    path = f"/v1/campaigns/{answer['data']['id']}"
    assert said((await api.get(path))[1]["data"]) == expected
    copy = await campaigns.duplicate_campaign(acme, await find_campaign(acme, answer["data"]["id"]))
    assert said((await api.get(f"/v1/campaigns/{copy.id}"))[1]["data"]) == expected
    for name, value in UNSET.items():
        expected |= {name: value}
        status, answer = await api.patch(path, {name: value})
        assert (status, said(answer["data"])) == (200, expected)
    assert said((await api.patch(path, {"utm": {}}))[1]["data"]) == UNSET


BAD: dict[str, Any] = {
    "subject must not contain line breaks or control characters": "Hi\r\nBcc: a@x.example",
    "subject must have at most 998 characters": "x" * 999,
    "subject has an error at line 1": "Hi {{ first_name",
    "preview_text must have at most 500 characters": "x" * 501,
    "preview_text has an error": "{% if %}",
    "from_name must not contain line breaks": "Acme\r\nBcc: a@x.example",
    "from_email is not an email address": "Acme <a@acme.example>",
    "reply_to must not contain line breaks": "a@x.example\nBcc: b@x.example",
    "reply_to is not an email address": "a@x.example, b@x.example",
    "utm.source must have at most 200 characters": {"source": "x" * 201},
    "utm.term is not a known field": {"term": "x"},
    "exclude_segment_ids must be an array": "x",
    "topic_id must be": "x",
    "exclude_segment_ids must have at most 20 items": [str(uuid4())] * 21,
}


async def test_bad_input_is_refused_by_name(api: Api, world: World) -> None:
    before = (await api.get(world.path))[1]
    for fault, value in BAD.items():
        field = fault.partition(" ")[0].partition(".")[0]
        status, answer = await api.patch(world.path, {"title": "Other", field: value})
        assert (status, answer["error"]) == (400, "ValidationError"), fault
        assert answer["message"].startswith(fault), answer["message"]
    assert (await api.get(world.path))[1] == before


async def test_the_from_address_fits_an_account_that_can_send_and_chooses_the_accounts(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    other = await make_account(acme, from_email="hello@other.example")
    await make_account(rival, from_email="hello@other.example")
    assert (await api.patch(world.path, {"from_email": "news@other.example", "from_name": "Other"}))[0] == 200
    await Account.filter(id=other.id).update(status="paused")
    assert (await api.patch(world.path, {"from_email": "more@other.example"}))[0] == 400
    assert (await api.patch(world.path, {"title": "More", "from_email": "news@other.example"}))[0] == 200  # as it was
    status, answer = await send(api, world)
    assert (status, answer["details"][0]["field"]) == (400, "from_email")
    assert answer["message"] == "no active account can send as news@other.example"
    assert (await api.post(f"{world.path}/test", {"to": "me@acme.example"}))[0] == 400
    await Account.filter(id=other.id).update(status="active")
    body = {"sender_account_ids": [str(world.account.id)]}
    assert (await send(api, world, body))[1]["details"][0]["field"] == "from_email"
    assert (await send(api, world, {"sender_account_ids": [str(world.account.id), str(other.id)]}))[0] == 200
    run = await CampaignRun.of(acme).get()
    assert (run.sender_email, run.from_email) == ("news@other.example", "news@other.example")
    assert [one.account_id for one in await CampaignRunAccount.filter(run_id=run.id)] == [other.id]
    assert {row.message_id.rpartition("@")[2] for row in await rows_of(world)} == {"other.example>"}


async def test_a_test_email_says_what_the_campaign_says(api: Api, world: World) -> None:
    own = {"subject": "Own {{ first_name }}", "from_name": "Own", "from_email": "own@acme.example"}
    await api.patch(world.path, own | {"reply_to": "r@x.example", "preview_text": "Soon, {{ first_name }}"})
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert status == 200, answer
    _, shown = await api.get(f"/v1/mail-logs/{answer['id']}")
    assert (shown["data"]["subject"], shown["data"]["from_email"]) == ("[Test] Own N0", "own@acme.example")
    assert "Soon, N0" in shown["data"]["body_html"]
    _, email = await api.get(f"/v1/emails/{answer['id']}")
    assert (email["data"]["from"], email["data"]["reply_to"]) == ("Own <own@acme.example>", ["r@x.example"])


async def test_members_of_excluded_segments_static_or_dynamic_get_nothing_and_are_counted(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    _, second, third = world.members
    away = await make_contact(acme, status="unsubscribed", unsubscribed_at=clock.now())
    customers = await make_segment(acme, second, away, await make_contact(acme), name="Customers")
    dynamic = {"kind": "dynamic", "member_filter": {"field": "first_name", "op": "is", "value": "N0"}}
    firsts = await Segment.create(org=acme, name="Firsts", name_key="firsts", **dynamic)
    await make_segment(rival, third)
    await exclude(api, world, customers, firsts)
    review = await review_campaign(acme, await find_campaign(acme, world.campaign.id))
    assert (review.counts.recipients, review.counts.excluded, review.excluded_segments) == (1, 2, [customers, firsts])
    status, answer = await send(api, world)
    assert (status, answer["contacts_messaged"]) == (200, 1)
    assert [row.contact_id for row in await rows_of(world)] == [third.id]
    await finish(world)
    await exclude(api, world)
    assert (await send(api, world, {"audience": "new"}))[1]["contacts_messaged"] == 2


async def test_a_retry_leaves_out_who_is_excluded_by_then(api: Api, world: World, acme: Organization) -> None:
    await send(api, world)
    await finish(world, "failed")
    run = await CampaignRun.of(acme).get()
    await exclude(api, world, await make_segment(acme, *world.members[:2]))
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert (status, answer["data"]["total"]) == (200, 1)
    assert (await rows_of(world))[-1].contact_id == world.members[2].id


async def test_a_segment_that_a_campaign_excludes_cannot_be_deleted(
    api: Api, rival_api: Api, world: World, acme: Organization
) -> None:
    segment = await make_segment(acme, world.members[0])
    path = f"/v1/segments/{segment.id}"
    await exclude(api, world, segment)
    assert (await rival_api.delete(path))[0] == 404
    status, answer = await api.delete(path)
    assert (status, answer["error"]) == (409, "Conflict")
    assert answer["message"] == "this segment is excluded from “News”; remove it there first"
    await exclude(api, world)
    assert (await api.delete(path))[0] == 200
