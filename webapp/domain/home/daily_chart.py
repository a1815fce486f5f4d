"""Mail per day in the organization's timezone, counted by workers; pages only count days with few rows."""

from dataclasses import dataclass
from datetime import date, timedelta
from math import inf

from webapp import clock
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import MailDay, Organization
from webapp.models.outbox import day_statistics
from webapp.models.outbox.day_statistics import DAYS, Counted, Day, Outcomes

FEW = 1_000  # rows per status that a page counts for a day
LAG = timedelta(minutes=10)  # after midnight, until no more mail from before appears


@dataclass(frozen=True)
class DayCount:
    day: date
    sent: int = 0
    failed: int = 0
    is_counted: bool = True
    opened: int = 0
    clicked: int = 0
    subscribed: int | None = None  # None before the first count


async def daily_counts(org: Organization, today: Outcomes | None) -> list[DayCount]:
    """The last DAYS days; `today` is the last one's count, if known."""
    oldest = day_statistics.oldest_day(org.timezone)
    days = [oldest + timedelta(days=number) for number in range(DAYS)]
    read = await day_statistics.read_days(org.id, org.timezone, days, FEW)
    read[days[-1]] = read[days[-1]]._replace(outcomes=today)
    return [_day_count(day, read[day]) for day in days]


def _day_count(day: date, numbers: Day) -> DayCount:
    sent, failed = numbers.outcomes or Outcomes()
    is_counted = numbers.outcomes is not None
    return DayCount(day, sent, failed, is_counted, numbers.opened, numbers.clicked, numbers.subscribed)


async def refresh_counts(seconds: float = inf) -> bool:
    """Counts days that may have changed, newest first, for at most `seconds`; True when done."""
    return await for_each_organization(_refresh, "days could not be counted", seconds)


async def _refresh(org: Organization, until: float) -> bool:
    oldest = day_statistics.oldest_day(org.timezone)
    saved = {row.day: row for row in await MailDay.of(org)}
    if any(day < oldest for day in saved):
        await MailDay.of(org).filter(day__lt=oldest).delete()
    for ago in range(DAYS):
        day = oldest + timedelta(days=DAYS - 1 - ago)
        row = saved.get(day)
        if row is not None and row.timezone == org.timezone and row.is_over and await _is_unchanged(org, row):
            continue
        if clock.elapsed() >= until:
            return False
        is_over = clock.now() >= clock.start_of_day(day + timedelta(days=1), org.timezone) + LAG
        counted = await day_statistics.count_day(org.id, org.timezone, day)
        subscribed = await day_statistics.count_subscribed(org.id) if ago == 0 else None
        saved_counts = row and (row.timezone, row.is_over, *(getattr(row, name) for name in Counted._fields))
        is_known = saved_counts == (org.timezone, is_over, *counted) and subscribed in (None, row and row.subscribed)
        if not is_known:
            await day_statistics.save_day(org.id, org.timezone, day, counted, subscribed, is_over=is_over)
    return True


async def _is_unchanged(org: Organization, row: MailDay) -> bool:
    return not row.waiting or row.waiting == await day_statistics.count_waiting(org.id, org.timezone, row.day)
