"""Progress of runs, read at most once a second in this process, however many people watch."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from webapp import clock
from webapp.domain.accounts.holds import Hold, find_holds
from webapp.domain.background_counts import RECOUNT_FACTOR, BackgroundCount
from webapp.domain.campaigns.forecast import forecast, load_capacities
from webapp.domain.campaigns.runs import FEW, RunView, with_counts
from webapp.models import Account, CampaignRun, CampaignRunAccount, Organization
from webapp.models.account import AccountStatus
from webapp.models.campaign_run import RunStatus
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT, MailStatus
from webapp.models.outbox.runs import retries_of

REFRESH_EVERY = 1.0  # seconds
RATE_SECONDS, LEAST_SECONDS = 20.0, 3.0  # over which a rate is measured
FORECAST_EVERY = 10.0  # seconds between two forecasts
CACHED_RUNS = 2_000
RETRIES_COUNTED = 1_000  # pending rows of a run
NO_COUNTS: Mapping[str, int] = dict.fromkeys(MailStatus, 0)


@dataclass(frozen=True)
class Progress(RunView):
    """`per_second` and `ends_at` are None while unknown; the counts are 0 until `is_counted`: show none."""

    per_second: float | None = None
    ends_at: datetime | None = None
    is_counted: bool = True
    holds: Sequence[Hold] = ()  # of its accounts
    next_retry_at: datetime | None = None  # if all waiting mail will be retried later

    @property
    def total(self) -> int:
        return sum(self.counts.values()) + self.run.expected

    @property
    def done(self) -> int:
        return self.counts[SENT] + self.counts[FAILED]

    @property
    def queued(self) -> int:
        return self.counts[PENDING] + self.counts[DEFERRED] + self.run.expected

    @property
    def unsent(self) -> int:
        """Emails that can be canceled. Halted rows of an active run belong to contacts who left."""
        return self.queued + (0 if self.is_active else self.counts[HALTED])

    @property
    def waiting(self) -> int:
        return self.queued + self.counts[SENDING]

    @property
    def waits_to_start(self) -> bool:
        return bool(self.is_active and self.holds and not self.done)

    @property
    def percent(self) -> int:
        if self.total == 0:
            return 100 if self.is_counted else 0
        return min(self.done * 100 // self.total, 99 if self.waiting or self.counts[HALTED] else 100)

    @property
    def is_active(self) -> bool:
        return self.run.status == RunStatus.SENDING


large_runs: BackgroundCount[tuple[UUID, ...], list[RunView]] = BackgroundCount("large runs")


async def progress_of(runs: Sequence[CampaignRun]) -> list[Progress]:
    """Counts of large runs may be outdated."""
    counts = {view.run.id: view.counts for view in await with_counts(runs, FEW)}
    if large := [run for run in runs if run.id not in counts]:
        counted = await large_runs.get(tuple(run.id for run in large), lambda: with_counts(large))
        counts |= {view.run.id: view.counts for view in counted or ()}
    lines = [Progress(run, counts.get(run.id, NO_COUNTS), is_counted=run.id in counts) for run in runs]
    few = [line for line in lines if line.is_active and 0 < line.counts[PENDING] == line.waiting <= RETRIES_COUNTED]
    retries = await retries_of([line.run.id for line in few]) if few else {}
    waiting = {line.run.id: line.waiting for line in few}
    next_at = {run_id: at for run_id, (count, at) in retries.items() if count == waiting[run_id]}
    return [replace(line, next_retry_at=next_at.get(line.run.id)) for line in lines]


class _CachedProgress:
    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._progress: Progress | None = None
        self._next_at = self._forecast_at = 0.0
        self._samples: deque[tuple[float, int]] = deque()

    async def latest(self, org: Organization, run: CampaignRun) -> Progress:
        async with self._lock:
            if self._progress is None or clock.elapsed() >= self._next_at:
                self._progress = await with_holds(org, await self._refresh(org, run))
            return self._progress

    async def _refresh(self, org: Organization, run: CampaignRun) -> Progress:
        began, before = clock.elapsed(), self._progress
        self._next_at = began + REFRESH_EVERY
        await run.refresh()
        (progress,) = await progress_of([run])
        if before is not None and (not progress.is_counted or progress.counts is before.counts):
            return replace(before, run=run)
        if not progress.is_counted:
            return progress
        rate, ends_at = self._rate(began, progress.done), before.ends_at if before else None
        deferred = progress.counts[DEFERRED]
        # A raised limit sends what was deferred.
        if began >= self._forecast_at or before is None or deferred != before.counts[DEFERRED]:
            is_stalled = rate == 0.0 and progress.waiting > deferred  # the end cannot be forecast
            ends_at = None
            if progress.is_active and not is_stalled:
                accounts = await _accounts_of(org, run)
                active = [
                    account for account in accounts if account.status == AccountStatus.ACTIVE and not account.is_failing
                ]
                now = clock.now()
                capacities = await load_capacities(org, active, now, rate)
                ends_at = forecast(progress.waiting, capacities, now, org.timezone).ends_at
            self._forecast_at = began + (FORECAST_EVERY if rate else REFRESH_EVERY)
        took = clock.elapsed() - began
        self._next_at = began + max(REFRESH_EVERY, took * RECOUNT_FACTOR)
        return replace(progress, per_second=rate, ends_at=ends_at)

    def _rate(self, now: float, done: int) -> float | None:
        """Messages a second over RATE_SECONDS; None before LEAST_SECONDS are measured."""
        self._samples.append((now, done))
        while now - self._samples[0][0] > RATE_SECONDS:
            self._samples.popleft()
        since, before = self._samples[0]
        return max(done - before, 0) / (now - since) if now - since >= LEAST_SECONDS else None


async def with_holds(org: Organization, progress: Progress) -> Progress:
    run = progress.run
    waits = progress.is_active and (progress.waiting or not progress.is_counted)
    if not waits:
        return replace(progress, holds=())
    return replace(progress, holds=await find_holds(org, await _accounts_of(org, run), are_campaigns=True))


async def _accounts_of(org: Organization, run: CampaignRun) -> list[Account]:
    pulling = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
    return await Account.of(org).filter(id__in=pulling).order_by("id")


@lru_cache(CACHED_RUNS)
def _cached(_: UUID) -> _CachedProgress:
    return _CachedProgress()


async def latest_progress(org: Organization, run: CampaignRun) -> Progress:
    """A second old at most. Raises NotFound when the run was deleted."""
    return await _cached(run.id).latest(org, run)
