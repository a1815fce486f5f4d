"""A campaign over the API with its own subject, preview text, sender, link parameters; whom it leaves out."""

from typing import Any
from uuid import uuid4

import pytest

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.factories import make_account, make_contact, make_segment
from webapp import clock
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.campaigns import find_campaign
from webapp.domain.campaigns.review import review_campaign
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, Content, Organization, Segment
from webapp.models.outbox.audience_counts import AudienceCounts, count_parts

__all__ = ["world"]

UNSET: dict[str, Any] = {
    "subject": None,
    "preview_text": None,
    "from_name": None,
    "from_email": None,
    "reply_to": None,
    "exclude_segment_ids": [],
    "utm": None,
}


def said(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in UNSET}


async def make_dynamic(org: Organization, name: str, filter_: dict[str, Any]) -> Segment:
    return await Segment.create(org=org, name=name, name_key=name, kind="dynamic", member_filter=filter_)


async def exclude(api: Api, world: World, *segments: Segment) -> None:
    status, answer = await api.patch(world.path, {"exclude_segment_ids": [str(one.id) for one in segments]})
    assert status == 200, answer


async def test_all_of_it_is_optional_and_is_answered_as_it_was_given(
    api: Api, rival_api: Api, world: World, acme: Organization
) -> None:
    segment = await make_segment(acme)
    whole = {
        "subject": "Hi {{ first_name | default: 'you' }} ☀",
        "preview_text": "Soon <b> & {{ town }}",
        "from_name": 'Acme "News", Ltd.',
        "from_email": "News@Acme.example",
        "reply_to": "answers@other.example",
        "exclude_segment_ids": [str(segment.id)],
        "utm": {"source": "news", "medium": None, "campaign": "sp ring&"},
    }
    body = {"title": "One", "segment_id": str(segment.id)}
    status, answer = await api.post("/v1/campaigns", body)
    assert (status, said(answer["data"])) == (201, UNSET)
    status, answer = await api.post("/v1/campaigns", body | whole)
    expected = whole | {"from_email": "News@acme.example"}  # a domain has no case
    assert (status, said(answer["data"])) == (201, expected)
    path = f"/v1/campaigns/{answer['data']['id']}"
    assert said((await api.get(path))[1]["data"]) == expected
    assert (await rival_api.get(path))[0] == (await rival_api.patch(path, UNSET))[0] == 404
    copy = await campaigns.duplicate_campaign(acme, await find_campaign(acme, answer["data"]["id"]))
    assert said((await api.get(f"/v1/campaigns/{copy.id}"))[1]["data"]) == expected
    for name, value in UNSET.items():
        expected |= {name: value}
        status, answer = await api.patch(path, {name: value})
        assert (status, said(answer["data"])) == (200, expected)
    assert said((await api.patch(path, {"utm": {}}))[1]["data"]) == UNSET


BAD: dict[str, list[Any]] = {
    "subject must not contain line breaks or control characters": ["Hi\r\nBcc: a@x.example"],
    "subject must have at most 998 characters": ["x" * 999],
    "subject has an error at line 1": ["Hi {{ first_name"],
    "subject must not be empty": [" "],
    "subject must be a string": [3],
    "preview_text must not contain line breaks": ["a\nb"],
    "preview_text must have at most 500 characters": ["x" * 501],
    "preview_text has an error": ["{% if %}"],
    "from_name must not contain line breaks": ["Acme\r\nBcc: a@x.example"],
    "from_name must have at most 200 characters": ["x" * 201],
    "from_email must not contain line breaks": ["a@acme.example\r\nBcc: b@x.example"],
    "from_email is not an email address": ["Acme <a@acme.example>"],
    "reply_to must not contain line breaks": ["a@x.example\nBcc: b@x.example"],
    "reply_to is not an email address": ["a@x.example, b@x.example", "x" * 300 + "@x.example"],
    "utm must be an object": ["news"],
    "utm.source must have at most 200 characters": [{"source": "x" * 201}],
    "utm.source must not contain line breaks": [{"source": "a\nb"}],
    "utm.term is not a known field": [{"term": "x"}],
    "exclude_segment_ids must be an array": [None, "x"],
    "exclude_segment_ids.0 must be a UUID": [["x"]],
    "exclude_segment_ids must have at most 20 items": [[str(uuid4())] * 21],
}


