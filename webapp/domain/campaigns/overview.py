"""The list of campaigns, and the parts of one: segment, template, accounts, schedule."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from tortoise.queryset import QuerySet

from webapp import db
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.recurrence import schedule_text
from webapp.domain.campaigns.review import chosen_accounts
from webapp.domain.campaigns.run_progress import Progress, progress_of
from webapp.domain.campaigns.runs import draft_run, list_excluded
from webapp.domain.campaigns.totals import Totals, totals_of
from webapp.domain.contacts.search import refresh_counts
from webapp.domain.media.attachments import attached_media, newest_pdfs
from webapp.domain.pagination import Listed, Page, fetch_page, having_text, in_order
from webapp.domain.segments.segments import list_segments
from webapp.domain.topics.topics import all_topics
from webapp.domain.tracking.people import OpensAndClicks, count_totals
from webapp.models import Account, Campaign, CampaignRun, Media, Organization, Segment, Template, Topic
from webapp.models.campaign import CampaignStatus
from webapp.models.campaign_run import newest_runs
from webapp.models.outbox.audience_counts import count_audience, count_choices
from webapp.models.topic import Subscription

SEGMENTS, TEMPLATES, ACCOUNTS, PDFS = 500, 30, 200, 30  # in the wizard's lists
LISTED = ("id", "name", "subject", "variables", "updated_at")  # without the body, which may have megabytes
# Columns to sort by; campaigns that were never sent come first.
COLUMNS = {"title": "LOWER(title)", "created": "id", "last_send": "COALESCE(last_run_at, '1970-01-01 00:00:00+00:00')"}


@dataclass(frozen=True)
class CampaignListItem:
    campaign: Campaign
    segment: Segment | None
    schedule: str
    newest: Progress | None
    totals: Totals | None
    engaged: OpensAndClicks | None  # if its newest run was tracked, and counted


async def list_items(
    org: Organization, status: CampaignStatus | None, page: Page, sort: str, q: str = ""
) -> Listed[CampaignListItem]:
    campaigns = _titled(org, q) if status is None else _titled(org, q).filter(status=status)
    listed = await fetch_page(in_order(campaigns, COLUMNS, sort), page)
    segment_ids = {row.segment_id for row in listed.rows if row.segment_id is not None}
    segments = {row.id: row for row in await Segment.of(org).filter(id__in=list(segment_ids))}
    run_ids = await newest_runs([row.id for row in listed.rows])
    runs = await CampaignRun.of(org).filter(id__in=run_ids)
    # Both wait a moment for slow counts.
    lines, totals, _ = await asyncio.gather(
        progress_of(runs), totals_of(org, listed.rows), refresh_counts(segments.values())
    )
    newest = {progress.run.campaign_id: progress for progress in lines}
    tracked = [campaign_id for campaign_id, progress in newest.items() if any((progress.run.tracking or {}).values())]
    engaged = await count_totals(org, tracked)
    items = [
        CampaignListItem(
            row,
            segments.get(row.segment_id) if row.segment_id else None,
            schedule_text(row, org.timezone),
            newest.get(row.id),
            totals.get(row.id),
            engaged.get(row.id),
        )
        for row in listed.rows
    ]
    return Listed(items, listed.page, listed.total)


def _titled(org: Organization, q: str) -> QuerySet[Campaign]:
    return having_text(Campaign.of(org), q, "title")


async def newest_titled(org: Organization, q: str, limit: int) -> list[Campaign]:
    return await _titled(org, q).order_by("-id").limit(limit)


class CampaignSummary(NamedTuple):
    segment: Segment | None
    template: Template | None
    accounts: list[Account]
    schedule: str
    excluded: Sequence[Segment] = ()
    attachments: Sequence[Media] = ()
    topic: Topic | None = None


async def load_summary(org: Organization, campaign: Campaign) -> CampaignSummary:
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    await refresh_counts([segment] if segment else [])
    template = await Template.of(org).only(*LISTED).get_or_none(id=campaign.template_id)
    accounts, excluded = await chosen_accounts(org, campaign), await list_excluded(org, campaign)
    schedule, attached = schedule_text(campaign, org.timezone), await attached_media(org, campaign.media_ids)
    topic = await Topic.of(org).get_or_none(id=campaign.topic_id) if campaign.topic_id else None
    return CampaignSummary(segment, template, accounts, schedule, excluded, attached, topic)


async def segment_options(org: Organization, search: str, chosen: Iterable[UUID]) -> list[Segment]:
    segments: list[Segment] = (await list_segments(org, Page(size=SEGMENTS), search)).rows
    others = set(chosen) - {segment.id for segment in segments}
    if others:
        segments = [*await Segment.of(org).filter(id__in=list(others)).order_by("name_key", "id"), *segments]
    await refresh_counts(segments)
    return segments


class TopicOption(NamedTuple):
    """A topic, and how many of `all` recipients of a segment get mail about it, once they are counted."""

    topic: Topic
    recipients: int | None = None
    all: int | None = None


topic_counts: BackgroundCount[UUID, tuple[int, Mapping[UUID, Mapping[str, int]]]] = BackgroundCount("choices of topics")


async def topic_options(org: Organization, segment: Segment | None) -> list[TopicOption]:
    topics = await all_topics(org)
    if not topics or segment is None:
        return [TopicOption(topic) for topic in topics]
    run = await draft_run(org, Campaign(org_id=org.id, segment_id=segment.id))

    async def count() -> tuple[int, Mapping[UUID, Mapping[str, int]]]:
        async with db.searching(org.id):
            return await count_audience(run), await count_choices(run)

    counted = await topic_counts.get(segment.id, count)
    if counted is None:
        return [TopicOption(topic) for topic in topics]
    recipients, choices = counted
    return [TopicOption(topic, _of_topic(topic, recipients, choices.get(topic.id, {})), recipients) for topic in topics]


def _of_topic(topic: Topic, recipients: int, choices: Mapping[str, int]) -> int:
    if topic.default_subscription == Subscription.OPT_IN:
        return recipients - choices.get(Subscription.OPT_OUT, 0)
    return choices.get(Subscription.OPT_IN, 0)


async def template_options(org: Organization, search: str, chosen: UUID | None) -> list[Template]:
    """The chosen one, then the newest others that match."""
    rows = Template.of(org).only(*LISTED).order_by("-id")
    templates = await having_text(rows, search, "name").limit(TEMPLATES)
    if chosen is None:
        return templates
    picked = [template for template in templates if template.id == chosen] or await rows.filter(id=chosen)
    return [*picked, *(template for template in templates if template.id != chosen)]


async def pdf_options(org: Organization, chosen: Sequence[str]) -> list[Media]:
    """Those chosen, then the newest others."""
    files = await attached_media(org, chosen)
    return [*files, *(media for media in await newest_pdfs(org, PDFS) if media not in files)]


async def account_options(org: Organization) -> list[Account]:
    return await Account.of(org).order_by("is_sandbox", "id").limit(ACCOUNTS)
