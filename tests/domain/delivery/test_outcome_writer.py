"""Outcomes are committed in batches, as large as what is in flight lets them be, and soon in any case."""

import asyncio

import pytest

from tests.factories import make_account, make_campaign, make_run
from tests.fakes.worker import eventually
from tests.locks import held, somebody_waits
from webapp.domain.delivery.lease_keeper import LeaseKeeper
from webapp.domain.delivery.live_state import LiveState
from webapp.domain.delivery.outcome_writer import OutcomeWriter
from webapp.models import CampaignRun, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT
from webapp.models.outbox.claims import Claimed, claim
from webapp.models.outbox.settlements import Settlement

PATIENCE = 20.0  # seconds


async def claimed(org: Organization, rows: int) -> list[Claimed]:
    account = await make_account(org)
    await make_run(org, [account], rows)
    return await claim(account.id, messages=rows, lease_seconds=60)


async def test_one_outcome_is_saved_although_no_others_come(acme: Organization, rival: Organization) -> None:
    (row,), _ = await claimed(acme, 1), await claimed(rival, 1)
    writer = OutcomeWriter(LeaseKeeper(60, LiveState()), lambda _: 200)
    await asyncio.wait_for(writer.save([Settlement(row, SENT, code=250)]), PATIENCE)
    await writer.finish()
    assert [mail.status for mail in await MailLog.of(acme).all()] == [SENT]
    assert [mail.status for mail in await MailLog.of(rival).all()] == [SENDING]


@pytest.mark.postgres
async def test_a_run_that_is_just_being_completed_is_completed_before_the_end(
    acme: Organization, rival: Organization
) -> None:
    (row,), _ = await claimed(acme, 1), await claimed(rival, 1)
    run = await CampaignRun.of(acme).get()
    campaign = await make_campaign(acme)
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id)
    writer = OutcomeWriter(LeaseKeeper(60, LiveState()), lambda _: 1)
    async with held("SELECT id FROM campaigns WHERE id = $1 FOR UPDATE", campaign.id):
        await writer.save([Settlement(row, SENT, code=250)])
        await eventually(somebody_waits)
        ending = asyncio.create_task(writer.finish())
        await asyncio.sleep(0.1)
    await asyncio.wait_for(ending, PATIENCE)
    await run.refresh()
    assert run.status == "completed"
    assert (await CampaignRun.of(rival).get()).status == "sending"
