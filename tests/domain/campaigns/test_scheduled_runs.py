"""The run of an occurrence, as the scheduler starts it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp import db
from webapp.domain.campaigns.runs import count_scheduled
from webapp.domain.campaigns.send import start_scheduled
from webapp.models import (
    Campaign,
    CampaignContact,
    CampaignRun,
    Contact,
    MailLog,
    Organization,
    SegmentContact,
)

DUE_AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
NEXT_DUE_AT = DUE_AT + timedelta(minutes=5)


@dataclass
class World:
    """An armed campaign for new members, with three members in its segment and an account to send with."""

    org: Organization
    campaign: Campaign
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
        """Add a new contact, or this one, to the segment."""
        joining = contact or await make_contact(self.org)
        await SegmentContact.create(org=self.org, segment_id=self.campaign.segment_id, contact=joining)
        return joining

    async def mailed(self) -> list[UUID | None]:
        """For whom the campaign has rows, in their order."""
        return [row.contact_id for row in await MailLog.of(self.org).order_by("id")]


async def make_world(org: Organization) -> World:
    members = [await make_contact(org) for _ in range(3)]
    segment, template = await make_segment(org, *members), await make_template(org)
    armed = {"schedule_type": "recurring_new_contacts", "status": "scheduled", "next_run_at": DUE_AT}
    campaign = await make_campaign(org, segment=segment, template=template, anchor_at=DUE_AT, **armed)
    await make_account(org)
    return World(org, campaign, members)


@pytest.fixture
async def newcomers(acme: Organization) -> World:
    """Our campaign, without new members yet."""
    return await make_world(acme)


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
