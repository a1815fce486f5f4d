"""The use of an organization's plan, for its page."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from webapp import clock
from webapp.domain.plans.limits import start_of_month, used_now
from webapp.domain.plans.plans import Plan, plan_named
from webapp.models import Organization
from webapp.models.usage import MONTHLY, Metric

A_MONTH_AND_SOME = timedelta(days=32)  # after the first of a month is in the next month
NEAR = 80  # per cent
COUNT_EVERY = timedelta(minutes=1)  # for mail without limit, counted from millions of rows


@dataclass(frozen=True)
class Use:
    metric: Metric
    used: int
    maximum: int | None

    @property
    def is_monthly(self) -> bool:
        return self.metric in MONTHLY

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 means nothing left; above 100 after a change to a smaller plan."""
        if not self.maximum:
            return 100
        return self.used * 100 // self.maximum

    @property
    def is_near(self) -> bool:
        return self.maximum is not None and self.percent >= NEAR

    @property
    def is_full(self) -> bool:
        return self.maximum is not None and self.used >= self.maximum


@dataclass(frozen=True)
class PlanUse:
    plan: Plan
    uses: list[Use]
    resets_at: datetime


_mail: dict[UUID, tuple[int, datetime]] = {}  # by organization, with the time of the count


async def plan_use(org: Organization) -> PlanUse:
    """API requests are at most a second old, mail without limit a minute."""
    plan = plan_named(await org.locked_plan())
    uses = [Use(metric, await _used(org, plan, metric), getattr(plan, metric)) for metric in Metric]
    return PlanUse(plan, uses, start_of_month(start_of_month(clock.now()) + A_MONTH_AND_SOME))


async def limits_near(org: Organization) -> list[Use]:
    plan = plan_named(await org.locked_plan())
    limited = [metric for metric in Metric if getattr(plan, metric) is not None]
    uses = [Use(metric, await used_now(org, plan, metric), getattr(plan, metric)) for metric in limited]
    return [use for use in uses if use.is_near]


async def _used(org: Organization, plan: Plan, metric: Metric) -> int:
    if metric is not Metric.EMAILS or plan.monthly_email_quota is not None:
        return await used_now(org, plan, metric)
    used, read_at = _mail.get(org.id, (0, None))
    if read_at is None or read_at <= clock.now() - COUNT_EVERY:
        used, _ = _mail[org.id] = await used_now(org, plan, metric), clock.now()
    return used
