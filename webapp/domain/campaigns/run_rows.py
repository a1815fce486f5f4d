"""Creates the rows of runs, mostly in the background; those of a halted run are halted until it is resumed."""

import asyncio
import logging
from itertools import groupby
from math import inf
from uuid import UUID

from webapp import clock, db
from webapp.backoff import Backoff
from webapp.domain.campaigns.runs import wake_accounts
from webapp.domain.plans import limits
from webapp.errors import PlanLimitExceeded
from webapp.models import CampaignRun, Organization
from webapp.models.campaign_run import RunStatus
from webapp.models.outbox import run_rows
from webapp.models.outbox.daily_quota import accounts_of_runs, left_of
from webapp.models.outbox.run_rows import analyze_once
from webapp.models.outbox.runs import count_pending, defer_rows, release_rows
from webapp.models.usage import Metric, month_of
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)
failures: Backoff[UUID] = Backoff(log, "creating rows of a run", first=5.0, longest=300.0)

FIRST_ROWS = 1_000  # created before a send responds
ROWS_AT_ONCE = 5_000
ENOUGH_SECONDS = 3.0  # of pending rows are enough, because sending needs the database too
IDLE_RATIO = 3.0  # pause in durations of a batch while there are enough rows
PROGRESS = ("expected", "skipped", "skipped_paused", "skipped_opted_out", "materialise_cursor", "materialised")
_creating = asyncio.Lock()


async def create_first_rows(org: Organization, run: CampaignRun) -> None:
    """Creates FIRST_ROWS in the transaction that creates the run."""
    await _create(org, run, FIRST_ROWS)
    if not run.materialised:
        enqueue(Job.MATERIALISE, run.id)


async def create_pending_rows(seconds: float = inf) -> None:
    """Creates batches of all runs in rotation for `seconds`; returns immediately if another call is doing it."""
    if _creating.locked():
        return
    async with _creating:
        await analyze_once()
        await _round_robin(clock.elapsed() + seconds)


async def _round_robin(until: float) -> None:
    while clock.elapsed() < until:
        waiting = [run_id for run_id in await run_rows.incomplete_runs() if failures.is_due(run_id)]
        if not waiting:
            return
        for run_id in sorted(waiting):
            began, idle_ratio = clock.elapsed(), IDLE_RATIO
            with failures.attempting(run_id, run=str(run_id)):
                await create_next_batch(run_id)
                idle_ratio = 0.0 if await run_rows.is_starved(run_id, ENOUGH_SECONDS) else IDLE_RATIO
            await asyncio.sleep((clock.elapsed() - began) * idle_ratio)


async def create_next_batch(run_id: UUID, limit: int = ROWS_AT_ONCE, *, is_last: bool = False) -> bool:
    """True if more may be missing; commits. Safe to call from several workers and to interrupt."""
    try:
        async with db.write_transaction():
            run = await CampaignRun.across_orgs().select_for_update().get_or_none(id=run_id, materialised=False)
            if run is None:
                return False
            await _create(await Organization.get(id=run.org_id), run, limit, is_last=is_last)
            if run.status == RunStatus.SENDING:
                await wake_accounts(run)
    except PlanLimitExceeded:  # more contacts than were counted and the plan allows, so the next batch is the last
        return await create_next_batch(run_id, limit, is_last=True)
    return not run.materialised


async def _create(org: Organization, run: CampaignRun, limit: int, *, is_last: bool = False) -> None:
    """With `is_last`, creates no rows beyond those consumed from the plan. Raises PlanLimitExceeded."""
    batch = await run_rows.create_rows(run, min(limit, run.expected) if is_last else limit)
    run.expected, run.materialise_cursor = run.expected - batch.rows, batch.cursor
    run.skipped += batch.skipped.total
    run.skipped_paused += batch.skipped.paused
    run.skipped_opted_out += batch.skipped.opted_out
    await run.save(update_fields=PROGRESS)  # the plan counts rows and `expected`, so both change together
    if run.expected < 0 and run.is_counted:
        await limits.consume(org, Metric.EMAILS, -run.expected)
    run.expected = max(run.expected, 0)
    if batch.is_over or is_last:
        # Refunds those who left since the run started, unless it started in another month.
        now = clock.now()
        if run.is_counted and run.expected and month_of(run.started_at or now) == month_of(now):
            await limits.release(org, Metric.EMAILS, run.expected)
        run.expected, run.materialised = 0, True
    await run.save(update_fields=PROGRESS)


async def defer_runs() -> None:
    """Releases as many deferred rows of each run, oldest first, as its accounts can still send today."""
    accounts = await accounts_of_runs()
    days = {account.timezone: clock.today(account.timezone) for account in accounts}
    left = await left_of({(account.account_id, days[account.timezone]) for account in accounts})
    for run_id, group in groupby(accounts, key=lambda account: account.run_id):
        able = list(group)
        free = sum(left.get((account.account_id, days[account.timezone]), account.limit) for account in able)
        if free == 0:
            until = clock.next_day(able[0].timezone)
            cause = f"every account has reached its daily limit; deferred until {until:%-d %b %Y, %H:%M} UTC"
            await defer_rows(run_id, until, cause)
        elif able[0].has_deferred:
            waiting = await count_pending(run_id, free)
            await release_rows(run_id, free - waiting, "an account is below its daily limit again")
