"""The review of a campaign before it is sent: recipients, accounts, checks, forecast."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from webapp import clock, db
from webapp.config import settings
from webapp.domain.accounts.selection import default_accounts
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.forecast import Forecast, forecast, load_capacities
from webapp.domain.campaigns.preview import CampaignPreview, fault_text, preview_campaign
from webapp.domain.campaigns.recurrence import first_run
from webapp.domain.campaigns.review_checks import Review, Step
from webapp.domain.campaigns.runs import draft_run, list_excluded, passed_limit
from webapp.domain.contacts.custom_fields import labels_of
from webapp.domain.contacts.search import custom_field_names
from webapp.domain.from_checks.findings import in_words
from webapp.domain.from_checks.from_checks import warnings_about
from webapp.domain.media.attachments import attached_media
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.plans import limits
from webapp.domain.plans.plans import Plan, plan_named
from webapp.domain.templates.brand import find_brand
from webapp.domain.templates.postal_address import has_own_address, has_postal_address
from webapp.errors import ValidationError
from webapp.models import Account, Campaign, CampaignRun, Organization, Segment, Template, Topic
from webapp.models.account import AccountStatus
from webapp.models.campaign import ScheduleType
from webapp.models.outbox.audience_counts import AudienceCounts, count_parts, count_whole, first_unreached
from webapp.models.queries.missing_values import count_missing, field_names
from webapp.models.usage import Metric

SENT_ONCE = (ScheduleType.MANUAL, ScheduleType.SCHEDULED_ONCE)
MEMBERS_EXAMINED = 10_000  # for missing values
MEMBERS_NAMED = 1_000  # for names of custom fields

unreached_members: BackgroundCount[UUID, bool] = BackgroundCount("members whom campaigns have not reached")


async def review_campaign(org: Organization, campaign: Campaign, *, is_for_new: bool = False) -> Review:
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    template = await Template.of(org).get_or_none(id=campaign.template_id) if campaign.template_id else None
    missing, run = None, await draft_run(org, campaign)
    async with db.searching(org.id):
        counts = await _count(campaign, run, is_for_new=is_for_new)
    is_any_new = is_for_new and counts.recipients > 0  # searching for one reads the whole audience again
    preview, fault = await _preview(org, campaign, template, is_for_new=is_any_new)
    known: Collection[str] = ()
    run.joined_after = None  # any member may lack a value
    if preview is not None and (preview.needs or preview.names) and segment is not None:
        async with db.searching(org.id):
            known = await field_names(run, MEMBERS_NAMED)
            fields = {name: _fields_of(name, known) for name in (*preview.needs, *preview.names)}
            if is_any_new or not is_for_new:
                missing = await count_missing(run, fields, MEMBERS_EXAMINED, are_unreached=is_for_new)
        if missing is not None and missing.checked in missing.by_name.values():
            known = {*known, *await custom_field_names(org)}  # a field that only other contacts have is not a typo
    last = await CampaignRun.of(org).filter(campaign_id=campaign.id).order_by("-id").first()
    plan, accounts = plan_named(await org.locked_plan()), await chosen_accounts(org, campaign)
    await Account.fetch_for_list(accounts, "from_check")
    review = Review(
        campaign=campaign,
        counts=counts,
        accounts=accounts,
        preview=preview,
        fault=fault,
        missing=missing,
        attachments=await attached_media(org, campaign.media_ids),
        lacks_address_in=await _lacks_address_in(org, template, preview),
        known=known,
        labels=await labels_of(org) if missing and any(missing.by_name.values()) else {},
        last_trouble=await passed_limit(last) if last is not None else None,
        excluded_segments=await list_excluded(org, campaign),
        plan=plan,
        quota_left=await _quota_left(org, plan, accounts),
        base_url=settings().base_url,
        segment=segment,
        template=template,
        topic=await Topic.of(org).get_or_none(id=campaign.topic_id) if campaign.topic_id else None,
        is_for_new=is_for_new,
        refused={id_: in_words(fault) for id_, fault in warnings_about(accounts).items()},
    )
    return replace(review, forecast=await _forecast(org, review))


async def _preview(
    org: Organization, campaign: Campaign, template: Template | None, *, is_for_new: bool
) -> tuple[CampaignPreview | None, str | None]:
    """The email, or why it cannot be rendered."""
    if template is None:
        return None, None
    try:
        return await preview_campaign(org, campaign, template, is_for_new=is_for_new), None
    except ValidationError as error:
        return None, fault_text(error)


async def _lacks_address_in(org: Organization, template: Template | None, preview: CampaignPreview | None) -> Step:
    """Where to add the sender's postal address, if the email has none."""
    if template is None or preview is None or has_own_address(template.blocks or ()):
        return None
    address = (await find_brand(org)).address
    if not address:
        return "brand"
    return None if await run_in_render_pool(org.id, has_postal_address, preview.mail, address) else "template"


async def has_unreached(org: Organization, campaign: Campaign) -> bool:
    """True if the segment has recipients whom the campaign has not reached, or while that is not known yet."""

    async def find() -> bool:
        run = await draft_run(org, campaign, are_new=False)
        async with db.searching(org.id):
            return await first_unreached(run) is not None

    return campaign.segment_id is not None and await unreached_members.get(campaign.id, find) is not False


async def _count(campaign: Campaign, run: CampaignRun, *, is_for_new: bool) -> AudienceCounts:
    if run.segment_id is None:
        return AudienceCounts()
    was_sent = campaign.last_run_at is not None and campaign.schedule_type in SENT_ONCE
    if is_for_new or was_sent or run.joined_after:
        return await count_whole(run, is_detailed=True, are_unreached=is_for_new)
    return await count_parts(run)


async def _quota_left(org: Organization, plan: Plan, accounts: Collection[Account]) -> int | None:
    """The recipients left in the plan this month; None without a limit or for the sandbox alone."""
    if plan.monthly_email_quota is None or (accounts and all(account.is_sandbox for account in accounts)):
        return None
    return max(plan.monthly_email_quota - await limits.used_now(org, plan, Metric.EMAILS), 0)


async def _forecast(org: Organization, review: Review) -> Forecast | None:
    if not review.senders or not review.counts.recipients:
        return None
    now = clock.now()
    starts_at = max(first_run(review.campaign, org.timezone, now) or now, now)
    capacities = await load_capacities(org, review.senders, starts_at)
    return forecast(review.counts.recipients, capacities, starts_at, org.timezone)


async def chosen_accounts(org: Organization, campaign: Campaign) -> list[Account]:
    stored = campaign.sender_account_ids
    if stored is not None:
        return await Account.of(org).filter(id__in=stored).order_by("id")
    return [account for account in await default_accounts(org) if account.status != AccountStatus.PAUSED]


def _fields_of(name: str, known: Collection[str]) -> list[str]:
    return [name, *(other for other in known if other != name and other.casefold() == name.casefold())]
