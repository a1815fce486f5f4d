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


repeated_sends: BackgroundCount[tuple[UUID, ...], dict[UUID, dict[str, int]]] = BackgroundCount("totals of campaigns")


async def totals_of(org: Organization, campaigns: Sequence[Campaign]) -> dict[UUID, Totals]:
    """The totals of the campaigns that were sent, but of none whose many rows are still being counted.

    Where several runs may have had the same recipients, their mail logs are read, in the background where it takes
    long: then the totals may be older. Logs that retention deleted are counted for each run.
    """
    sent = [campaign.id for campaign in campaigns if campaign.last_run_at is not None]
    runs = await CampaignRun.of(org).filter(campaign_id__in=sent).order_by("id") if sent else []
    by_campaign: dict[UUID, list[Progress]] = defaultdict(list)
    for progress in await progress_of(runs):
        by_campaign[progress.view.run.campaign_id].append(progress)
    counted = {one: found for one, found in by_campaign.items() if all(run.is_counted for run in found)}
    repeated = {one: found for one, found in counted.items() if _may_share_recipients(found)}
    run_ids = [run.view.run.id for found in repeated.values() for run in found]
    best = await repeated_sends.get(tuple(repeated), lambda: count_recipients(run_ids)) if repeated else None
    counts = {one: _of_distinct_sends(found) for one, found in counted.items() if one not in repeated}
    if best is not None:
        counts |= {one: _with_deleted(best.get(one, {}), found) for one, found in repeated.items()}
    return {one: Totals(found, len(by_campaign[one])) for one, found in counts.items()}


def _may_share_recipients(runs: Sequence[Progress]) -> bool:
    _, *later = (run.view.run for run in runs if run.view.run.retried_run_id is None)
    return any(run.joined_after is None for run in later)


def _of_distinct_sends(runs: Iterable[Progress]) -> Counter[str]:
    """Of runs without a recipient in common, except retries, whose recipients failed before."""
    counts: Counter[str] = Counter(dict.fromkeys(MailStatus, 0))
    for run in runs:
        counts.update(run.counts)
        counts[PENDING] += run.view.run.expected
        if run.view.run.retried_run_id is not None:
            counts[FAILED] -= run.total
    return counts


def _with_deleted(counted: Mapping[str, int], runs: Iterable[Progress]) -> Counter[str]:
    counts: Counter[str] = Counter(dict.fromkeys(MailStatus, 0))
    counts.update(counted)
    for run in runs:
        counts.update(run.view.run.frozen_counts or {})
    return counts
