"""Making the rows of runs: the first when a run starts, the rest in the background while those are being sent.

A run that is halted meanwhile gets its rows all the same, as halted ones: its resume sends exactly the rest.
"""

import asyncio
import logging
from math import inf
from uuid import UUID

from webapp import clock, db
from webapp.domain.campaigns.runs import wake_accounts
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import PlanLimitExceeded
from webapp.models import CampaignRun, Organization, outbox
from webapp.models.campaign_run import RunStatus
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)

FIRST_ROWS = 1_000  # made before a send answers
ROWS_AT_ONCE = 5_000
AHEAD_SECONDS = 3.0  # that a row may wait: then there are enough of them, and sending them needs the database as well
BREATH = 3.0  # of the time that a batch took, between two where there are enough
MADE = ("expected", "materialise_cursor", "materialised")


async def begin(org: Organization, run: CampaignRun) -> None:
    """Make the first rows of a new run, inside the transaction that makes it; a worker makes what is left."""
    await _make(org, run, FIRST_ROWS)
    if not run.materialised:
        enqueue(Job.MATERIALISE, run.id)


async def make_waiting(seconds: float = inf) -> None:
    """Make the rows of all runs that lack some, a batch of each in turn, for so long at most.

    It returns at once where this process is at it already: that one finds what is new.
    """
    if _worker.is_busy:
        return
    _worker.is_busy = True
    try:
        await outbox.analyze_once()
        await _make_in_turn(clock.elapsed() + seconds)
    finally:
        _worker.is_busy = False


class _Worker:
    is_busy = False


_worker = _Worker()


async def _make_in_turn(until: float) -> None:
    given_up = set[UUID]()  # until the next call
    while clock.elapsed() < until and (waiting := set(await outbox.incomplete_runs()) - given_up):
        for run_id in sorted(waiting):
            began, breath = clock.elapsed(), BREATH
            try:
                await make_some(run_id)
                breath = 0.0 if await outbox.is_starved(run_id, AHEAD_SECONDS) else BREATH
            except Exception:
                log.exception("rows of a run could not be made", extra={"run": str(run_id)})
                given_up.add(run_id)
            await asyncio.sleep((clock.elapsed() - began) * breath)


async def make_some(run_id: UUID, most: int = ROWS_AT_ONCE) -> bool:
    """Make the next rows of a run, `most` at most, in one transaction; whether there may be more to make.

    Any number of workers may do it at once, and die at any point.
    """
    try:
        return await _make_held(run_id, most)
    except PlanLimitExceeded:  # some came back since they were counted: more than the plan has left
        return await _make_held(run_id, most, is_last=True)


async def _make_held(run_id: UUID, most: int, *, is_last: bool = False) -> bool:
    async with db.write_transaction():
        run = await CampaignRun.across_orgs().select_for_update().get_or_none(id=run_id, materialised=False)
        if run is None:
            return False
        await _make(await Organization.get(id=run.org_id), run, most, is_last=is_last)
        if run.status == RunStatus.SENDING:
            await wake_accounts(run)
    return not run.materialised


async def _make(org: Organization, run: CampaignRun, most: int, *, is_last: bool = False) -> None:
    """Make a batch of a run that is held; `is_last`: none but those that the plan was asked for. PlanLimitExceeded."""
    made = await outbox.create_rows(run, min(most, run.expected) if is_last else most)
    run.expected, run.materialise_cursor = run.expected - made.rows, made.cursor
    await run.save(update_fields=MADE)  # what the plan was asked for is these rows and those: it may be counted now
    if run.expected < 0 and run.is_counted:
        await limits.take(org, Metric.EMAILS, -run.expected)
    run.expected = max(run.expected, 0)
    if made.is_over or is_last:
        await _end(org, run)
    await run.save(update_fields=MADE)


async def _end(org: Organization, run: CampaignRun) -> None:
    """All rows are made: those who left meanwhile count no more, unless that was in another month."""
    started_at = run.started_at or clock.now()
    if run.is_counted and run.expected and limits.month_of(started_at) == limits.month_of(clock.now()):
        await limits.give_back(org, Metric.EMAILS, run.expected)
    run.expected, run.materialised = 0, True