async def test_bad_input_is_refused_by_name(api: Api, world: World) -> None:
    before = (await api.get(world.path))[1]
    for fault, value in ((fault, value) for fault, values in BAD.items() for value in values):
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
    for change in ({"from_email": "more@other.example"}, {"from_name": "More", "from_email": "more@other.example"}):
        assert (await api.patch(world.path, change))[0] == 400
    assert (await api.patch(world.path, {"title": "More", "from_email": "news@other.example"}))[0] == 200  # as it was
    status, answer = await send(api, world)
    assert (status, answer["details"][0]["field"]) == (400, "from_email")
    assert answer["message"] == "no active account can send as news@other.example"
    assert (await api.post(f"{world.path}/test", {"to": "me@acme.example"}))[0] == 400
    await Account.filter(id=other.id).update(status="active")
    body = {"sender_account_ids": [str(world.account.id)]}
    assert (await send(api, world, body))[1]["details"][0]["field"] == "from_email"
    to = {"to": "me@acme.example", "account_id": str(world.account.id)}
    assert (await api.post(f"{world.path}/test", to))[1]["details"][0]["field"] == "account_id"
    await CampaignRun.all().delete()
    assert (await send(api, world, {"sender_account_ids": [str(world.account.id), str(other.id)]}))[0] == 200
    run = await CampaignRun.of(acme).get()
    assert (run.sender_email, run.from_email) == ("news@other.example", "news@other.example")
    assert [one.account_id for one in await CampaignRunAccount.filter(run_id=run.id)] == [other.id]
    assert {row.message_id.rpartition("@")[2] for row in await rows_of(world)} == {"other.example>"}


async def test_what_a_run_sends_is_fixed_at_its_start_and_a_retry_sends_the_same(
    api: Api, world: World, acme: Organization
) -> None:
    own = {"subject": "Own {{ first_name }}", "reply_to": "r@x.example", "from_name": "Own"}
    await api.patch(world.path, own | {"from_email": "own@acme.example"})
    assert (await send(api, world))[0] == 200
    await api.patch(world.path, UNSET)
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    assert [row["subject"] for row in answer["data"]] == ["Own N2", "Own N1", "Own N0"]
    await finish(world, "failed")
    run = await CampaignRun.of(acme).get()
    other = await make_account(acme, from_email="x@other.example")
    await CampaignRunAccount.create(run=run, account_id=other.id)
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert status == 200, answer
    retry = await CampaignRun.of(acme).order_by("-id").first()
    assert retry is not None
    assert (retry.content_id, retry.sender_email) == (run.content_id, "own@acme.example")
    assert [one.account_id for one in await CampaignRunAccount.filter(run_id=retry.id)] == [world.account.id]
    content = await Content.of(acme).get()
    assert (content.from_name, content.from_email, content.reply_to) == ("Own", "own@acme.example", "r@x.example")


async def test_a_test_email_says_what_the_campaign_says(api: Api, world: World) -> None:
    own = {"subject": "Own {{ first_name }}", "from_name": "Own", "from_email": "own@acme.example"}
    await api.patch(world.path, own | {"reply_to": "r@x.example", "preview_text": "Soon, {{ first_name }}"})
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert status == 200, answer
    _, shown = await api.get(f"/v1/mail-logs/{answer['id']}")
    assert (shown["data"]["subject"], shown["data"]["from_email"]) == ("Own N0", "own@acme.example")
    assert "Soon, N0" in shown["data"]["body_html"]
    _, email = await api.get(f"/v1/emails/{answer['id']}")
    assert (email["data"]["from"], email["data"]["reply_to"]) == ("Own <own@acme.example>", ["r@x.example"])


