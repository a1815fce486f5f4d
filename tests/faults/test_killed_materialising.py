"""F11: whoever makes the rows of a run is killed in the middle, again and again, and each contact has one row."""

from functools import partial

import pytest

from tests.factories import make_account, make_campaign, make_template
from tests.fakes.worker import eventually
from tests.faults.support.processes import kill, start
from tests.figures import Figures
from tests.support.audiences import make_audience
from webapp import db
from webapp.config import Settings
from webapp.domain.campaigns import run_rows
from webapp.domain.campaigns.runs import count_scheduled
from webapp.domain.campaigns.send import start_scheduled
from webapp.models import CampaignContact, CampaignRun, MailLog, Organization

AT_ONCE, BATCHES = 100, 10  # of each maker: none comes to the end before it is killed, however late that is
PATIENCE = 60
MAKE_ROWS = f"""
import asyncio, os, sys
from uuid import UUID
from webapp import db
from webapp.domain.campaigns import run_rows

async def main():
    await db.connect(os.environ["DATABASE_URL"])
    for _ in range({BATCHES}):
        await run_rows.create_next_batch(UUID(sys.argv[1]), {AT_ONCE})
    await asyncio.sleep({PATIENCE})

asyncio.run(main())
"""


@pytest.mark.parametrize(("contacts", "kills"), [(4_000, 2), pytest.param(10_000, 5, marks=pytest.mark.soak)])
async def test_f11_each_contact_has_one_row_although_the_maker_is_killed(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures, contacts: int, kills: int
) -> None:
    await make_account(acme)
    segment, members = await make_audience(acme, contacts)
    campaign = await make_campaign(acme, segment=segment, template=await make_template(acme))
    audience = await count_scheduled(acme, campaign)
    async with db.write_transaction():
        await campaign.lock()
        assert await start_scheduled(acme, campaign, audience, campaign.created_at) == contacts
        await campaign.save()
    run = await CampaignRun.of(acme).get()
    for number in range(kills):
        wanted = await MailLog.of(acme).count() + AT_ONCE * BATCHES // 2
        makers = [await start(settings, str(run.id), program=MAKE_ROWS) for _ in range(1 + number % 2)]
        try:
            await eventually(partial(has_rows, acme, wanted), PATIENCE)
        finally:
            for maker in makers:
                await kill(maker)
        assert not (await CampaignRun.of(acme).get()).materialised
    await run_rows.create_pending_rows()
    assert (await CampaignRun.of(acme).get()).materialised
    rows = await MailLog.of(acme).filter(campaign_run_id=run.id).values_list("contact_id", flat=True)
    figures("rows", len(rows), exactly=contacts)
    assert sorted(rows) == members
    assert await CampaignContact.of(acme).filter(campaign_id=campaign.id).count() == contacts
    assert await MailLog.of(rival).count() == 0


async def has_rows(org: Organization, wanted: int) -> bool:
    return await MailLog.of(org).count() >= wanted
