"""Progress of runs, read at most once a second in this process, however many people watch."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from webapp import clock
from webapp.domain.accounts.holds import Hold, find_holds
from webapp.domain.background_counts import RECOUNT_FACTOR, BackgroundCount
from webapp.domain.campaigns.forecast import forecast, load_capacities
from webapp.domain.campaigns.runs import RunView, with_counts, with_few_counts
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
class Progress:
    """`per_second` and `ends_at` are None while unknown; the counts are 0 until `is_counted`: show none."""

    view: RunView
    per_second: float | None = None
    ends_at: datetime | None = None
    is_counted: bool = True
    holds: Sequence[Hold] = ()  # of its accounts
    next_retry_at: datetime | None = None  # if all waiting mail will be retried later

    @property
    def counts(self) -> Mapping[str, int]:
        return self.view.counts

    @property
    def total(self) -> int:
        return sum(self.counts.values()) + self.view.run.expected

    @property
    def done(self) -> int:
        return self.counts[SENT] + self.counts[FAILED]

    @property
    def queued(self) -> int:
        return self.counts[PENDING] + self.counts[DEFERRED] + self.view.run.expected

    @property
    def waiting(self) -> int:
        return self.queued + self.counts[SENDING]

    @property
    def percent(self) -> int:
        if self.total == 0:
            return 100 if self.is_counted else 0
        return min(self.done * 100 // self.total, 99 if self.waiting or self.counts[HALTED] else 100)

    @property
    def is_active(self) -> bool:
        return self.view.run.status == RunStatus.SENDING


large_runs: BackgroundCount[tuple[UUID, ...], list[RunView]] = BackgroundCount("large runs")


async def progress_of(runs: Sequence[CampaignRun]) -> list[Progress]:
    """Counts of large runs may be outdated."""
    views = await with_few_counts(runs)
    large = [run for run, view in zip(runs, views, strict=True) if view is None]
    counted = await large_runs.get(tuple(run.id for run in large), lambda: with_counts(large)) if large else None
    counts = {view.run.id: view.counts for view in counted or ()}
    return await _with_retries(
        [
            Progress(view or RunView(run, counts.get(run.id, NO_COUNTS)), is_counted=bool(view) or run.id in counts)
            for run, view in zip(runs, views, strict=True)
        ]
    )


async def _with_retries(runs: Sequence[Progress]) -> list[Progress]:
    few = [run for run in runs if run.is_active and 0 < run.counts[PENDING] == run.waiting <= RETRIES_COUNTED]
    retries = await retries_of([run.view.run.id for run in few]) if few else {}
    waiting = {run.view.run.id: run.waiting for run in few}
    next_at = {run_id: at for run_id, (count, at) in retries.items() if count == waiting[run_id]}
    return [replace(run, next_retry_at=next_at.get(run.view.run.id)) for run in runs]


class _CachedProgress:
    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._progress: Progress | None = None
        self._next_at = self._forecast_at = 0.0
        self._ends_at: datetime | None = None
        self._deferred = 0
        self._samples: deque[tuple[float, int]] = deque()

    async def latest(self, org: Organization, run: CampaignRun) -> Progress:
        async with self._lock:
            if self._progress is None or clock.elapsed() >= self._next_at:
                self._progress = await with_holds(org, await self._refresh(org, run))
            return self._progress

    async def _refresh(self, org: Organization, run: CampaignRun) -> Progress:
        began = clock.elapsed()
        self._next_at = began + REFRESH_EVERY
        await run.refresh()
        (found,) = await progress_of([run])
        if self._progress is not None and (not found.is_counted or found.view.counts is self._progress.view.counts):
            return replace(self._progress, view=RunView(run, self._progress.view.counts))
        if not found.is_counted:
            return found
        rate = self._rate(began, found.done)
        deferred = found.view.counts[DEFERRED]
        if began >= self._forecast_at or deferred != self._deferred:  # a raised limit sends what was deferred
            is_stalled = rate == 0.0 and found.waiting > deferred  # the end cannot be forecast
            self._deferred = deferred
            self._ends_at = None
            if found.is_active and not is_stalled:
                accounts = await _accounts_of(org, run)
                active = [
                    account for account in accounts if account.status == AccountStatus.ACTIVE and not account.is_failing
                ]
                now = clock.now()
                capacities = await load_capacities(org, active, now, rate)
                self._ends_at = forecast(found.waiting, capacities, now, org.timezone).ends_at
            self._forecast_at = began + (FORECAST_EVERY if rate else REFRESH_EVERY)
        took = clock.elapsed() - began
        self._next_at = began + max(REFRESH_EVERY, took * RECOUNT_FACTOR)
        return replace(found, per_second=rate, ends_at=self._ends_at)

    def _rate(self, now: float, done: int) -> float | None:
        """Messages a second over RATE_SECONDS; None before LEAST_SECONDS are measured."""
        self._samples.append((now, done))
        while now - self._samples[0][0] > RATE_SECONDS:
            self._samples.popleft()
        since, before = self._samples[0]
        return max(done - before, 0) / (now - since) if now - since >= LEAST_SECONDS else None


async def with_holds(org: Organization, progress: Progress) -> Progress:
    run = progress.view.run
    waits = progress.is_active and (progress.waiting or not progress.is_counted)
    return replace(progress, holds=await find_holds(org, await _accounts_of(org, run)) if waits else ())


async def _accounts_of(org: Organization, run: CampaignRun) -> list[Account]:
    pulling = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
    return await Account.of(org).filter(id__in=pulling).order_by("id")


class ProgressCache:
    def __init__(self) -> None:
        self._runs: OrderedDict[UUID, _CachedProgress] = OrderedDict()

    async def latest(self, org: Organization, run: CampaignRun) -> Progress:
        """A second old at most. Raises NotFound when the run was deleted."""
        cached = self._runs.setdefault(run.id, _CachedProgress())
        self._runs.move_to_end(run.id)
        while len(self._runs) > CACHED_RUNS:
            self._runs.popitem(last=False)
        return await cached.latest(org, run)
