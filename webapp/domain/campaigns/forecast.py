"""Forecasts a send: accounts send until their daily quota is used up, the rest waits for the next midnight."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.accounts.accounts import use_today
from webapp.models import Account, Organization
from webapp.models.outbox.pace import Pace

CONNECTION_PER_SECOND = 1.0  # messages, which nearly every server accepts
SANDBOX_PER_SECOND = 200.0
MOST_DAYS = 366
WEEK = timedelta(days=6)  # within it, weekday names are unambiguous


@dataclass(frozen=True)
class Capacity:
    """Recipients a day (None: unlimited), recipients used on the first day, messages per second."""

    limit: int | None
    used: int
    per_second: float


async def load_capacities(
    org: Organization, accounts: Sequence[Account], starts_at: datetime, per_second: float | None = None
) -> list[Capacity]:
    """`per_second` is the measured rate of all accounts together."""
    share = per_second / len(accounts) if per_second and accounts else None
    capacities = []
    for use in await use_today(org, accounts, starts_at):
        account, limit = use.account, use.account.daily_mail_limit
        rate = SANDBOX_PER_SECOND if account.is_sandbox else account.concurrency * CONNECTION_PER_SECOND
        if account.max_per_minute is not None:
            rate = min(rate, 1 / Pace.of(account.max_per_minute).seconds)
        capacities.append(Capacity(None if account.is_sandbox else limit, limit - use.remaining_today, share or rate))
    return capacities


@dataclass(frozen=True)
class Forecast:
    """`a_day` is None if an account has no limit, `ends_at` if it is beyond MOST_DAYS."""

    recipients: int
    a_day: int | None
    days: tuple[int, ...]  # recipients on each
    ends_at: datetime | None
    timezone: str

    @property
    def deferred(self) -> int:
        return self.recipients - (self.days[0] if self.days else 0)


def forecast(recipients: int, accounts: Sequence[Capacity], starts_at: datetime, timezone: str) -> Forecast:
    limits = [account.limit for account in accounts]
    a_day = None if None in limits else sum(limit for limit in limits if limit is not None)
    days: list[int] = []
    left, at, ends_at = recipients, starts_at, starts_at if not recipients else None
    while left and accounts and len(days) < MOST_DAYS:
        midnight = clock.next_day(timezone, at)
        capacities = []
        for account in accounts:
            able = int(account.per_second * (midnight - at).total_seconds())
            if account.limit is not None:
                able = min(able, max(account.limit - (0 if days else account.used), 0))
            capacities.append(able)
        count = min(left, sum(capacities))
        days.append(count)
        left -= count
        if not left:
            ends_at = at + timedelta(seconds=_seconds(count, list(zip(capacities, accounts, strict=True))))
        at = midnight
    return Forecast(recipients, a_day, tuple(days), ends_at, timezone)


def _seconds(count: float, capacities: Sequence[tuple[int, Capacity]]) -> float:
    passed, pace = 0.0, sum(account.per_second for _, account in capacities)
    for until, speed in sorted((left / account.per_second, account.per_second) for left, account in capacities):
        if count <= pace * (until - passed):
            return passed + count / pace
        count -= pace * (until - passed)
        passed, pace = until, pace - speed
    return passed


def forecast_text(forecast: Forecast, now: datetime) -> str:
    limit = "" if forecast.a_day is None else f"Your daily limit is {forecast.a_day:,}, so "
    if forecast.ends_at is None:
        return f"more than a year from now. {limit}{forecast.deferred:,} will go out on later days"
    end, more = day_and_time(forecast.ends_at, now, forecast.timezone), len(forecast.days) - 1
    later = f"{forecast.deferred:,} will go out {'the next day' if more == 1 else f'over the next {more:,} days'}"
    return f"{end}. {limit}{later}" if forecast.deferred else end


def day_and_time(at: datetime, now: datetime, timezone: str) -> str:
    local, today = at.astimezone(ZoneInfo(timezone)), clock.today(timezone, now)
    day = local.date()
    if day == today:
        word = "today"
    elif day == today + timedelta(days=1):
        word = "tomorrow"
    else:
        word = f"{local:%A}" if day - today <= WEEK else f"{local.day} {local:%b %Y}"
    return f"{word}, about {local:%H:%M}"
