"""Runs of campaigns: suppressed members get no row, or what waits for them is halted for good."""

from datetime import timedelta
from typing import Any

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.domain.campaigns.test_scheduled_runs import make_world
from tests.factories import make_contact
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.support.audiences import make_audience
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import run_rows, stop
from webapp.domain.suppressions.suppressions import add, remove
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization, OrgUsage, Segment, SegmentContact

__all__ = ["world"]


async def suppress(org: Organization, *emails: str) -> None:
    await add(org, emails, "bounce")


async def newest_run(api: Api, world: World) -> dict[str, Any]:
    _, body = await api.get(f"{world.path}/runs")
    found: dict[str, Any] = body["data"][0]
    return found


async def test_a_suppressed_member_gets_no_row_and_is_counted(
    api: Api, rival_api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    await suppress(acme, "C1@example.org", "nobody@example.org")
    await suppress(rival, "c0@example.org", "*@example.org")
    status, answer = await send(api, world)
    assert (status, answer["contacts_messaged"]) == (200, 2)
    assert [row.to_email for row in await rows_of(world)] == ["c0@example.org", "c2@example.org"]
    run = await newest_run(api, world)
    assert (run["total"], run["pending"], run["skipped"]) == (2, 2, 1)
    assert await api.get(f"{world.path}/runs/{run['id']}") == (200, {"data": run})
    assert (await rival_api.get(f"{world.path}/runs"))[0] == 404


async def test_a_suppressed_domain_leaves_its_members_out(api: Api, world: World, acme: Organization) -> None:
    await suppress(acme, "*@example.org", "c0@example.org")
    assert (await send(api, world))[1]["contacts_messaged"] == 0
    assert await CampaignRun.of(acme).count() == 0
    other = await make_contact(acme, "c@sub.example.org")
    await SegmentContact.create(org=acme, segment_id=world.campaign.segment_id, contact=other)
    await Segment.add_to_counts([world.campaign.segment_id], 1)
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    assert (await newest_run(api, world))["skipped"] == 3


async def test_who_is_suppressed_while_rows_are_made_is_given_back_to_the_plan(
    acme: Organization, api: Api, world: World
) -> None:
    await Organization.filter(id=acme.id).update(plan="free")
    segment, ids = await make_audience(acme, run_rows.FIRST_ROWS + 30)
    await Campaign.of(acme).update(segment_id=segment.id)
    assert (await send(api, world))[0] == 200
    await suppress(acme, f"c{ids[-1].hex}@example.org")
    run = await CampaignRun.of(acme).get()
    while await run_rows.create_next_batch(run.id):
        pass
    await run.refresh_from_db()
    assert (run.expected, run.skipped) == (0, 1)
    assert (await OrgUsage.of(acme).get(metric="monthly_email_quota")).used == len(ids) - 1


async def test_a_row_whose_address_is_suppressed_while_it_waits_is_halted_for_good(
    api: Api, world: World, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await Account.of(acme).update(smtp_port=smtp_server.port, smtp_security="none")
    assert (await send(api, world))[0] == 200
    await suppress(acme, "c1@example.org")
    async with working(settings):
        await eventually(CampaignRun.of(acme).filter(status="completed").exists)
    assert sorted(one.recipients[0] for one in smtp_server.messages) == ["c0@example.org", "c2@example.org"]
    halted = await MailLog.of(acme).get(status="halted")
    assert (halted.to_email, (halted.error or "")[:22]) == ("c1@example.org", "suppressed: bounce on ")
    run = await newest_run(api, world)
    assert (run["sent"], run["halted"], run["skipped"]) == (2, 1, 0)
    await remove(acme, [(await api.get("/v1/suppressions"))[1]["data"][0]["id"]])
    await CampaignRun.of(acme).update(status="halted")
    await Campaign.of(acme).update(status="halted")
    assert (await api.post(f"{world.path}/resume"))[0] == 200
    await stop.finish_resumes()
    assert (await MailLog.of(acme).get(id=halted.id)).status == "halted"


async def test_a_retry_leaves_them_out_and_says_why_of_one(api: Api, world: World, acme: Organization) -> None:
    assert (await send(api, world))[0] == 200
    await finish(world, "failed")
    run = await newest_run(api, world)
    await suppress(acme, "c0@example.org", "c1@example.org")
    status, retried = await api.post(f"{world.path}/runs/{run['id']}/retry")
    assert status == 200, retried
    assert (retried["data"]["total"], retried["data"]["skipped"]) == (1, 2)
    await finish(world, "failed")
    await suppress(acme, "c2@example.org")
    status, refused = await api.post(f"{world.path}/runs/{retried['data']['id']}/retry")
    assert status == 409
    assert "are suppressed" in refused["message"]


async def test_new_members_who_are_suppressed_are_never_mailed(acme: Organization, rival: Organization) -> None:
    await make_world(rival)
    world = await make_world(acme)
    await Campaign.of(acme).update(created_at=clock.now() - timedelta(days=9))
    first, second, third = await SegmentContact.of(acme).order_by("contact_id").prefetch_related("contact")
    await suppress(acme, second.contact.email)
    assert await world.run() == 2
    assert await world.run() == 0  # nobody new
    joined = await world.join()
    await suppress(acme, joined.email)
    assert await world.run() == 0
    assert await world.mailed() == [first.contact_id, third.contact_id]


async def test_a_second_send_reaches_who_missed_the_first_unless_suppressed(
    api: Api, world: World, acme: Organization
) -> None:
    await suppress(acme, "c0@example.org", "c1@example.org")
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    await finish(world)
    _, found = await api.get("/v1/suppressions?email=c0")
    await remove(acme, [found["data"][0]["id"]])
    status, answer = await send(api, world, {"audience": "new"})
    assert (status, answer["contacts_messaged"]) == (200, 1)
    assert [row.to_email for row in await rows_of(world)] == ["c2@example.org", "c0@example.org"]
    assert (await newest_run(api, world))["skipped"] == 1
