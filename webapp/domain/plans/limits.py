"""Plan limits, counted in the transaction of the write, so that concurrent writes never exceed one together.

What rows can be counted for has a counter only while a plan limits it: the first write or a plan change counts the
rows, later ones add to it. The counter's row is the lock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from webapp import clock
from webapp.domain.plans.plans import MEGABYTE, Plan, plan_named, plan_table
from webapp.errors import PlanLimitExceeded
from webapp.models import Organization, usage
from webapp.models.usage import MONTHLY, Metric, month_of

# Counted from existing rows.
LASTING = (*(Metric.ACCOUNTS, Metric.CONTACTS, Metric.SUPPRESSIONS, Metric.TEMPLATES, Metric.WEBHOOKS), Metric.MEDIA)
# Always counted, because rows are deleted while the use stays.
COUNTED_ALWAYS = (Metric.CAMPAIGNS,)
WORDS = {
    Metric.ACCOUNTS: "sending accounts",
    Metric.CONTACTS: "contacts",
    Metric.TEMPLATES: "templates",
    Metric.SUPPRESSIONS: "suppressions",
    Metric.WEBHOOKS: "webhooks",
    Metric.MEDIA: "of media",
    Metric.CAMPAIGNS: "campaigns per month",
    Metric.EMAILS: "recipients per month",
    Metric.API_REQUESTS: "API requests per month",
}
# By the flag of a plan.
FEATURES = {"allow_automation": "recurring campaigns", "allow_google_sheet_sync": "Google Sheet sync"}


A_MONTH_AND_SOME = timedelta(days=32)  # after the first of a month is in the next month
NEAR = 80  # per cent
COUNT_EVERY = timedelta(minutes=1)  # for mail without limit, counted from millions of rows
_mail: dict[UUID, tuple[int, datetime]] = {}  # by organization, with the time of the count


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


def start_of_month(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def next_month() -> datetime:
    return start_of_month(start_of_month(clock.now()) + A_MONTH_AND_SOME)


async def consume(org: Organization, metric: Metric, count: int = 1, *, is_bounded: bool = True) -> None:
    """Counts `count` more in the transaction that creates them. Raises PlanLimitExceeded if `is_bounded`."""
    plan = await _plan_of(org)
    maximum: int | None = getattr(plan, metric)
    if maximum is None and metric not in COUNTED_ALWAYS:
        return
    period = await _open_counter(org, metric)
    if not await usage.add_use(org.id, metric, period, count, maximum if is_bounded else None):
        raise exceeded(plan, metric, await usage.used_of(org.id, metric, period) or 0)


async def check(org: Organization, metric: Metric, count: int) -> None:
    """Raises PlanLimitExceeded if `count` more would exceed the plan; counts nothing."""
    plan = plan_named(org.plan)
    maximum: int | None = getattr(plan, metric)
    if maximum is not None and (used := await used_now(org, plan, metric)) + count > maximum:
        raise exceeded(plan, metric, used)


async def release(org: Organization, metric: Metric, count: int = 1) -> None:
    """Counts `count` less, in the transaction that then deletes them."""
    if getattr(await _plan_of(org), metric) is not None:
        period = await _open_counter(org, metric)
        await usage.add_use(org.id, metric, period, -count, None)


async def used_now(org: Organization, plan: Plan, metric: Metric, counters: Mapping[str, int] | None = None) -> int:
    """Reads the counter unless all are given."""
    start = start_of_month(clock.now()) if metric in MONTHLY else None
    period = month_of(start) if start else ""
    is_counted = metric in COUNTED_ALWAYS or getattr(plan, metric) is not None
    used = None
    if is_counted or metric is Metric.API_REQUESTS:
        used = await usage.used_of(org.id, metric, period) if counters is None else counters.get(metric)
    if used is None and metric is not Metric.API_REQUESTS:
        return await usage.count_rows(org.id, metric, start)
    return used or 0


async def plan_use(org: Organization) -> tuple[Plan, list[Use]]:
    """API requests are at most a second old, mail without limit a minute."""
    plan, counters = await _plan_of(org), await usage.uses_of(org.id, month_of(clock.now()))
    return plan, [Use(metric, await _used(org, plan, metric, counters), getattr(plan, metric)) for metric in Metric]


async def limits_near(org: Organization) -> list[Use]:
    plan = await _plan_of(org)
    limited = [metric for metric in Metric if getattr(plan, metric) is not None]
    uses = [Use(metric, await used_now(org, plan, metric), getattr(plan, metric)) for metric in limited]
    return [use for use in uses if use.is_near]


async def _used(org: Organization, plan: Plan, metric: Metric, counters: Mapping[str, int]) -> int:
    if metric is not Metric.EMAILS or plan.monthly_email_quota is not None:
        return await used_now(org, plan, metric, counters)
    used, read_at = _mail.get(org.id, (0, None))
    if read_at is None or read_at <= clock.now() - COUNT_EVERY:
        used, _ = _mail[org.id] = await used_now(org, plan, metric, counters), clock.now()
    return used


async def require(org: Organization, feature: str) -> None:
    """Raises PlanLimitExceeded unless the plan includes a feature; call it in a transaction."""
    plan = await _plan_of(org)
    if not getattr(plan, feature):
        raise PlanLimitExceeded(f"the {plan.name} plan does not include {FEATURES[feature]}", "", feature, None, None)


async def recount(org: Organization) -> None:
    """Restarts the counters after a plan change, in its transaction."""
    plan = await _plan_of(org)
    for metric in LASTING:
        await usage.drop_counter(org.id, metric)
        if getattr(plan, metric) is not None:
            await _open_counter(org, metric)  # now, because a refused write would roll it back
    await _raise_mail(org.id, start_of_month(clock.now()))


async def sync_counters() -> None:
    """At the start, drops counters of unlimited plans and raises those of the month's mail."""
    for metric in LASTING:
        unlimited = [plan.name for plan in plan_table().values() if getattr(plan, metric) is None]
        await usage.drop_counters_on(unlimited, metric)
    start = start_of_month(clock.now())
    limited = [plan.name for plan in plan_table().values() if plan.monthly_email_quota is not None]
    for org_id in await usage.counted_on(limited, Metric.EMAILS, month_of(start)):
        await _raise_mail(org_id, start)


async def _raise_mail(org_id: UUID, start: datetime) -> None:
    """Never lowers the counter, because rows are pruned."""
    used = await usage.count_rows(org_id, Metric.EMAILS, start)
    await usage.raise_to_at_least(org_id, Metric.EMAILS, month_of(start), used)


async def _plan_of(org: Organization) -> Plan:
    return plan_named(await org.locked_plan())


async def _open_counter(org: Organization, metric: Metric) -> str:
    start = start_of_month(clock.now()) if metric in MONTHLY else None
    period = month_of(start) if start else ""
    if await usage.used_of(org.id, metric, period) is None:
        await usage.open_counter(org.id, metric, period, await usage.count_rows(org.id, metric, start))
    return period


def exceeded(plan: Plan, metric: Metric, used: int) -> PlanLimitExceeded:
    maximum: int = getattr(plan, metric)
    allowed, taken = (_megabytes(maximum), _megabytes(used)) if metric.is_bytes else (f"{maximum:,}", f"{used:,}")
    about, rest = f"the {plan.name} plan allows {allowed} {WORDS[metric]}", f", and {taken} are used"
    return PlanLimitExceeded(about, rest, metric, maximum, used)


def _megabytes(count: int) -> str:
    return f"{count / MEGABYTE:,.1f} MB"
