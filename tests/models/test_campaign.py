"""Campaigns that several hold at once."""

import asyncio
from datetime import timedelta

import pytest

from tests.factories import make_campaign
from tests.fakes.worker import eventually
from tests.locks import somebody_waits
from webapp import clock, db
from webapp.models import Campaign, Organization
from webapp.models.campaign import halt_incomplete


@pytest.mark.postgres
async def test_halting_what_lacks_a_segment_and_whoever_holds_those_campaigns_never_wait_for_each_other(
    acme: Organization, rival: Organization
) -> None:
    at = clock.now() + timedelta(days=1)
    armed = {"status": "scheduled", "schedule_type": "scheduled_once", "anchor_at": at, "next_run_at": at}
    for org in (acme, acme, rival):
        await make_campaign(org, **armed)
    first, second = await Campaign.of(acme).order_by("id")
    await Campaign.of(acme).filter(id=first.id).update(title="Moved")  # behind the other, where it lies on the disk
    is_held, is_waited_for = asyncio.Event(), asyncio.Event()

    async def hold_both() -> None:
        async with db.write_transaction():
            await first.lock()
            is_held.set()
            await is_waited_for.wait()
            await second.lock()

    holding = asyncio.create_task(hold_both())
    await is_held.wait()
    halting = asyncio.create_task(halt_incomplete())
    await eventually(somebody_waits)
    is_waited_for.set()
    await asyncio.gather(holding, halting)
    assert set(await Campaign.of(acme).values_list("status", flat=True)) == {"halted"}
    assert await Campaign.of(rival).filter(status="halted").count() == 1
