"""How far a run is, for all who watch it: one look a second in this process, however many they are.

Nobody holds anything between two looks: whoever asks first after a look has grown old takes the next one.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from webapp import clock
from webapp.domain.background_counts import RECOUNT_FACTOR, BackgroundCount
from webapp.domain.campaigns.account_throughput import capacities_of
from webapp.domain.campaigns.forecast import forecast
from webapp.domain.campaigns.runs import RunView, with_counts, with_few_counts
from webapp.models import Account, CampaignRun, CampaignRunAccount, Organization
from webapp.models.account import AccountStatus
from webapp.models.campaign_run import RunStatus
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT, MailStatus

LOOK_EVERY = 1.0  # seconds
RATE_SECONDS, LEAST_SECONDS = 20.0, 3.0  # that a rate is measured over
AHEAD_EVERY = 10.0  # seconds between two forecasts
KEPT_RUNS = 2_000
NO_COUNTS: Mapping[str, int] = dict.fromkeys(MailStatus, 0)


@dataclass(frozen=True)
class Progress:
    """A run with its counts, messages a second of late (None: not known), and when it will be done.

    Where its rows are still being counted all counts are 0, and nobody should show them.
    """

    view: RunView
    per_second: float | None = None
    ends_at: datetime | None = None
    is_counted: bool = True

    @property
    def total(self) -> int:
        """All recipients, those counted too whose rows are still being made."""
        return sum(self.view.counts.values()) + self.view.run.expected

    @property
    def done(self) -> int:
        """Those for whom it is over."""
        return self.view.counts[SENT] + self.view.counts[FAILED]

    @property
    def waiting(self) -> int:
        """Those who still get their mail, unless the run is stopped."""
        counts = self.view.counts
        return counts[PENDING] + counts[SENDING] + counts[DEFERRED] + self.view.run.expected

    @property
    def percent(self) -> int:
        """Per cent that are over, rounded down; a run that goes on is never at 100."""
        if self.total == 0:
            return 100 if self.is_counted else 0
        return min(self.done * 100 // self.total, 99 if self.waiting or self.view.counts[HALTED] else 100)

    @property
    def is_under_way(self) -> bool:
        """Whether it is sending."""
        return self.view.run.status == RunStatus.SENDING


large_runs: BackgroundCount[tuple[UUID, ...], list[RunView]] = BackgroundCount("large runs")


async def progress_of(runs: Sequence[CampaignRun]) -> list[Progress]:
    """How far these runs are; what many rows are behind may be of late, or not counted yet."""
    found = await with_few_counts(runs)
    large = [run for run, view in zip(runs, found, strict=True) if view is None]
    counted = await large_runs.get(tuple(run.id for run in large), lambda: with_counts(large)) if large else None
    counts = {view.run.id: view.counts for view in counted or ()}
    return [
        Progress(view or RunView(run, counts.get(run.id, NO_COUNTS)), is_counted=bool(view) or run.id in counts)
        for run, view in zip(runs, found, strict=True)
    ]


class _Looks:
    """The looks at one run."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self._progress: Progress | None = None
        self._next_at = self._ahead_at = 0.0
        self._ends_at: datetime | None = None
        self._samples: deque[tuple[float, int]] = deque()

    async def latest(self, org: Organization, run: CampaignRun) -> Progress:
        """What was seen last, or a look where that is old."""
        async with self.lock:
            if self._progress is None or clock.elapsed() >= self._next_at:
                self._progress = await self._look(org, run)
            return self._progress

    async def _look(self, org: Organization, run: CampaignRun) -> Progress:
        began = clock.elapsed()
        self._next_at = began + LOOK_EVERY
        await run.refresh()
        (found,) = await progress_of([run])
        if self._progress is not None and (not found.is_counted or found.view.counts is self._progress.view.counts):
            return replace(self._progress, view=RunView(run, self._progress.view.counts))
        if not found.is_counted:
            return found
        rate = self._rate(began, found.done)
        if began >= self._ahead_at:
            stands = rate == 0.0 and found.waiting > found.view.counts[DEFERRED]  # nothing tells when it goes on
            self._ends_at = await _ends_at(org, found, rate) if found.is_under_way and not stands else None
            self._ahead_at = began + (AHEAD_EVERY if rate else LOOK_EVERY)
        took = clock.elapsed() - began
        self._next_at = began + max(LOOK_EVERY, took * RECOUNT_FACTOR)
        return replace(found, per_second=rate, ends_at=self._ends_at)

    def _rate(self, now: float, done: int) -> float | None:
        """Messages a second over the last RATE_SECONDS; None until there is enough to tell."""
        self._samples.append((now, done))
        while now - self._samples[0][0] > RATE_SECONDS:
            self._samples.popleft()
        since, before = self._samples[0]
        return max(done - before, 0) / (now - since) if now - since >= LEAST_SECONDS else None


async def _ends_at(org: Organization, found: Progress, rate: float | None) -> datetime | None:
    """When the rest is sent, by what its accounts have left; None where nothing goes on."""
    pulling = await CampaignRunAccount.filter(run_id=found.view.run.id).values_list("account_id", flat=True)
    active = await Account.of(org).filter(id__in=pulling, status=AccountStatus.ACTIVE)
    now = clock.now()
    return forecast(found.waiting, await capacities_of(org, active, now, rate), now, org.timezone).ends_at


class RunWatch:
    """The looks at the runs that are watched in this process."""

    def __init__(self) -> None:
        """Start with none."""
        self._looks: OrderedDict[UUID, _Looks] = OrderedDict()

    async def latest(self, org: Organization, run: CampaignRun) -> Progress:
        """How far a run of `org` was a second ago at most. Raises NotFound when it is gone."""
        looks = self._looks.setdefault(run.id, _Looks())
        self._looks.move_to_end(run.id)
        while len(self._looks) > KEPT_RUNS:
            self._looks.popitem(last=False)
        return await looks.latest(org, run)
