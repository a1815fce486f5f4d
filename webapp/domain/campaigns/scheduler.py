"""Starts due runs: one per occurrence, of missed ones the latest, after the campaign's previous run has ended."""

import logging
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import clock, db
from webapp.backoff import Backoff
from webapp.domain.campaigns import send
from webapp.domain.campaigns.recurrence import last_run, next_run
from webapp.domain.campaigns.runs import Audience, count_scheduled
from webapp.domain.campaigns.scheduling import AUTOMATIC, GRACE, LATE, NOT_YET, idle_status
from webapp.domain.plans import limits
from webapp.errors import Conflict, PlanLimitExceeded, ValidationError
from webapp.models import Campaign, Organization
from webapp.models.campaign import (
    ACCOUNT_DELETED,
    CampaignStatus,
    ScheduleType,
    are_accounts_gone,
    due_campaigns,
    halt,
    lock_due_campaign,
)

log = logging.getLogger(__name__)
failures: Backoff[UUID] = Backoff(log, "firing a schedule", first=1.0, longest=300.0)

AT_ONCE = 5_000
RUN_SECONDS = 30.0
CHANGED = ("status", "anchor_at", "next_run_at", "last_run_at", "halted_reason", "schedule_note", "updated_at")


async def run_due_schedules() -> None:
    """Runs for at most RUN_SECONDS; failures are logged and retried next time."""
    began = clock.elapsed()
    for campaign_id in await due_campaigns(AT_ONCE):
        if clock.elapsed() - began > RUN_SECONDS:
            break  # the others stay due
        if not failures.is_due(campaign_id):
            continue
        # With a conflict, it changed while its audience was counted, and is still due.
        with failures.attempting(campaign_id, dropped=(Conflict,), campaign=str(campaign_id)):
            campaign = await Campaign.across_orgs().get_or_none(id=campaign_id).select_related("org")
            if campaign is None:
                continue
            audience = await count_scheduled(campaign.org, campaign)
            async with db.write_transaction():
                now = await lock_due_campaign(campaign_id)
                if now is None:
                    continue
                await campaign.refresh()
                await _run_latest(campaign.org, campaign, audience, now)
                await campaign.save(update_fields=CHANGED)


async def _run_latest(org: Organization, campaign: Campaign, audience: Audience, now: datetime) -> None:
    """Starts the run of a locked campaign's latest occurrence, or notes why not."""
    at = last_run(campaign, org.timezone, now)
    first = campaign.next_run_at or at

    def local(time: datetime) -> str:
        return f"{time.astimezone(ZoneInfo(org.timezone)):%-d %b %Y, %H:%M} ({org.timezone})"

    this = f"the send scheduled for {local(at)}"
    if now - at > GRACE:
        several = f"the sends scheduled from {local(first)} to {local(at)} were skipped"
        skipped = f"{this} was skipped" if at == first else several
        campaign.schedule_note = f"{skipped} (more than {GRACE // timedelta(hours=1)} hours late)"
        _advance(org, campaign, now)
        return
    try:
        async with db.write_transaction():  # a savepoint: a failed start leaves nothing behind
            if campaign.schedule_type in AUTOMATIC:
                await limits.require(org, "allow_automation")
            queued = await send.start_scheduled(org, campaign, audience, at)
    except (PlanLimitExceeded, ValidationError) as error:
        await _refuse(campaign, error, this)
        return
    campaign.schedule_note = None  # type: ignore[assignment]  # Tortoise's types know no null
    if not campaign.is_for_new_members:
        if queued == 0:
            campaign.schedule_note = f"{this} had no recipients"
        elif at != first:
            campaign.schedule_note = f"{this} went out; earlier sends from {local(first)} on were skipped"
        elif now - at > LATE:
            campaign.schedule_note = f"{this} started late, at {local(now)}"
    _advance(org, campaign, now)


async def _refuse(campaign: Campaign, error: PlanLimitExceeded | ValidationError, this: str) -> None:
    """Halts a campaign that only a person can start, or notes why it waits, such as for an account in error."""
    if isinstance(error, PlanLimitExceeded):
        await halt(campaign, str(error))
    elif await are_accounts_gone(campaign):
        await halt(campaign, ACCOUNT_DELETED)
    else:
        campaign.schedule_note = f"{this} {NOT_YET}: {str(error).removeprefix('template_id: ')}"


def _advance(org: Organization, campaign: Campaign, now: datetime) -> None:
    if campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
        campaign.anchor_at = campaign.next_run_at = None
    else:
        campaign.next_run_at = next_run(campaign, org.timezone, now)
    if campaign.status != CampaignStatus.SENDING:
        campaign.set_status(idle_status(campaign))
