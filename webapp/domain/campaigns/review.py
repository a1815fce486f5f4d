"""The review of a campaign before it is sent: recipients, accounts, checks, forecast."""

from dataclasses import dataclass
from datetime import datetime

from webapp import clock
from webapp.config import settings
from webapp.domain.campaigns.account_throughput import load_capacities
from webapp.domain.campaigns.audience import count_recipients
from webapp.domain.campaigns.forecast import Forecast, forecast
from webapp.domain.campaigns.preview import CampaignPreview, fault_text, preview_campaign
from webapp.domain.campaigns.review_checks import Check, CheckInput, run_checks
from webapp.domain.plans import limits
from webapp.domain.plans.plans import plan_named
from webapp.errors import ValidationError
from webapp.models import Account, Campaign, Organization, Segment, Template
from webapp.models.account import AccountStatus
from webapp.models.queries.missing_values import MissingValues, count_missing
from webapp.models.usage import Metric

MEMBERS_EXAMINED = 20_000  # for missing values


@dataclass(frozen=True)
class Review:
    campaign: Campaign
    segment: Segment | None
    template: Template | None
    given: CheckInput
    checks: list[Check]
    forecast: Forecast | None

    @property
    def recipients(self) -> int:
        return self.given.recipients

    @property
    def can_go(self) -> bool:
        return all(check.kind != "bad" for check in self.checks)


async def review_campaign(org: Organization, campaign: Campaign) -> Review:
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    template = await Template.of(org).get_or_none(id=campaign.template_id) if campaign.template_id else None
    given = await _facts(org, campaign, template)
    return Review(campaign, segment, template, given, run_checks(given), await _forecast(org, given))


async def _facts(org: Organization, campaign: Campaign, template: Template | None) -> CheckInput:
    preview, fault = await _preview(org, campaign, template)
    plan = plan_named(await org.locked_plan())
    accounts, quota_left = await chosen_accounts(org, campaign), None
    if plan.monthly_email_quota is not None and not (accounts and all(one.is_sandbox for one in accounts)):
        quota_left = max(plan.monthly_email_quota - await limits.used_now(org, plan, Metric.EMAILS), 0)
    return CheckInput(
        campaign=campaign,
        recipients=await count_recipients(campaign),
        accounts=accounts,
        preview=preview,
        fault=fault,
        missing=await _count_missing(campaign, preview),
        plan=plan,
        quota_left=quota_left,
        base_url=settings().base_url,
    )


async def _preview(
    org: Organization, campaign: Campaign, template: Template | None
) -> tuple[CampaignPreview | None, str | None]:
    if template is None:
        return None, None
    try:
        return await preview_campaign(org, campaign, template), None
    except ValidationError as error:
        return None, fault_text(error)


async def chosen_accounts(org: Organization, campaign: Campaign) -> list[Account]:
    """The accounts that the campaign names, else all but the sandbox and the paused; in any state."""
    stored = campaign.sender_account_ids
    if stored is not None:
        return await Account.of(org).filter(id__in=stored).order_by("id")
    return await Account.of(org).filter(is_sandbox=False).exclude(status=AccountStatus.PAUSED).order_by("id")


async def _count_missing(campaign: Campaign, preview: CampaignPreview | None) -> MissingValues | None:
    if preview is None or not preview.needs or campaign.segment_id is None:
        return None
    return await count_missing(campaign.segment_id, preview.needs, MEMBERS_EXAMINED)


async def _forecast(org: Organization, given: CheckInput) -> Forecast | None:
    if not given.senders or not given.recipients:
        return None
    starts_at = start_time(given.campaign)
    return forecast(given.recipients, await load_capacities(org, given.senders, starts_at), starts_at, org.timezone)


def start_time(campaign: Campaign) -> datetime:
    now = clock.now()
    return max(campaign.scheduled_at or now, now)


def require_sendable(review: Review) -> None:
    """Raises ValidationError for the first check that fails."""
    for check in review.checks:
        if check.kind == "bad":
            raise ValidationError(check.text)
