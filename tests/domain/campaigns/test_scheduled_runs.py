"""Campaigns for new members, as the scheduler runs them."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp import clock
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.models import Campaign, CampaignContact, CampaignRun, Contact, MailLog, Organization, SegmentContact


@dataclass
class World:
    """An armed campaign for new members, with three members in its segment and an account to send with."""

    org: Organization
    campaign: Campaign

    async def run(self) -> int:
        """How many the campaign mails when it is due next; everything is sent afterwards."""
        due_at, before = clock.now() - timedelta(minutes=1), await MailLog.of(self.org).count()
        await Campaign.of(self.org).update(next_run_at=due_at, anchor_at=due_at)
        await run_due_schedules()
        queued = await MailLog.of(self.org).count() - before
        await MailLog.of(self.org).update(status="sent")
        await CampaignRun.of(self.org).update(status="completed")
        await Campaign.of(self.org).update(status="scheduled")
        return queued

    async def join(self, contact: Contact | None = None) -> Contact:
        """Add a new contact, or this one, to the segment."""
        joining = contact or await make_contact(self.org)
        await SegmentContact.create(org=self.org, segment_id=self.campaign.segment_id, contact=joining)
        return joining

    async def mailed(self) -> list[UUID | None]:
        """For whom the campaign has rows, in their order."""
        return [row.contact_id for row in await MailLog.of(self.org).order_by("id")]


async def make_world(org: Organization) -> World:
    await make_account(org)
    segment = await make_segment(org, *[await make_contact(org) for _ in range(3)])
    armed = {"schedule_type": "recurring_new_contacts", "status": "scheduled"}
    return World(org, await make_campaign(org, segment=segment, template=await make_template(org), **armed))


@pytest.fixture
async def newcomers(acme: Organization) -> World:
    """Our campaign, without new members yet."""
    return await make_world(acme)


async def test_only_who_joined_after_the_campaign_was_made_is_new_and_nobody_new_makes_no_run(newcomers: World) -> None:
    assert await newcomers.run() == 0
    assert await CampaignRun.of(newcomers.org).count() == 0
    campaign = await Campaign.get(id=newcomers.campaign.id)
    assert (campaign.next_run_at > clock.now(), campaign.schedule_note) == (True, None)
    joined = await newcomers.join()
    known = await newcomers.join(await make_contact(newcomers.org))
    assert await newcomers.run() == 2
    assert await newcomers.mailed() == [joined.id, known.id]


async def test_who_was_mailed_by_the_campaign_is_not_new_any_more(newcomers: World) -> None:
    first = await newcomers.join()
    assert await newcomers.run() == 1
    await MailLog.of(newcomers.org).delete()  # pruned
    await SegmentContact.of(newcomers.org).filter(contact_id=first.id).delete()
    await newcomers.join(first)  # left, and came again
    second = await newcomers.join()
    assert await newcomers.run() == 1
    assert await newcomers.mailed() == [second.id]
    ledger = await CampaignContact.of(newcomers.org).filter(campaign_id=newcomers.campaign.id).order_by("id")
    assert [row.contact_id for row in ledger] == [first.id, second.id]
