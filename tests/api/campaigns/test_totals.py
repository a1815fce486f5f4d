"""The totals of a campaign: each recipient once, by their best outcome in all its runs."""

from typing import Any

from tests.api.campaigns.test_runs import World, send, world
from tests.api.conftest import Api
from webapp.domain.campaigns.runs import finish_runs
from webapp.models import CampaignRun, MailLog

__all__ = ["world"]
NONE = {"pending": 0, "sending": 0, "sent": 0, "failed": 0, "deferred": 0, "halted": 0}


def totals(runs: int, **counts: int) -> dict[str, int]:
    return {"runs": runs, "total": sum(counts.values()), **NONE, **counts}


async def shown(api: Api, world: World) -> Any:
    """As the campaign has them, which are those of the list."""
    _, one = await api.get(world.path)
    _, listed = await api.get("/v1/campaigns")
    assert [row["totals"] for row in listed["data"] if row["id"] == one["data"]["id"]] == [one["data"]["totals"]]
    return one["data"]["totals"]


async def settle(world: World, **outcomes: str) -> None:
    """Ends the run under way, with an outcome for each of c0, c1, c2."""
    for name, status in outcomes.items():
        await finish_one(world, f"{name}@example.org", status)
    await finish_runs()


async def finish_one(world: World, email: str, status: str) -> None:
    rows = MailLog.across_orgs().filter(campaign_id=world.campaign.id, status="pending", to_email=email)
    await rows.update(status=status)


async def test_a_retry_adds_to_the_result(api: Api, world: World) -> None:
    assert await shown(api, world) is None
    await send(api, world)
    assert await shown(api, world) == totals(1, pending=3)
    await settle(world, c0="sent", c1="sent", c2="failed")
    assert await shown(api, world) == totals(1, sent=2, failed=1)
    run = await CampaignRun.across_orgs().get()
    await api.post(f"{world.path}/runs/{run.id}/retry", {})
    assert await shown(api, world) == totals(2, sent=2, pending=1)
    await settle(world, c2="failed")
    assert await shown(api, world) == totals(2, sent=2, failed=1)
    retry = await CampaignRun.across_orgs().order_by("-id").first()
    assert retry
    await api.post(f"{world.path}/runs/{retry.id}/retry", {})
    await settle(world, c2="sent")
    assert await shown(api, world) == totals(3, sent=3)


async def test_who_got_it_twice_counts_once_by_the_better_outcome(api: Api, world: World) -> None:
    await send(api, world)
    await settle(world, c0="sent", c1="failed", c2="failed")
    await send(api, world)
    assert await shown(api, world) == totals(2, sent=1, pending=2)
    await settle(world, c0="failed", c1="sent", c2="failed")
    assert await shown(api, world) == totals(2, sent=2, failed=1)


async def test_a_deleted_retry_counts_for_whom_it_reached(api: Api, world: World) -> None:
    await send(api, world)
    await settle(world, c0="sent", c1="sent", c2="failed")
    run = await CampaignRun.across_orgs().get()
    await api.post(f"{world.path}/runs/{run.id}/retry", {})
    await settle(world, c2="sent")
    await MailLog.across_orgs().delete()
    await CampaignRun.across_orgs().filter(id=run.id).update(frozen_counts={"sent": 2, "failed": 1})
    await CampaignRun.across_orgs().exclude(id=run.id).update(frozen_counts={"sent": 1})
    assert await shown(api, world) == totals(2, sent=3)
    await send(api, world)
    assert await shown(api, world) == totals(3, sent=3, pending=3)