async def test_members_of_excluded_segments_get_nothing_and_are_counted(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    first, second, third = world.members
    away = await make_contact(acme, status="unsubscribed", unsubscribed_at=clock.now())
    customers = await make_segment(acme, second, away, await make_contact(acme), name="Customers")
    await make_segment(rival, first, third)
    await exclude(api, world, customers)
    review = await review_campaign(acme, await find_campaign(acme, world.campaign.id))
    assert (review.recipients, review.excluded, review.excluded_segments) == (2, 1, [customers])
    assert review.forecast is not None
    assert review.forecast.recipients == 2
    status, answer = await send(api, world)
    assert (status, answer["contacts_messaged"]) == (200, 2)
    assert [row.contact_id for row in await rows_of(world)] == [first.id, third.id]
    await finish(world)
    await exclude(api, world)
    assert (await send(api, world, {"audience": "new"}))[1]["contacts_messaged"] == 1


async def test_a_dynamic_segment_is_excluded_as_it_is_at_the_start(api: Api, world: World, acme: Organization) -> None:
    _, second, third = world.members
    dynamic = await make_dynamic(acme, "firsts", {"field": "first_name", "op": "is", "value": "N0"})
    static = await make_segment(acme, third)
    await exclude(api, world, dynamic, static)
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    assert [row.contact_id for row in await rows_of(world)] == [second.id]
    run = await CampaignRun.of(acme).get()
    assert run.exclude_segment_ids == [str(static.id)]
    assert run.exclude_filter == {"or": [{"field": "first_name", "op": "is", "value": "N0"}]}


@pytest.mark.parametrize("audience", ["all", "new"])
async def test_a_second_send_and_a_dynamic_audience_leave_them_out_too(
    api: Api, world: World, acme: Organization, audience: str
) -> None:
    assert (await send(api, world))[1]["contacts_messaged"] == 3
    await finish(world)
    new = [await make_contact(acme, "new@example.org"), await make_contact(acme, "newer@example.org")]
    everyone = await make_dynamic(acme, "all", {"field": "email", "op": "is_set"})
    await exclude(api, world, await make_segment(acme, new[0], world.members[0]))
    await api.patch(world.path, {"segment_id": str(everyone.id)})
    campaign = await find_campaign(acme, world.campaign.id)
    review = await review_campaign(acme, campaign, is_for_new=audience == "new")
    expected = {"all": (3, 2, 2), "new": (1, 1, 0)}[audience]
    assert (review.recipients, review.excluded, review.reached_before) == expected
    status, answer = await send(api, world, {"audience": audience})
    assert (status, answer["contacts_messaged"]) == (200, expected[0])
    left_out = {new[0].id, world.members[0].id}
    run = await CampaignRun.of(acme).order_by("-id").first()
    assert run is not None
    assert left_out.isdisjoint({row.contact_id for row in await rows_of(world) if row.campaign_run_id == run.id})


async def test_a_retry_leaves_out_who_is_excluded_by_then(api: Api, world: World, acme: Organization) -> None:
    await send(api, world)
    await finish(world, "failed")
    run = await CampaignRun.of(acme).get()
    rows = await rows_of(world)
    segment = await make_segment(acme, *world.members[:2])
    await exclude(api, world, segment)
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert (status, answer["data"]["total"]) == (200, 1)
    (retried,) = [row for row in await rows_of(world) if row.id not in {one.id for one in rows}]
    assert retried.contact_id == world.members[2].id
    await finish(world, "failed")
    again = await CampaignRun.of(acme).order_by("-id").first()
    assert again is not None
    await exclude(api, world, segment, await make_segment(acme, world.members[2]))
    status, answer = await api.post(f"{world.path}/runs/{again.id}/retry")
    assert (status, answer["message"]) == (
        409,
        "everyone who could be retried is in a segment that the campaign excludes",
    )


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
    for title in ("A", "B", "C"):
        copied = await campaigns.duplicate_campaign(acme, world.campaign)
        await Campaign.filter(id=copied.id).update(title=title, exclude_segment_ids=[str(segment.id)])
    message = (await api.delete(path))[1]["message"]
    assert message == "this segment is excluded from “News”, “A”, “B” and others; remove it there first"
    await Campaign.of(acme).update(exclude_segment_ids=[])
    assert (await api.delete(path))[0] == 200


async def test_a_run_whose_excluded_segment_is_gone_mails_nobody_more(
    api: Api, world: World, acme: Organization
) -> None:
    segment = await make_segment(acme, world.members[0])
    run = CampaignRun(org_id=acme.id, campaign_id=uuid4(), segment_id=world.campaign.segment_id, started_at=clock.now())
    run.exclude_segment_ids = [str(segment.id)]
    assert await count_parts(run) == AudienceCounts(2, excluded=1)
    await segment.delete()
    assert await count_parts(run) == AudienceCounts(0, excluded=3)
