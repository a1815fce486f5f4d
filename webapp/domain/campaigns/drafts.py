"""A campaign that is being made: its schedule is saved before it is active, its accounts before it is sent."""

from collections.abc import Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.accounts.selection import check_exist
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.campaigns import SCHEDULE, CampaignChanges
from webapp.domain.campaigns.scheduling import AUTOMATIC, idle_status, validate_times
from webapp.domain.plans import limits
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, ScheduleType, lock_references
from webapp.models.usage import Metric

IDLE = (CampaignStatus.DRAFT, CampaignStatus.SENT)
LONGEST_TITLE = 200
COPIED = ("description", "segment_id", "template_id", *SCHEDULE, "sender_account_ids")


async def save_draft_schedule(org: Organization, campaign: Campaign, data: CampaignChanges) -> Campaign:
    """Saves it inactive while the campaign is idle; locks it. Raises ValidationError, PlanLimitExceeded, NotFound."""
    async with db.write_transaction():
        await campaign.lock()
        if campaign.status not in IDLE:
            return await campaigns.change_campaign(org, campaign, data)
        for name, value in data.given().items():
            setattr(campaign, name, value)
        validate_times(campaign)
        if campaign.schedule_type in AUTOMATIC:
            await limits.require_automation(org)
        campaign.anchor_at = campaign.next_run_at = None
        campaign.set_status(idle_status(campaign))
        await campaign.save(update_fields=[*data.given(), "anchor_at", "next_run_at", "status", "updated_at"])
    return campaign


async def choose_accounts(org: Organization, campaign: Campaign, ids: Sequence[UUID] | None) -> Campaign:
    """Saves those of the next runs (None: every active one); locks the campaign. Raises NotFound."""
    async with db.write_transaction():
        await campaign.lock()
        if ids is not None:
            await check_exist(org, ids)
        campaign.sender_account_ids = None if ids is None else list(dict.fromkeys(map(str, ids)))
        await campaign.save(update_fields=["sender_account_ids", "updated_at"])
    return campaign


async def duplicate_campaign(org: Organization, campaign: Campaign) -> Campaign:
    """Raises PlanLimitExceeded."""
    copied = {name: getattr(campaign, name) for name in COPIED}
    suffix = " (copy)"
    title = campaign.title[: LONGEST_TITLE - len(suffix)] + suffix
    if copied["schedule_type"] == ScheduleType.SCHEDULED_ONCE:  # the copy must not be sent at the original's time
        copied |= {"schedule_type": ScheduleType.MANUAL, "scheduled_at": None}
    async with db.write_transaction():
        await lock_references(org.id, copied)
        await limits.consume(org, Metric.CAMPAIGNS)
        return await Campaign.create(id=uuid7(), org_id=org.id, title=title, **copied)
