"""Campaign runs, their audiences and the counts of their rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.config import ShareLimit, settings
from webapp.domain.accounts.selection import campaign_accounts
from webapp.domain.campaigns.inputs import NewSend
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.errors import Conflict, NotFound, ValidationError
from webapp.models import Campaign, CampaignRun, CampaignRunAccount, Organization, Segment
from webapp.models.campaign import CampaignStatus
from webapp.models.mail_log import SENT, MailStatus
from webapp.models.outbox import runs as outbox_runs
from webapp.models.outbox.audience_counts import count_parts, count_whole
from webapp.models.queries.contacts.segment_filter import resolve_days
from webapp.queue import Job, enqueue

FEW = 10_000  # rows in one status are counted for a page
RUNS_AT_ONCE = 5_000
DECISIVE = ("status", "segment_id", "template_id", "topic_id", "exclude_segment_ids", "schedule_type", "last_run_at")
CHANGED = "the campaign was changed or sent while its audience was counted; try again"

finish_runs = outbox_runs.finish_runs


@dataclass(frozen=True)
class RunView:
    run: CampaignRun
    counts: Mapping[str, int]


async def list_runs(org: Organization, campaign: Campaign, page: Page) -> Listed[RunView]:
    listed = await fetch_runs(org, campaign, page)
    return Listed(await with_counts(listed.rows), page, listed.total)


async def fetch_runs(org: Organization, campaign: Campaign, page: Page) -> Listed[CampaignRun]:
    return await fetch_page(CampaignRun.of(org).filter(campaign_id=campaign.id).order_by("-id"), page)


async def fetch_run(org: Organization, campaign_id: UUID | str, run_id: UUID | str) -> CampaignRun:
    """Raises NotFound."""
    campaign, run = await Campaign.one_of(org, campaign_id), await CampaignRun.one_of(org, run_id)
    if run.campaign_id != campaign.id:
        raise NotFound
    return run


async def with_counts(runs: Sequence[CampaignRun], few: int | None = None) -> list[RunView]:
    """Includes pruned rows; does not read the rows of ended runs.

    Leaves out runs with more than `few` rows in one status, because counting them is slow.
    """
    moving = [run.id for run in runs if run.ended_counts is None]
    counted = await outbox_runs.count_rows(moving, few and few + 1) if moving else {}
    views = []
    for run in runs:
        counts = counted.get(run.id, {})
        if few is None or max(counts.values(), default=0) <= few:
            saved = (run.frozen_counts if run.ended_counts is None else run.ended_counts) or {}
            views.append(RunView(run, {status: counts.get(status, 0) + saved.get(status, 0) for status in MailStatus}))
    return views


async def keep_counts(seconds: float = inf) -> None:
    """Saves the counts of ended runs, newest first, for at most `seconds`."""
    until = clock.elapsed() + seconds
    for run_id in await outbox_runs.ended_uncounted(RUNS_AT_ONCE):
        if clock.elapsed() >= until:
            return
        await outbox_runs.save_counts(run_id)


async def draft_run(
    org: Organization, campaign: Campaign, *, are_new: bool = True, are_unreached: bool = False
) -> CampaignRun:
    """An unsaved run for the campaign's segment, or with `are_new` for members it did not reach before.

    A filter is copied as it is at the start, so that every batch of rows uses the same one.
    """
    now = clock.now()
    run = CampaignRun(org_id=org.id, campaign_id=campaign.id, segment_id=campaign.segment_id, started_at=now)
    run.topic_id = campaign.topic_id
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    if segment is not None and (segment.is_dynamic or are_unreached):
        run.segment_filter = resolve_days(segment.membership_filter, org.timezone, now)
        if are_unreached:
            unreached = {"field": "campaign", "op": "not_reached", "value": str(campaign.id)}
            run.segment_filter = {"and": [run.segment_filter, unreached]}
    if are_new and campaign.is_for_new_members:
        run.joined_after = campaign.created_at
    await _set_exclusions(org, campaign, run)
    return run


async def _set_exclusions(org: Organization, campaign: Campaign, run: CampaignRun) -> None:
    """Sets the segments whose members get nothing; filters are copied as they are at the start."""
    excluded = await list_excluded(org, campaign)
    filters = [segment.membership_filter for segment in excluded if segment.is_dynamic]
    dynamic = {str(segment.id) for segment in excluded if segment.is_dynamic}
    run.exclude_segment_ids = [segment_id for segment_id in campaign.exclude_segment_ids if segment_id not in dynamic]
    if filters:
        run.exclude_filter = resolve_days({"or": filters}, org.timezone, run.started_at or clock.now())


async def list_excluded(org: Organization, campaign: Campaign) -> list[Segment]:
    if not campaign.exclude_segment_ids:
        return []
    return await Segment.of(org).filter(id__in=campaign.exclude_segment_ids).order_by("name_key", "id")


def is_for_new(run: CampaignRun) -> bool:
    """True if the run only sends to contacts that its campaign had not reached."""
    # Runs of earlier versions have `not_got`.
    excluding = [{"field": "campaign", "op": op, "value": str(run.campaign_id)} for op in ("not_reached", "not_got")]
    conditions = (run.segment_filter or {}).get("and", ())
    return run.joined_after is not None or any(condition in excluding for condition in conditions)


async def count_reached(org: Organization, campaign: Campaign) -> int:
    """Contacts of the audience that got, or may still get, mail of an earlier run."""
    if campaign.last_run_at is None or campaign.segment_id is None:
        return 0
    run = await draft_run(org, campaign, are_new=False)
    return (await count_whole(run, is_detailed=True)).reached


@dataclass(frozen=True)
class Audience:
    """An unsaved run whose `expected` recipients were counted before its transaction; None if it cannot start.

    Counting may read all contacts and take seconds, while the transaction holds locks (on SQLite of all writers). Later
    changes of contacts are settled with the plan's quota when rows are created (run_rows.py).
    """

    campaign_state: tuple[Any, ...]
    run: CampaignRun | None = None
    excluded: int = 0
    reached_before: int = 0

    def current_run(self, campaign: Campaign) -> CampaignRun:
        """Raises Conflict if the locked campaign has changed since its audience was counted."""
        if self.campaign_state != _state_of(campaign) or self.run is None:
            raise Conflict(CHANGED)
        return self.run


def _state_of(campaign: Campaign) -> tuple[Any, ...]:
    return tuple(getattr(campaign, name) for name in DECISIVE)


async def _can_start(org: Organization, campaign: Campaign, account_ids: Sequence[UUID] | None) -> bool:
    if campaign.status in (CampaignStatus.SENDING, CampaignStatus.HALTED):
        return False
    try:
        await campaign_accounts(org, account_ids, campaign.from_email)
    except ValidationError:
        return False
    return campaign.segment_id is not None and campaign.template_id is not None


async def count_send(org: Organization, data: NewSend, campaign: Campaign) -> tuple[NewSend, Audience]:
    """Counts the audience in the organization's share of slow reads."""
    if not data.send_now or not await _can_start(org, campaign, data.sender_account_ids):
        return data, Audience(_state_of(campaign))
    state, are_new = _state_of(campaign), data.audience == "new"
    async with db.searching(org.id):
        run = await draft_run(org, campaign, are_new=False, are_unreached=are_new)
        reached = 0 if are_new else await count_reached(org, campaign)
        return data, await _counted(run, state, reached_before=reached)


