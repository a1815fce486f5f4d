"""The list of campaigns as people read it: whom each is for, when it goes out, and how its newest run stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from webapp.domain.campaigns.recurrence_text import Times, schedule_in_words
from webapp.domain.campaigns.run_progress import Progress, progress_of
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.models import Campaign, CampaignRun, Organization, Segment
from webapp.models.campaign import CampaignStatus, RecurrenceUnit, ScheduleType
from webapp.models.campaign_run import newest_runs

__all__ = ["CampaignLine", "CampaignStatus", "list_lines", "schedule_of"]


@dataclass(frozen=True)
class CampaignLine:
    """A campaign; without a segment it has none yet, or that was deleted. `newest` is its newest run."""

    campaign: Campaign
    segment: Segment | None
    schedule: str
    newest: Progress | None


async def list_lines(org: Organization, status: CampaignStatus | None, page: Page) -> Listed[CampaignLine]:
    """The campaigns, newest first, of one status or of all; as many queries however many they are."""
    wanted = Campaign.of(org) if status is None else Campaign.of(org).filter(status=status)
    found = await fetch_page(wanted.order_by("-id"), page)
    segment_ids = {row.segment_id for row in found.rows if row.segment_id is not None}
    segments = {row.id: row for row in await Segment.of(org).filter(id__in=list(segment_ids))}
    newest = await _newest_runs(org, found.rows)
    lines = [
        CampaignLine(
            row,
            segments.get(row.segment_id) if row.segment_id else None,
            schedule_of(org, row),
            newest.get(row.id),
        )
        for row in found.rows
    ]
    return Listed(lines, page, found.total)


async def _newest_runs(org: Organization, campaigns: Sequence[Campaign]) -> Mapping[UUID, Progress]:
    """The newest run of each campaign that has any."""
    ids = await newest_runs([row.id for row in campaigns])
    found = await progress_of(await CampaignRun.of(org).filter(id__in=ids))
    return {progress.view.run.campaign_id: progress for progress in found}


def schedule_of(org: Organization, campaign: Campaign) -> str:
    """When the campaign is sent, in words, in the organization's timezone."""
    unit = campaign.recurrence_unit
    return schedule_in_words(
        Times(
            ScheduleType(campaign.schedule_type),
            campaign.anchor_at or campaign.scheduled_at,
            campaign.recurrence_interval,
            RecurrenceUnit(unit) if unit else None,
            org.timezone,
        )
    )
