"""Totals of campaigns over their runs, each recipient counted once."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.run_progress import Progress, progress_of
from webapp.domain.campaigns.runs import FEW, is_for_new
from webapp.models import Campaign, CampaignRun, Organization
from webapp.models.mail_log import FAILED, PENDING, SENT, MailStatus
from webapp.models.outbox.runs import count_recipients, sum_runs


class Totals(NamedTuple):
    counts: Mapping[str, int]
    runs: int

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def percent(self) -> int:
        return (self.counts[SENT] + self.counts[FAILED]) * 100 // max(self.total, 1)


repeated_sends: BackgroundCount[UUID, dict[str, int]] = BackgroundCount("totals of campaigns")


async def totals_of(org: Organization, campaigns: Sequence[Campaign]) -> dict[UUID, Totals]:
    """The totals of campaigns that were sent, except while many rows are still being counted.

    If runs may share recipients, their mail logs are read, in the background if that is slow; totals may then be
    outdated. Recipients whose logs were deleted count once per run.
    """
    sent = [campaign.id for campaign in campaigns if campaign.last_run_at is not None]
    if not sent:
        return {}
    sums: dict[UUID, list[db.Row]] = defaultdict(list)
    for row in await sum_runs(org.id, sent):
        sums[as_uuid(row["campaign_id"])].append(row)
    moving: dict[UUID, list[Progress]] = defaultdict(list)
    uncounted = await CampaignRun.of(org).filter(campaign_id__in=sent, ended_counts__isnull=True)
    for progress in await progress_of(uncounted):
        moving[progress.run.campaign_id].append(progress)
    counts = await asyncio.gather(
        *(_counts(org, campaign_id, rows, moving[campaign_id]) for campaign_id, rows in sums.items())
    )
    runs = [sum(row["runs"] for row in rows) for rows in sums.values()]
    counted_runs = zip(sums, counts, runs, strict=True)
    return {key: Totals(counted, number) for key, counted, number in counted_runs if counted is not None}


async def _counts(
    org: Organization, campaign_id: UUID, sums: Iterable[db.Row], moving: Sequence[Progress]
) -> Mapping[str, int] | None:
    if not all(run.is_counted for run in moving):
        return None
    if not any(_may_share_recipients(row) for row in sums if not row["is_retry"]):
        return _of_distinct_sends(sums, moving)
    mails = sum(run.total for run in moving) + sum(_summed("ended", sums).values())
    if mails <= FEW:
        best: Mapping[str, int] | None = await _count_best(org, campaign_id)
    else:
        best = await repeated_sends.get(campaign_id, lambda: _count_best(org, campaign_id))
    return None if best is None else _of_repeated_sends(best, sums, moving)


def _may_share_recipients(sums: db.Row) -> bool:
    """True if a later run than the first also mailed old members."""
    return bool(sums["for_all"] > 1 or (sums["for_all"] and sums["first_for_all_at"] > sums["first_at"]))


def _of_distinct_sends(sums: Iterable[db.Row], moving: Iterable[Progress]) -> Counter[str]:
    """Sums runs without common recipients, apart from retries, whose recipients had failed before."""
    counts = _summed("ended", sums)
    for run in moving:
        counts.update(run.counts)
        counts[PENDING] += run.run.expected
        if run.run.retried_run_id is not None:
            counts[FAILED] -= run.total
    return counts


async def _count_best(org: Organization, campaign_id: UUID) -> dict[str, int]:
    async with db.searching(org.id):
        return await count_recipients(campaign_id)


def _of_repeated_sends(best: Mapping[str, int], sums: Iterable[db.Row], moving: Iterable[Progress]) -> Counter[str]:
    """Rows still to be created only count if their contacts have none yet."""
    counts = _summed("deleted", sums)
    counts[FAILED] = max(counts[FAILED], 0)  # failed recipients may have rows while the retried ones were deleted
    counts.update(best)
    counts[PENDING] += sum(run.run.expected for run in moving if is_for_new(run.run))
    return counts


def _summed(kind: str, sums: Iterable[db.Row]) -> Counter[str]:
    """The counts of all runs; retried recipients count by the retry's outcome only."""
    counts: Counter[str] = Counter(dict.fromkeys(MailStatus, 0))
    for row in sums:
        counted = {status: int(row[f"{kind}_{status}"]) for status in MailStatus}
        counts.update(counted)
        if row["is_retry"]:
            counts[FAILED] -= sum(counted.values())
    return counts
