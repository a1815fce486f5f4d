"""POST /v1/campaigns/{id}/stop, /resume and /test, and deleting a campaign that sends."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from tests.api.campaigns.test_runs import World, finish, rows_of, send, small_plan, world
from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_run, make_segment, make_suppression
from tests.fakes.worker import eventually
from webapp import clock
from webapp.domain.delivery import retry_policy
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    Contact,
    MailEvent,
    MailLog,
    Organization,
    OrgUsage,
    Template,
    usage,
)
from webapp.models.mail_log import SENT
from webapp.models.outbox import claims
from webapp.models.outbox.runs import run_epochs
from webapp.models.outbox.settlements import Settlement, settle

__all__ = ["small_plan", "world"]


async def statuses(world: World) -> list[str]:
    return [row.status for row in await rows_of(world)]


async def test_stop_halts_what_waits_and_disarms_the_schedule(api: Api, world: World) -> None:
    await api.patch(world.path, {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"})
    await send(api, world)
    first, second, third = await rows_of(world)
    await MailLog.filter(id=first.id).update(status="sent")
    await MailLog.filter(id=second.id).update(status="deferred", next_attempt_at=clock.now() + timedelta(hours=9))
    status, answer = await api.post(f"{world.path}/stop")
    assert status == 200
    campaign = answer["data"]
    assert (campaign["status"], campaign["next_run_at"], campaign["halted_reason"]) == (
        "halted",
        None,
        "stopped through the API",
    )
    assert await statuses(world) == ["sent", "halted", "halted"]
    run = await CampaignRun.get()
    assert (run.status, run.epoch) == ("halted", 1)
    events = {event.mail_log_id: (event.from_status, event.to_status) for event in await MailEvent.all()}
    assert events == {second.id: ("deferred", "halted"), third.id: ("pending", "halted")}
    counts = (await api.get(f"{world.path}/runs/{run.id}"))[1]["data"]
    assert (counts["status"], counts["total"], counts["sent"], counts["halted"]) == ("halted", 3, 1, 2)


async def test_stop_of_a_schedule_without_a_run_disarms_it(api: Api, world: World) -> None:
    at = (clock.now() + timedelta(hours=1)).isoformat()
    await api.patch(world.path, {"schedule_type": "scheduled_once", "scheduled_at": at})
    _, answer = await api.post(f"{world.path}/stop")
    assert (answer["data"]["status"], answer["data"]["next_run_at"]) == ("halted", None)
    _, answer = await api.post(f"{world.path}/resume")
    assert (answer["data"]["status"], answer["data"]["halted_reason"]) == ("scheduled", None)
    assert answer["data"]["next_run_at"] == answer["data"]["scheduled_at"]


async def test_stop_is_409_when_nothing_runs_and_nothing_is_armed(api: Api, world: World) -> None:
    status, answer = await api.post(f"{world.path}/stop")
    assert (status, answer["error"]) == (409, "Conflict")
    await send(api, world)
    assert [(await api.post(f"{world.path}/stop"))[0] for _ in range(2)] == [200, 409]


async def test_stop_waits_for_the_worker_that_gives_its_row_back(api: Api, world: World) -> None:
    await send(api, world)
    (claimed,) = await claims.claim(world.account.id, messages=1, lease_seconds=60)
    run_id = claimed.campaign_run_id
    assert run_id is not None
    stopping = asyncio.create_task(api.post(f"{world.path}/stop"))

    async def is_the_rest_halted() -> bool:
        return sorted(await statuses(world)) == ["halted", "halted", "sending"]

    await eventually(is_the_rest_halted)
    assert (await CampaignRun.get()).status == "halted"
    assert await run_epochs([run_id]) == {}  # what the worker reads right before DATA
    await settle([retry_policy.release(claimed)])
    assert (await stopping)[0] == 200
    assert await statuses(world) == ["halted"] * 3
    await api.post(f"{world.path}/resume")
    assert await statuses(world) == ["pending"] * 3
    assert await run_epochs([run_id]) == {run_id: (claimed.run_epoch or 0) + 1}


async def test_stop_answers_within_ten_seconds_though_a_worker_keeps_its_row(
    api: Api, world: World, rival: Organization
) -> None:
    theirs, _ = await make_run(rival, [await make_account(rival)], 1)
    await send(api, world)
    (claimed,) = await claims.claim(world.account.id, messages=1, lease_seconds=60)  # past DATA, and no answer
    asked_at = clock.elapsed()
    status, answer = await api.post(f"{world.path}/stop")
    assert (status, answer["data"]["status"]) == (200, "halted")
    assert clock.elapsed() - asked_at < 10
    assert sorted(await statuses(world)) == ["halted", "halted", "sending"]
    await settle([Settlement(claimed, SENT, code=250, provider_id="2.0.0 ok")])
    assert sorted(await statuses(world)) == ["halted", "halted", "sent"]
    await theirs.refresh_from_db()
    assert theirs.status == "sending"


async def test_resume_sends_exactly_the_rest_but_not_to_those_who_left(api: Api, world: World) -> None:
    await send(api, world)
    rows = await rows_of(world)
    await MailLog.filter(id=rows[0].id).update(status="failed")
    await api.post(f"{world.path}/stop")
    await api.patch(f"/v1/contacts/{world.members[1].id}", {"status": "unsubscribed"})
    status, answer = await api.post(f"{world.path}/resume")
    assert (status, answer["data"]["status"]) == (200, "sending")
    assert await statuses(world) == ["failed", "halted", "pending"]
    assert (await rows_of(world))[1].error == "the contact unsubscribed before the email was sent"
    assert (await CampaignRun.get()).status == "sending"
    await finish(world)
    run = await CampaignRun.get()
    assert (run.status, run.finished_at is None) == ("completed", False)
    assert (await api.get(world.path))[1]["data"]["status"] == "sent"


async def test_resume_with_nobody_left_completes_the_run(api: Api, world: World) -> None:
    await send(api, world)
    await api.post(f"{world.path}/stop")
    for contact in world.members:
        assert (await api.delete(f"/v1/contacts/{contact.id}"))[0] == 200
    _, answer = await api.post(f"{world.path}/resume")
    assert answer["data"]["status"] == "sent"
    assert {(row.status, row.error) for row in await rows_of(world)} == {
        ("halted", "the contact was deleted before the email was sent")
    }


async def test_resume_is_409_when_not_halted(api: Api, world: World) -> None:
    for prepare in ("draft", "sending"):
        status, answer = await api.post(f"{world.path}/resume")
        assert (status, answer["message"]) == (409, f"nothing to resume: this campaign's status is {prepare}")
        await send(api, world)


async def test_deleting_a_campaign_halts_its_run_and_keeps_the_mail_logs(
    api: Api, world: World, acme: Organization
) -> None:
    await send(api, world)
    run = await CampaignRun.get()
    assert await api.delete(world.path) == (200, {"ok": True})
    assert await Campaign.of(acme).count() == 0
    assert await statuses(world) == ["halted"] * 3
    _, answer = await api.get(f"/v1/mail-logs?campaign_run_id={run.id}")
    assert [row["campaign_id"] for row in answer["data"]] == [str(world.campaign.id)] * 3
    assert answer["data"][0]["subject"] == "Hi N2"


async def test_a_test_is_one_mail_as_the_first_member_gets_it(api: Api, world: World) -> None:
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert (status, list(answer)) == (200, ["id"])
    _, answer = await api.get(f"/v1/mail-logs/{answer['id']}")
    mail = answer["data"]
    assert (mail["to_email"], mail["subject"], mail["status"]) == ("me@acme.example", "[Test] Hi N0", "pending")
    assert mail["body_html"] == "<p>Bye c0@example.org</p>"
    assert (mail["from_email"], mail["account_id"]) == ("hello@acme.example", str(world.account.id))
    assert (await api.get(world.path))[1]["data"]["status"] == "draft"


@pytest.mark.parametrize("reason", ["unsubscribed", "bounced", "suppressed"])
async def test_a_test_is_for_the_first_who_gets_the_mail_or_without_one_for_the_first_member(
    api: Api, world: World, acme: Organization, rival: Organization, reason: str
) -> None:
    await make_suppression(rival, "*@example.org")
    contacts = await Contact.of(acme).order_by("id")
    changes: dict[str, dict[str, Any]] = {
        "unsubscribed": {"status": "unsubscribed"},
        "bounced": {"bounced_at": clock.now()},
    }
    for contact, first_left in zip(contacts, ("N1", "N2", "N0"), strict=True):
        if reason == "suppressed":
            await make_suppression(acme, contact.email)
        else:
            await Contact.filter(id=contact.id).update(**changes[reason])
        _, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
        _, answer = await api.get(f"/v1/mail-logs/{answer['id']}")
        assert answer["data"]["subject"] == f"[Test] Hi {first_left}"


async def test_without_a_member_tags_show_their_names_or_defaults_and_the_link_is_nobodys(
    api: Api, acme: Organization, world: World
) -> None:
    body = "<p>{{ town | default: 'your town' }}, {{ town }}</p>" + '<a href="{{ unsubscribe_url }}">x</a>'
    await Template.filter(id=world.template.id).update(variables=["first_name", "town"], body=body)
    campaign = await make_campaign(acme, segment=await make_segment(acme), template=world.template)
    _, answer = await api.post(f"/v1/campaigns/{campaign.id}/test", {"to": "me@acme.example"})
    _, answer = await api.get(f"/v1/mail-logs/{answer['id']}")
    assert answer["data"]["subject"] == "[Test] Hi [first_name]"
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