async def count_scheduled(org: Organization, campaign: Campaign) -> Audience:
    state = _state_of(campaign)
    if not await _can_start(org, campaign, campaign.named_accounts):
        return Audience(state)
    async with db.searching(org.id):
        return await _counted(await draft_run(org, campaign), state)


async def count_retry(org: Organization, campaign: Campaign, failed_in: CampaignRun, key: str) -> Audience:
    state = _state_of(campaign)
    async with db.searching(org.id):
        return await _counted(await draft_retry(org, campaign, failed_in, key), state)


async def draft_retry(org: Organization, campaign: Campaign, failed_in: CampaignRun, key: str) -> CampaignRun:
    """An unsaved run for the failed recipients of a run that can be retried, or only for the row that the key names."""
    run = CampaignRun(org_id=org.id, campaign_id=campaign.id, started_at=clock.now(), retried_run_id=failed_in.id)
    run.trigger_key, run.topic_id = key, failed_in.topic_id
    await _set_exclusions(org, campaign, run)
    return run


async def _counted(run: CampaignRun, state: tuple[Any, ...], reached_before: int = 0) -> Audience:
    counts = await count_parts(run)
    run.expected = counts.recipients
    return Audience(state, run, counts.excluded, reached_before)


async def wake_accounts(run: CampaignRun) -> None:
    for account_id in await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True):
        enqueue(Job.WAKE, account_id)  # type: ignore[arg-type]  # a flat list holds the column's values


async def passed_limit(run: CampaignRun) -> str | None:
    """The limit that the run has exceeded, as a sentence without its end; None if neither."""
    if await _passes(run.id, run.hard_bounces, settings().bounce_limit):
        return f"{run.hard_bounces:,} sent emails bounced. Check the addresses of the segment"
    if await _passes(run.id, run.complained, settings().complaint_limit):
        return f"{run.complained:,} recipients marked the email as spam. Check the segment's consent"
    return None


async def _passes(run_id: UUID, count: int, limit: ShareLimit) -> bool:
    """True if the count exceeds that share of the sent emails, which are only counted as far as needed."""
    if count <= limit.share * limit.least:
        return False
    enough = int(count / limit.share) + 1
    sent = (await outbox_runs.count_rows([run_id], enough)).get(run_id, {}).get(SENT, 0)
    return limit.least <= sent < enough and count > limit.share * sent
