"""Campaigns: adding, changing, deleting; what sends them is in sends.py, what stops them in stops.py."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign
from webapp.domain.campaigns.scheduling import arm, check_schedule
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.domain.segments.segments import segment_named
from webapp.domain.templates.templates import template_named
from webapp.models import Campaign, Organization
from webapp.models.campaign import DELETED, CampaignStatus, halt_incomplete, lock_references

__all__ = [
    "Campaign",
    "CampaignChanges",
    "NewCampaign",
    "add_campaign",
    "change_campaign",
    "delete_campaign",
    "find_campaign",
    "halt_incomplete",
    "list_campaigns",
]

SCHEDULE = ("schedule_type", "scheduled_at", "recurrence_interval", "recurrence_unit")
ARMED = ("status", "anchor_at", "next_run_at", "halted_reason", "schedule_note", "updated_at")
REPLACED = "it waits to be resumed: what was deleted is replaced"


async def list_campaigns(org: Organization, page: Page) -> Listed[Campaign]:
    """The campaigns, newest first."""
    return await fetch_page(Campaign.of(org).order_by("-id"), page)


async def find_campaign(org: Organization, campaign_id: UUID | str) -> Campaign:
    """The campaign with this id. Raises NotFound."""
    return await Campaign.one_of(org, campaign_id)


async def add_campaign(org: Organization, data: NewCampaign) -> Campaign:
    """Make a campaign; one with a schedule is armed from now on.

    Raises ValidationError for what its schedule lacks, NotFound for a segment or template that is not the
    organization's, PlanLimitExceeded.
    """
    campaign = Campaign(id=uuid7(), org_id=org.id, **data.model_dump())
    check_schedule(campaign)
    async with db.write_transaction():
        await lock_references(org.id, data.model_dump())
        await _check_references(org, campaign, ("segment_id", "template_id"))
        await arm(org, campaign)
        await limits.take(org, Metric.CAMPAIGNS)
        await campaign.save(force_create=True)
    return campaign


async def change_campaign(org: Organization, campaign: Campaign, data: CampaignChanges) -> Campaign:
    """Change a campaign; a run under way goes on as it began.

    A schedule is armed anew when a field of it has another value than before. One that is said again stays as it is:
    armed, stopped (which a resume arms), or used up. Raises as `add_campaign` does, judging the campaign as it would
    be; NotFound when it is gone meanwhile.
    """
    given = data.given()
    async with db.write_transaction():
        await lock_references(org.id, given)
        await campaign.lock()
        changed = _take(campaign, given)
        arms = not changed.isdisjoint(SCHEDULE)
        if arms or ("template_id" in changed and campaign.template_id is None):
            check_schedule(campaign, arms=arms)
        await _check_references(org, campaign, given)
        if arms:
            await _arm_anew(org, campaign)
        _tell_halt_anew(campaign)
        await campaign.save(update_fields=[*given, *ARMED])
    return campaign


def _take(campaign: Campaign, given: Mapping[str, Any]) -> set[str]:
    """Set the given fields; returns the names of those that had another value before."""
    changed = {name for name, value in given.items() if getattr(campaign, name) != value}
    for name in changed:
        setattr(campaign, name, given[name])
    return changed


async def _check_references(org: Organization, campaign: Campaign, names: Collection[str]) -> None:
    if "segment_id" in names and campaign.segment_id is not None:
        await segment_named(org, campaign.segment_id)
    if "template_id" in names and campaign.template_id is not None:
        await template_named(org, campaign.template_id)


async def _arm_anew(org: Organization, campaign: Campaign) -> None:
    """Arm the changed schedule: of a campaign that sends on the side, of one with a halted run when that is resumed."""
    status, reason = campaign.status, campaign.halted_reason
    await arm(org, campaign)
    if status == CampaignStatus.SENDING:
        campaign.set_status(CampaignStatus.SENDING)
    elif status == CampaignStatus.HALTED and await stop.halted_run(org, campaign) is not None:
        campaign.set_status(CampaignStatus.HALTED, reason)
        campaign.next_run_at = None


def _tell_halt_anew(campaign: Campaign) -> None:
    """What was halted for a deletion and has another segment or template now still waits to be resumed."""
    if campaign.status == CampaignStatus.HALTED and campaign.halted_reason in DELETED.values():
        missing = [reason for name, reason in DELETED.items() if getattr(campaign, name) is None]
        campaign.set_status(CampaignStatus.HALTED, missing[0] if missing else REPLACED)


async def delete_campaign(org: Organization, campaign: Campaign) -> None:
    """Delete the campaign; a run under way is halted first. Its mail logs and those of its runs stay.

    Raises NotFound when it is gone meanwhile.
    """
    async with db.write_transaction():
        await campaign.lock()
        run = await stop.halt_run(org, campaign, "the campaign was deleted")
        await campaign.delete()
    if run is not None:
        await stop.wait_until_quiet(run)
