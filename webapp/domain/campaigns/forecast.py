"""Forecasts a send: accounts send as far as their allowances go, and what is left waits for the next ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.accounts.today import AccountToday, use_today
from webapp.models import Account, Organization
from webapp.models.outbox.allowance import DayRules
from webapp.models.outbox.pace import PACES
from webapp.models.outbox.ramp import Ramp
from webapp.models.outbox.send_window import SendWindow

CONNECTION_PER_SECOND = 1.0  # messages, which nearly every server accepts
SANDBOX_PER_SECOND = 200.0
UNLIMITED = 10**12  # recipients a day
MOST_DAYS = 366
# Fewer days with many accounts, because a day of one takes the event loop: 0.05 ms, with a window four times as long.
MOST_UNITS, WINDOW_UNITS = 8_000, 4
WEEK = timedelta(days=6)  # within it, weekday names are unambiguous


@dataclass(frozen=True)
class Capacity:
    """Recipients on the first day (None: unlimited), those used of them, messages per second, and further rules."""

    limit: int | None
    used: int
    per_second: float
    reserve: int = 0
    window: SendWindow | None = None
    ramp: Ramp | None = None
    most: int = UNLIMITED  # recipients on any day

    def rules(self, next_day: datetime) -> DayRules:
        limit = UNLIMITED if self.limit is None else self.limit
        return DayRules(next_day, min(limit, self.most), self.used, reserve=self.reserve, window=self.window)

    def after(self, sent: int) -> "Capacity":
        return replace(self, used=self.used + sent)

    def tomorrow(self) -> "Capacity":
        limit = self.limit if self.limit is None or self.ramp is None else self.ramp.grown(self.limit)
        return replace(self, used=0, limit=limit)


async def load_capacities(
    org: Organization, accounts: Sequence[Account], starts_at: datetime, per_second: float | None = None
) -> list[Capacity]:
    """`per_second` is the measured rate of all accounts together."""
    share = per_second / len(accounts) if per_second and accounts else None
    return [_capacity(use, share) for use in await use_today(org, accounts, starts_at)]


def _capacity(use: AccountToday, measured: float | None) -> Capacity:
    account, rules = use.account, use.rules
    rate = SANDBOX_PER_SECOND if account.is_sandbox else account.concurrency * CONNECTION_PER_SECOND
    paces = [1 / pace.pace_of(most).seconds for pace in PACES if (most := getattr(account, pace.name)) is not None]
    return Capacity(
        None if account.is_sandbox else rules.limit,
        rules.limit - rules.left,
        measured or min([rate, *paces]),
        rules.reserve,
        rules.window,
        None if account.ramp is None else Ramp.of(account.ramp),
        UNLIMITED if account.is_sandbox else rules.daily_limit,
    )


@dataclass(frozen=True)
class Forecast:
    """`a_day` is None if an account has no limit, `ends_at` if it is beyond the days that were forecast."""

    recipients: int
    a_day: int | None
    days: tuple[int, ...]  # recipients on each
    ends_at: datetime | None
    timezone: str
    bounds: tuple[str, ...] = ()  # what else than daily limits keeps the accounts back

    @property
    def deferred(self) -> int:
        return self.recipients - (self.days[0] if self.days else 0)


def forecast(
    recipients: int, accounts: Sequence[Capacity], starts_at: datetime, timezone: str, *, is_campaign: bool = True
) -> Forecast:
    limits = [account.limit for account in accounts]
    a_day = None if None in limits else sum(limit for limit in limits if limit is not None)
    days: list[int] = []
    left, at, ends_at = recipients, starts_at, starts_at if not recipients else None
    units = sum(1 if account.window is None else WINDOW_UNITS for account in accounts)
    today, most_days = list(accounts), min(MOST_DAYS, max(MOST_UNITS // max(units, 1), 1))
    while left and accounts and len(days) < most_days:
        midnight = clock.next_day(timezone, at)
        sent, ends_at = _send_day(left, today, at, midnight, is_campaign=is_campaign)
        days.append(sent)
        left, at, today = left - sent, midnight, [account.tomorrow() for account in today]
    return Forecast(recipients, a_day, tuple(days), ends_at, timezone, _bounds(accounts))


def _send_day(
    recipients: int, accounts: Sequence[Capacity], at: datetime, midnight: datetime, *, is_campaign: bool
) -> tuple[int, datetime | None]:
    """The recipients until midnight, and when all have been sent to."""
    spells = [spell for account in accounts for spell in _spells_of(account, at, midnight, is_campaign=is_campaign)]
    able = sum(spell.recipients for spell in spells)
    if recipients > able:
        return able, None
    return recipients, at + timedelta(seconds=_seconds(recipients, spells))


class _Spell(NamedTuple):
    """The recipients that an account may send to from `begins` (seconds) on, without a pause."""

    begins: float
    recipients: int
    per_second: float


def _spells_of(account: Capacity, starts_at: datetime, midnight: datetime, *, is_campaign: bool) -> Iterator[_Spell]:
    """From one change of its allowance to the next."""
    at = starts_at
    while at < midnight:
        allowed = account.rules(midnight).allowance(at, is_campaign=is_campaign)
        able = min(int(account.per_second * (allowed.until - at).total_seconds()), allowed.recipients)
        yield _Spell((at - starts_at).total_seconds(), able, account.per_second)
        account, at = account.after(able), allowed.until


def _bounds(accounts: Sequence[Capacity]) -> tuple[str, ...]:
    bounds = {
        "the sending window": any(account.window for account in accounts),
        "the ramp": any(account.ramp for account in accounts),
        "the reserve for transactional email": any(account.reserve for account in accounts),
    }
    return tuple(words for words, is_set in bounds.items() if is_set)


def _seconds(count: float, spells: Sequence[_Spell]) -> float:
    """When so many have been sent to."""
    changes = [(spell.begins, spell.per_second) for spell in spells if spell.recipients]
    changes += [
        (spell.begins + spell.recipients / spell.per_second, -spell.per_second) for spell in spells if spell.recipients
    ]
    passed, pace = 0.0, 0.0
    for at, change in sorted(changes):
        if pace > 0 and count <= pace * (at - passed):
            return passed + max(count, 0.0) / pace
        count -= pace * (at - passed)
        passed, pace = at, pace + change
    return passed


def forecast_text(forecast: Forecast, now: datetime) -> str:
    limit = "" if forecast.a_day is None else f"Your daily limit is {forecast.a_day:,}, so "
    if forecast.bounds:
        limit = f"Because of {' and '.join(forecast.bounds)}, "
    if forecast.ends_at is None:
        days = len(forecast.days)
        after = "a year" if days == MOST_DAYS else "1 day" if days == 1 else f"{days:,} days"
        return f"more than {after} from now. {limit}{forecast.deferred:,} will go out on later days"
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
