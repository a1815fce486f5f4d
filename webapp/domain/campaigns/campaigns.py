"""Campaigns: adding, changing, deleting."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign
from webapp.domain.campaigns.scheduling import schedule_campaign, validate_schedule
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.plans import limits
from webapp.domain.segments.segments import segment_named
from webapp.domain.templates.templates import template_named
from webapp.models import Campaign, Organization
from webapp.models.campaign import DELETED, CampaignStatus, halt_incomplete, lock_references
from webapp.models.usage import Metric

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
SCHEDULE_STATE = ("status", "anchor_at", "next_run_at", "halted_reason", "schedule_note", "updated_at")
REPLACED = "it waits to be resumed: what was deleted is replaced"


async def list_campaigns(org: Organization, page: Page) -> Listed[Campaign]:
    return await fetch_page(Campaign.of(org).order_by("-id"), page)


async def find_campaign(org: Organization, campaign_id: UUID | str) -> Campaign:
    return await Campaign.one_of(org, campaign_id)


async def add_campaign(org: Organization, data: NewCampaign) -> Campaign:
    """Locks its segment and template. Raises NotFound, PlanLimitExceeded, ValidationError for a bad schedule."""
    campaign = Campaign(id=uuid7(), org_id=org.id, **data.model_dump())
    validate_schedule(campaign)
    async with db.write_transaction():
        await lock_references(org.id, data.model_dump())
        await _check_references(org, campaign, ("segment_id", "template_id"))
        await schedule_campaign(org, campaign)
        await limits.consume(org, Metric.CAMPAIGNS)
        await campaign.save(force_create=True)
    return campaign


async def change_campaign(org: Organization, campaign: Campaign, data: CampaignChanges) -> Campaign:
    """Locks the campaign, its segment and its template. Raises NotFound, PlanLimitExceeded, ValidationError.

    Only a schedule with a changed field is scheduled again: one that was stopped or used up stays so.
    """
    given = data.given()
    async with db.write_transaction():
        await lock_references(org.id, given)
        await campaign.lock()
        changed = _apply(campaign, given)
        is_rescheduled = not changed.isdisjoint(SCHEDULE)
        if is_rescheduled or ("template_id" in changed and campaign.template_id is None):
            validate_schedule(campaign, must_be_ahead=is_rescheduled)
        await _check_references(org, campaign, given)
        if is_rescheduled:
            await _reschedule(org, campaign)
        _update_halt_reason(campaign)
        await campaign.save(update_fields=[*given, *SCHEDULE_STATE])
    return campaign


def _apply(campaign: Campaign, given: Mapping[str, Any]) -> set[str]:
    """Returns the fields that had another value before."""
    changed = {name for name, value in given.items() if getattr(campaign, name) != value}
    for name in changed:
        setattr(campaign, name, given[name])
    return changed


async def _check_references(org: Organization, campaign: Campaign, names: Collection[str]) -> None:
    if "segment_id" in names and campaign.segment_id is not None:
        await segment_named(org, campaign.segment_id)
    if "template_id" in names and campaign.template_id is not None:
        await template_named(org, campaign.template_id)


async def _reschedule(org: Organization, campaign: Campaign) -> None:
    """A sending campaign goes on, and one with a halted run waits for its resume."""
    status, reason = campaign.status, campaign.halted_reason
    await schedule_campaign(org, campaign)
    if status == CampaignStatus.SENDING:
        campaign.set_status(CampaignStatus.SENDING)
    elif status == CampaignStatus.HALTED and await stop.halted_run(org, campaign) is not None:
        campaign.set_status(CampaignStatus.HALTED, reason)
        campaign.next_run_at = None


def _update_halt_reason(campaign: Campaign) -> None:
    if campaign.status == CampaignStatus.HALTED and campaign.halted_reason in DELETED.values():
        missing = [reason for name, reason in DELETED.items() if getattr(campaign, name) is None]
        campaign.set_status(CampaignStatus.HALTED, missing[0] if missing else REPLACED)


async def delete_campaign(org: Organization, campaign: Campaign) -> None:
    """Halts the active run first; all mail logs stay. Locks the campaign, raises NotFound."""
    async with db.write_transaction():
        await campaign.lock()
        run = await stop.halt_run(org, campaign, "the campaign was deleted")
        await campaign.delete()
    if run is not None:
        await stop.wait_until_no_row_in_flight(run)
