"""POST /v1/campaigns/{id}/test."""

import asyncio
from datetime import timedelta

from tests.api.campaigns.test_runs import World, small_plan, world
from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_segment
from webapp import clock
from webapp.models import Account, Campaign, MailLog, Organization, OrgUsage, Template, usage

__all__ = ["small_plan", "world"]


async def test_a_test_is_one_mail_as_the_first_member_gets_it(api: Api, world: World) -> None:
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert (status, list(answer)) == (200, ["id"])
    _, answer = await api.get(f"/v1/mail-logs/{answer['id']}")
    found = answer["data"]
    assert (found["to_email"], found["subject"], found["status"]) == ("me@acme.example", "Hi N0", "pending")
    assert found["body_html"] == "<p>Bye c0@example.org</p>"
    assert (found["from_email"], found["account_id"]) == ("hello@acme.example", str(world.account.id))
    assert (await api.get(world.path))[1]["data"]["status"] == "draft"


async def test_without_a_member_tags_show_their_names_or_defaults_and_the_link_is_nobodys(
    api: Api, acme: Organization, world: World
) -> None:
    body = "<p>{{ town | default: 'your town' }}, {{ town }}</p>" + '<a href="{{ unsubscribe_url }}">x</a>'
    await Template.filter(id=world.template.id).update(variables=["first_name", "town"], body=body)
    campaign = await make_campaign(acme, segment=await make_segment(acme), template=world.template)
    _, answer = await api.post(f"/v1/campaigns/{campaign.id}/test", {"to": "me@acme.example"})
    _, answer = await api.get(f"/v1/mail-logs/{answer['id']}")
    assert answer["data"]["subject"] == "Hi [first_name]"
    assert "<p>your town, [town]</p>" in answer["data"]["body_html"]
    assert '/unsubscribe/test">x</a>' in answer["data"]["body_html"]


async def test_a_test_goes_by_the_account_that_is_named(api: Api, world: World, acme: Organization) -> None:
    other = await make_account(acme)
    to = {"to": "me@acme.example"}
    _, answer = await api.post(f"{world.path}/test", to | {"account_id": str(other.id)})
    assert (await MailLog.get(id=answer["id"])).account_id == other.id
    for change in ({"status": "paused"}, {"status": "active", "from_email": None}):
        await Account.filter(id=other.id).update(**change)
        assert await api.refused("POST", f"{world.path}/test", to | {"account_id": str(other.id)}) == "account_id"


async def test_a_test_needs_a_template_and_an_account(api: Api, world: World) -> None:
    to = {"to": "me@acme.example"}
    await Account.all().update(status="paused")
    assert (await api.post(f"{world.path}/test", to))[0] == 400
    await Campaign.all().update(template_id=None)
    assert (await api.post(f"{world.path}/test", to))[1]["message"] == "template_id is required to send"


async def test_twenty_tests_an_hour_for_the_organization_then_429(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    second = await make_campaign(acme, segment_id=world.campaign.segment_id, template_id=world.template.id)
    paths = [f"{path}/test" for path in (world.path, f"/v1/campaigns/{second.id}")] * 11
    answers = await asyncio.gather(*(api.send("POST", path, json={"to": "me@acme.example"}) for path in paths))
    assert sorted(answer.status_code for answer in answers) == [200] * 20 + [429] * 2
    (refused, _) = [answer for answer in answers if answer.status_code == 429]
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    status, answer = await api.post(paths[0], {"to": "me@acme.example"})
    assert (status, answer["error"]) == (429, "RateLimitExceeded")
    assert await MailLog.all().count() == 20
    later = clock.now() + timedelta(hours=1)
    assert await usage.increment_within_hour(acme.id, "campaign_tests", 20, later)
    assert await usage.increment_within_hour(rival.id, "campaign_tests", 20, clock.now())
    assert [row.used for row in await OrgUsage.of(acme).filter(metric="campaign_tests")] == [1]


async def test_a_test_counts_towards_the_months_quota(small_plan: None, api: Api, world: World) -> None:
    statuses = [(await api.post(f"{world.path}/test", {"to": "me@acme.example"}))[0] for _ in range(5)]
    assert statuses == [200] * 4 + [403]
    assert (await OrgUsage.get(metric="campaign_tests")).used == 4
