"""The look at a campaign before it is sent: who gets what by which accounts, what is wrong, when it will be done."""

from dataclasses import dataclass
from datetime import datetime

from webapp import clock
from webapp.config import settings
from webapp.domain.campaigns.account_throughput import capacities_of
from webapp.domain.campaigns.audience import count_recipients
from webapp.domain.campaigns.forecast import Forecast, forecast
from webapp.domain.campaigns.preview import Preview, fault_in_words, preview_of
from webapp.domain.campaigns.review_checks import Facts, Finding, findings
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.domain.plans.plans import plan_named
from webapp.errors import ValidationError
from webapp.models import Account, Campaign, Organization, Segment, Template
from webapp.models.account import AccountStatus
from webapp.models.queries.missing_values import MissingValues, count_missing

LOOKED_AT = 20_000  # members, for values that are missing


@dataclass(frozen=True)
class Review:
    """A campaign with all that it is made of; `forecast` is missing where nothing can be sent."""

    campaign: Campaign
    segment: Segment | None
    template: Template | None
    facts: Facts
    findings: list[Finding]
    forecast: Forecast | None

    @property
    def recipients(self) -> int:
        """How many contacts it is for now."""
        return self.facts.recipients

    @property
    def can_go(self) -> bool:
        """Whether nothing keeps it from being sent."""
        return all(finding.kind != "bad" for finding in self.findings)


async def review_campaign(org: Organization, campaign: Campaign) -> Review:
    """All of it; the members are counted, and LOOKED_AT of them looked at for missing values."""
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    template = await Template.of(org).get_or_none(id=campaign.template_id) if campaign.template_id else None
    facts = await _facts(org, campaign, template)
    return Review(campaign, segment, template, facts, findings(facts), await _forecast(org, facts))


async def _facts(org: Organization, campaign: Campaign, template: Template | None) -> Facts:
    preview, fault = await _preview(org, campaign, template)
    plan = plan_named(await org.locked_plan())
    accounts, quota_left = await chosen_accounts(org, campaign), None
    if plan.monthly_email_quota is not None and not (accounts and all(one.is_sandbox for one in accounts)):
        quota_left = max(plan.monthly_email_quota - await limits.used_now(org, plan, Metric.EMAILS), 0)
    return Facts(
        campaign=campaign,
        recipients=await count_recipients(campaign),
        accounts=accounts,
        preview=preview,
        fault=fault,
        gaps=await _gaps(campaign, preview),
        plan=plan,
        quota_left=quota_left,
        base_url=settings().base_url,
    )


async def _preview(
    org: Organization, campaign: Campaign, template: Template | None
) -> tuple[Preview | None, str | None]:
    """The mail, or what is wrong with the template in words."""
    if template is None:
        return None, None
    try:
        return await preview_of(org, campaign, template), None
    except ValidationError as error:
        return None, fault_in_words(error)


async def chosen_accounts(org: Organization, campaign: Campaign) -> list[Account]:
    """The accounts that may pull the campaign, well or not: those it names, else all but the sandbox and the paused."""
    stored = campaign.sender_account_ids
    if stored is not None:
        return await Account.of(org).filter(id__in=stored).order_by("id")
    return await Account.of(org).filter(is_sandbox=False).exclude(status=AccountStatus.PAUSED).order_by("id")


async def _gaps(campaign: Campaign, preview: Preview | None) -> MissingValues | None:
    if preview is None or not preview.needs or campaign.segment_id is None:
        return None
    return await count_missing(campaign.segment_id, preview.needs, LOOKED_AT)


async def _forecast(org: Organization, facts: Facts) -> Forecast | None:
    if not facts.senders or not facts.recipients:
        return None
    starts_at = starts(facts.campaign)
    return forecast(facts.recipients, await capacities_of(org, facts.senders, starts_at), starts_at, org.timezone)


def starts(campaign: Campaign) -> datetime:
    """When it is sent first: at its own time where that lies ahead, else now."""
    now = clock.now()
    return max(campaign.scheduled_at or now, now)


def check(review: Review) -> None:
    """Raise ValidationError for the first thing that keeps a campaign from being sent."""
    for finding in review.findings:
        if finding.kind == "bad":
            raise ValidationError(finding.text)
