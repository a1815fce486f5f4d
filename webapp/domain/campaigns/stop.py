"""Stops and resumes campaigns, and gives up the unsent emails of their runs."""

import asyncio
from functools import partial
from math import inf
from uuid import UUID

from webapp import clock, db
from webapp.domain.accounts.selection import check_scope
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.campaigns.recurrence import next_run
from webapp.domain.campaigns.run_progress import Progress
from webapp.domain.campaigns.runs import wake_accounts, with_counts
from webapp.domain.campaigns.scheduling import AUTOMATIC, idle_status
from webapp.domain.event_log import record_campaign
from webapp.domain.plans import limits
from webapp.errors import Conflict
from webapp.models import Campaign, CampaignRun, CampaignRunAccount, Organization, Topic, User
from webapp.models.campaign import TOPIC_DELETED, CampaignStatus, are_accounts_gone
from webapp.models.campaign_run import RunStatus
from webapp.models.event import EventType
from webapp.models.outbox import runs

HALTING_SECONDS = 8.0  # of the 10 that a stop may take; `finish_halts` continues
QUIET_SECONDS = 3.0  # a worker that checked before the stop, right before DATA, has sent its message by then
ASK_EVERY = 0.05
STOPPED = "stopped through the API"
CHANGED = ("status", "next_run_at", "halted_reason", "updated_at")


def stopped_by(user: User) -> str:
    return f"stopped by {user.name_and_email}"


def paused_because(reason: str | None) -> str:
    """What people read of `halted_reason`: they pause what programs stop."""
    if reason is None:
        return "paused"
    return reason.replace("stopped", "paused", 1) if reason.startswith("stopped ") else f"paused: {reason}"


async def stop_campaign(org: Organization, campaign: Campaign, reason: str) -> CampaignRun | None:
    """Returns the halted run once no worker can start another message; locks the campaign. Raises Conflict."""
    async with db.write_transaction():
        await campaign.lock()
        is_scheduled = campaign.next_run_at is not None
        run = await halt_campaign(org, campaign, reason)
        if run is None and not is_scheduled:
            raise Conflict("nothing to stop: this campaign isn't sending and has no active schedule")
        await record_on(campaign, AuditAction.CAMPAIGN_STOPPED)
    if run is not None:
        await wait_until_no_row_in_flight(run)
    return run


async def halt_campaign(org: Organization, campaign: Campaign, reason: str) -> CampaignRun | None:
    """Call it in the transaction that has locked the campaign, and `wait_until_no_row_in_flight` after the commit."""
    run = await halt_run(org, campaign, reason)
    campaign.set_status(CampaignStatus.HALTED, reason)
    campaign.next_run_at = None
    await campaign.save(update_fields=CHANGED)
    await record_campaign(EventType.CAMPAIGN_HALTED, campaign, run.id if run else None, reason=reason)
    return run


async def halt_run(org: Organization, campaign: Campaign, reason: str) -> CampaignRun | None:
    """Call it in the transaction that has locked the campaign, and `wait_until_no_row_in_flight` after the commit."""
    run = await active_run(org, campaign)
    if run is not None:
        await runs.halt_runs(reason, id=run.id)
    return run


async def break_run(org: Organization, campaign_id: UUID, run_id: UUID, epoch: int, reason: str) -> bool:
    """Halts a run with waiting rows, and its campaign, unless stopped or deleted since; locks and commits."""
    async with db.write_transaction():
        campaign = await Campaign.of(org).select_for_update().get_or_none(id=campaign_id)
        run = await active_run(org, campaign) if campaign else None
        if campaign is None or run is None or (run.id, run.epoch) != (run_id, epoch):
            return False
        if run.materialised and not await runs.is_any_unfinished(run.id):
            return False  # nothing is waiting
        await halt_campaign(org, campaign, reason)
    await runs.halt_rows(run.id)  # the periodic job halts the remaining ones
    return True


async def active_run(org: Organization, campaign: Campaign) -> CampaignRun | None:
    return await CampaignRun.of(org).get_or_none(campaign_id=campaign.id, status=RunStatus.SENDING)


async def halted_run(org: Organization, campaign: Campaign) -> CampaignRun | None:
    return await CampaignRun.of(org).filter(campaign_id=campaign.id, status=RunStatus.HALTED).order_by("-id").first()


async def unfinished_run(org: Organization, campaign: Campaign) -> CampaignRun | None:
    return await active_run(org, campaign) or await halted_run(org, campaign)


