"""Totals of campaigns over their runs, each recipient counted once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.run_progress import Progress, progress_of
from webapp.models import Campaign, CampaignRun, Organization
from webapp.models.mail_log import FAILED, PENDING, SENT, MailStatus
from webapp.models.outbox.runs import count_recipients


class Totals(NamedTuple):
    """Recipients by their best outcome, and in how many runs."""

    counts: Mapping[str, int]
    runs: int

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def percent(self) -> int:
        return (self.counts[SENT] + self.counts[FAILED]) * 100 // max(self.total, 1)


large_campaigns: BackgroundCount[tuple[UUID, int], Mapping[str, int]] = BackgroundCount("totals of campaigns")


async def totals_of(org: Organization, campaigns: Sequence[Campaign]) -> dict[UUID, Totals]:
    """The totals of the campaigns that were sent, but of none whose many rows are still being counted.

    Where runs had the same recipients, all mail logs of these runs are read, in the background; of logs that
    retention deleted, each counts for itself.
    """
    sent = [campaign.id for campaign in campaigns if campaign.last_run_at is not None]
    runs = await CampaignRun.of(org).filter(campaign_id__in=sent).order_by("id") if sent else []
    by_campaign: dict[UUID, list[Progress]] = defaultdict(list)
    for progress in await progress_of(runs):
        by_campaign[progress.view.run.campaign_id].append(progress)
    totals = {}
    for campaign_id, progresses in by_campaign.items():
        counts = await _totals(campaign_id, progresses)
        if counts is not None:
            totals[campaign_id] = Totals(counts, len(progresses))
    return totals


async def _totals(campaign_id: UUID, runs: Sequence[Progress]) -> Mapping[str, int] | None:
    if not all(run.is_counted for run in runs):
        return None
    _, *later = (run.view.run for run in runs if run.view.run.retried_run_id is None)
    if all(run.joined_after is not None for run in later):
        return _of_distinct_sends(runs)
    done = sum(run.done for run in runs)
    return await large_campaigns.get((campaign_id, done), lambda: _best_outcomes([run.view.run for run in runs]))


def _of_distinct_sends(runs: Iterable[Progress]) -> Mapping[str, int]:
    """Of runs without a recipient in common, except retries, whose recipients failed before."""
    counts: Counter[str] = Counter(dict.fromkeys(MailStatus, 0))
    for run in runs:
        counts.update(run.view.counts)
        counts[PENDING] += run.view.run.expected
        if run.view.run.retried_run_id is not None:
            counts[FAILED] -= run.total
    return counts


async def _best_outcomes(runs: Sequence[CampaignRun]) -> Mapping[str, int]:
    counts: Counter[str] = Counter(dict.fromkeys(MailStatus, 0))
    counts.update(await count_recipients([run.id for run in runs]))
    for run in runs:
        counts.update(run.frozen_counts or {})
    return counts
