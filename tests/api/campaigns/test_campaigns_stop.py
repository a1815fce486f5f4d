"""POST /v1/campaigns/{id}/stop and /resume, and deleting a campaign that sends."""

import asyncio
from datetime import timedelta

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.factories import make_account, make_run
from tests.fakes.worker import eventually
from webapp import clock
from webapp.domain.delivery import retry_policy
from webapp.models import Campaign, CampaignRun, MailEvent, MailLog, Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox import claims
from webapp.models.outbox.runs import run_epochs
from webapp.models.outbox.settlements import Settlement, settle

__all__ = ["world"]


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
    found = answer["data"]
    assert (found["status"], found["next_run_at"], found["halted_reason"]) == (
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
        assert (status, answer["message"]) == (409, f"this campaign isn't halted; its status is {prepare}")
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
