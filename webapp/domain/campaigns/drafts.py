"""A campaign while it is made: its schedule is put down before it is armed, its accounts are named before it is sent.

`sends.send_campaign` with `send_now` false arms what is put down here.
"""

from collections.abc import Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.accounts.selection import check_exist
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.campaigns import SCHEDULE, CampaignChanges
from webapp.domain.campaigns.scheduling import AUTOMATIC, check_times, status_at_rest
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, ScheduleType, lock_references

AT_REST = (CampaignStatus.DRAFT, CampaignStatus.SENT)
LONGEST_TITLE = 200
COPIED = ("description", "segment_id", "template_id", *SCHEDULE, "sender_account_ids")


async def put_down_schedule(org: Organization, campaign: Campaign, data: CampaignChanges) -> Campaign:
    """Change the schedule; of a campaign that rests it is not armed yet, of all others as `change_campaign` does it.

    Raises ValidationError for what the schedule itself lacks, PlanLimitExceeded, NotFound when it is gone meanwhile.
    """
    async with db.write_transaction():
        await campaign.lock()
        if campaign.status not in AT_REST:
            return await campaigns.change_campaign(org, campaign, data)
        for name, value in data.given().items():
            setattr(campaign, name, value)
        check_times(campaign)
        if campaign.schedule_type in AUTOMATIC:
            await limits.require_automation(org)
        campaign.anchor_at = campaign.next_run_at = None
        campaign.set_status(status_at_rest(campaign))
        await campaign.save(update_fields=[*data.given(), "anchor_at", "next_run_at", "status", "updated_at"])
    return campaign


async def choose_accounts(org: Organization, campaign: Campaign, ids: Sequence[UUID] | None) -> Campaign:
    """Keep the accounts that pull the campaign's next runs; None: every active one.

    Raises NotFound for one that is not the organization's, or when the campaign is gone meanwhile.
    """
    async with db.write_transaction():
        await campaign.lock()
        if ids is not None:
            await check_exist(org, ids)
        campaign.sender_account_ids = None if ids is None else list(dict.fromkeys(map(str, ids)))
        await campaign.save(update_fields=["sender_account_ids", "updated_at"])
    return campaign


async def duplicate_campaign(org: Organization, campaign: Campaign) -> Campaign:
    """A draft of the same kind, whose schedule is not armed. Raises PlanLimitExceeded."""
    copied = {name: getattr(campaign, name) for name in COPIED}
    suffix = " (copy)"
    title = campaign.title[: LONGEST_TITLE - len(suffix)] + suffix
    if copied["schedule_type"] == ScheduleType.SCHEDULED_ONCE:  # its time is past, or somebody else's
        copied |= {"schedule_type": ScheduleType.MANUAL, "scheduled_at": None}
    async with db.write_transaction():
        await lock_references(org.id, copied)
        await limits.take(org, Metric.CAMPAIGNS)
        return await Campaign.create(id=uuid7(), org_id=org.id, title=title, **copied)
