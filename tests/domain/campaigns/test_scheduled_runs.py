"""The run of an occurrence, as the scheduler starts it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.support.audiences import make_audience
from webapp import db
from webapp.domain.campaigns import run_rows
from webapp.domain.campaigns.runs import count_scheduled
from webapp.domain.campaigns.send import start_scheduled
from webapp.errors import ValidationError
from webapp.models import (
    Account,
    Campaign,
    CampaignContact,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    MailLog,
    Organization,
    SegmentContact,
)

DUE_AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
NEXT_DUE_AT = DUE_AT + timedelta(minutes=5)


@dataclass
class World:
    """An armed campaign with three members in its segment and an account to send with."""

    org: Organization
    campaign: Campaign
    account: Account
    members: list[Contact]

    async def start(self, due_at: datetime = DUE_AT) -> int:
        """What the scheduler does of an occurrence."""
        await self.campaign.refresh()
        audience = await count_scheduled(self.org, self.campaign)
        async with db.write_transaction():
            await self.campaign.lock()
            queued = await start_scheduled(self.org, self.campaign, audience, due_at)
            await self.campaign.save()
        return queued

    async def end(self) -> None:
        """Let everything be sent."""
        await MailLog.of(self.org).update(status="sent")
        await CampaignRun.of(self.org).update(status="completed")
        await Campaign.of(self.org).update(status="scheduled")

    async def join(self, contact: Contact | None = None) -> Contact:
        """Somebody, new or known, joins the segment."""
        joining = contact or await make_contact(self.org)
        await SegmentContact.create(org=self.org, segment_id=self.campaign.segment_id, contact=joining)
        return joining

    async def mailed(self) -> list[UUID | None]:
        """For whom the campaign has rows, in their order."""
        return [row.contact_id for row in await MailLog.of(self.org).order_by("id")]


async def make_world(org: Organization, **fields: Any) -> World:
    members = [await make_contact(org) for _ in range(3)]
    segment, template = await make_segment(org, *members), await make_template(org)
    defaults = {"schedule_type": "recurring", "status": "scheduled", "next_run_at": DUE_AT, "anchor_at": DUE_AT}
    campaign = await make_campaign(org, segment=segment, template=template, **{**defaults, **fields})
    return World(org, campaign, await make_account(org), members)


@pytest.fixture
async def world(acme: Organization, rival: Organization) -> World:
    await make_world(rival)  # a stranger with the same
    return await make_world(acme)


@pytest.fixture
async def newcomers(acme: Organization) -> World:
    """A campaign for new members, of whom there is none yet."""
    return await make_world(acme, schedule_type="recurring_new_contacts")


async def test_an_occurrence_starts_a_run_for_every_member(world: World) -> None:
    assert await world.start() == 3
    run = await CampaignRun.across_orgs().get()
    assert (run.org_id, run.trigger, run.trigger_key) == (world.org.id, "schedule", "sched:2026-11-23T09:30:00+00:00")
    assert await world.mailed() == [contact.id for contact in world.members]
    assert world.campaign.status == "sending"
    assert world.campaign.last_run_at == run.started_at
    assert world.campaign.next_run_at == DUE_AT  # the caller's to move on


async def test_an_occurrence_starts_one_run_however_often_it_is_asked_for(world: World) -> None:
    assert [await world.start(), await world.start()] == [3, 0]
    await world.end()
    assert await world.start() == 0
    assert await world.start(NEXT_DUE_AT) == 3
    assert await CampaignRun.of(world.org).count() == 2


async def test_only_who_joined_after_the_campaign_was_made_is_new(newcomers: World) -> None:
    assert await newcomers.start() == 0
    joined = await newcomers.join()
    known = await newcomers.join(await make_contact(newcomers.org))
    assert await newcomers.start(NEXT_DUE_AT) == 2
    assert await newcomers.mailed() == [joined.id, known.id]


async def test_who_was_mailed_by_the_campaign_is_not_new_any_more(newcomers: World) -> None:
    first = await newcomers.join()
    assert await newcomers.start() == 1
    await newcomers.end()
    await MailLog.of(newcomers.org).delete()  # pruned
    await SegmentContact.of(newcomers.org).filter(contact_id=first.id).delete()
    await newcomers.join(first)  # left, and came again
    second = await newcomers.join()
    assert await newcomers.start(NEXT_DUE_AT) == 1
    assert await newcomers.mailed() == [second.id]
    ledger = await CampaignContact.of(newcomers.org).filter(campaign_id=newcomers.campaign.id).order_by("id")
    assert [row.contact_id for row in ledger] == [first.id, second.id]


async def test_many_newcomers_get_one_row_each_and_are_new_no_more(newcomers: World) -> None:
    count = 2 * run_rows.FIRST_ROWS
    segment, members = await make_audience(newcomers.org, count)
    await Campaign.of(newcomers.org).update(segment_id=segment.id)
    assert await newcomers.start() == count
    await run_rows.create_pending_rows()
    assert await newcomers.mailed() == members
    await newcomers.end()
    assert await newcomers.start(NEXT_DUE_AT) == 0


async def test_an_occurrence_leaves_excluded_members_out(world: World) -> None:
    world.campaign.exclude_segment_ids = [str((await make_segment(world.org, world.members[1])).id)]
    await world.campaign.save()
    assert await world.start() == 2
    assert await world.mailed() == [world.members[0].id, world.members[2].id]


async def test_excluded_newcomers_are_left_out_and_stay_new(newcomers: World) -> None:
    excluded = await make_segment(newcomers.org)
    newcomers.campaign.exclude_segment_ids = [str(excluded.id)]
    await newcomers.campaign.save()
    first, second = await newcomers.join(), await newcomers.join()
    member = await SegmentContact.create(org=newcomers.org, segment=excluded, contact=first)
    assert await newcomers.start() == 1
    assert await newcomers.mailed() == [second.id]
    await newcomers.end()
    await member.delete()
    assert await newcomers.start(NEXT_DUE_AT) == 1
    assert await newcomers.mailed() == [second.id, first.id]


async def test_an_occurrence_waits_for_an_account_that_may_send_as_its_address(world: World) -> None:
    world.campaign.from_email = "news@other.example"
    await world.campaign.save()
    with pytest.raises(ValidationError, match=r"^no active account can send as news@other\.example$"):
        await world.start()
    other = await make_account(world.org, from_email="hello@other.example")
    assert await world.start() == 3
    assert [one.account_id for one in await CampaignRunAccount.all()] == [other.id]