async def wait_until_no_row_in_flight(run: CampaignRun) -> None:
    """Halts pending rows for up to HALTING_SECONDS; waits until up to QUIET_SECONDS after the stop."""
    began = clock.elapsed()
    while clock.elapsed() - began < HALTING_SECONDS:
        if await runs.halt_rows(run.id):
            continue
        if clock.elapsed() - began >= QUIET_SECONDS or not await runs.is_any_unfinished(run.id):
            break
        await asyncio.sleep(ASK_EVERY)


async def finish_halts() -> None:
    """Halts rows that a stop did not reach in time, or that a worker released since."""
    for run_id in await runs.halted_with_waiting_rows():
        await db.in_batches(partial(runs.halt_rows, run_id), inf)


async def resume_campaign(org: Organization, campaign: Campaign) -> Campaign:
    """Locks the campaign. Raises PlanLimitExceeded, Conflict if it is not halted or its schedule is incomplete.

    Raises OutsideScope.
    """
    async with db.write_transaction():
        await campaign.lock()
        if campaign.status != CampaignStatus.HALTED:
            raise Conflict(f"nothing to resume: this campaign's status is {campaign.status}")
        if campaign.halted_reason == TOPIC_DELETED:
            raise Conflict("this campaign's topic was deleted; choose another one first")
        if campaign.anchor_at is not None:
            for name in ("segment", "template"):
                if getattr(campaign, f"{name}_id") is None:
                    raise Conflict(f"this campaign's {name} was deleted; choose another one first")
            if await are_accounts_gone(campaign):
                raise Conflict("this campaign's account was deleted; choose another one first")
            if campaign.schedule_type in AUTOMATIC:
                await limits.require(org, "allow_automation")
            campaign.next_run_at = next_run(campaign, org.timezone, clock.now())
            await check_scope(org, campaign.named_accounts, campaign.from_email)
        run = await halted_run(org, campaign)
        if run is not None:
            ids = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
            await check_scope(org, ids, run.sender_email)  # type: ignore[arg-type]  # a flat list holds the column's values
            await _replace_topic(org, campaign, run)
            await runs.resume_run(run.id)
        campaign.set_status(CampaignStatus.SENDING if run else idle_status(campaign))
        await campaign.save(update_fields=CHANGED)
        await record_on(campaign, AuditAction.CAMPAIGN_RESUMED)
    if run is not None:
        await db.in_batches(partial(runs.release_halted, run.id), HALTING_SECONDS)
        await wake_accounts(run)
        await runs.finish_runs([run.id])  # if none of the remaining recipients wants mail any more
        await campaign.refresh()
    return campaign


async def _replace_topic(org: Organization, campaign: Campaign, run: CampaignRun) -> None:
    """Gives a run whose topic was deleted the campaign's present one. Raises Conflict."""
    if run.topic_id is None or await Topic.of(org).filter(id=run.topic_id).exists():
        return
    if campaign.topic_id is None:
        raise Conflict("the topic of the halted run was deleted; choose another one for the campaign first")
    run.topic_id = campaign.topic_id
    await run.save(update_fields=["topic_id"])


async def finish_resumes() -> None:
    """Releases rows that a resume did not reach in time or before its process died."""
    for run_id in await runs.resumed_with_halted_rows():
        await db.in_batches(partial(runs.release_halted, run_id), inf)


async def give_up(campaign: Campaign, run: CampaignRun, user: User) -> int:
    """Fails the unsent rows of an active or halted run, but not those being sent; returns their number.

    A campaign with a schedule stays halted until it is resumed. Raises Conflict.
    """
    async with db.write_transaction():
        await campaign.lock()
        await run.refresh()
        if run.status == RunStatus.COMPLETED:
            raise Conflict("this run isn't sending")
        (view,) = await with_counts([run])
        if (unsent := Progress(run, view.counts).unsent) == 0:
            raise Conflict("no email of this run is waiting")
        if run.status == RunStatus.HALTED:
            await runs.resume_run(run.id, given_up=f"canceled by {user.name_and_email}")
            if campaign.status == CampaignStatus.HALTED and campaign.anchor_at is None:
                campaign.set_status(CampaignStatus.SENDING)
                await campaign.save(update_fields=CHANGED)
        else:
            await runs.give_up_run(run.id, f"ended by {user.name_and_email}")
        await record_on(campaign, AuditAction.CAMPAIGN_GIVEN_UP, emails=unsent)
    await db.in_batches(partial(runs.fail_unsent, run.id), HALTING_SECONDS)
    await runs.finish_runs([run.id])
    return unsent


async def finish_given_up() -> None:
    """Fails rows that giving up did not reach in time, or that a worker released since."""
    for run_id in await runs.given_up_with_unsent_rows():
        await db.in_batches(partial(runs.fail_unsent, run_id), inf)
