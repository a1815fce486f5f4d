"""How much mail each of the last days had: for the chart on the home page.

A day is of the organization's timezone and counts the mail handed in on it, whenever that goes out. Workers count the
days and keep what they found; of a day on which nothing waits any more that is for good, and no look reads its rows
again. A page reads what is saved, and counts the rows of a day itself only where they are few.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import inf

from webapp import clock
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import MailDay, Organization
from webapp.models.outbox import day_statistics
from webapp.models.outbox.day_statistics import DAYS, Outcomes

FEW = 1_000  # rows of a state that a page counts for a day
LAG = timedelta(minutes=10)  # until no mail comes up any more that was handed in before midnight


@dataclass(frozen=True)
class DayCount:
    """Recipients whose mail was handed in on a day: how many were sent to, and how many failed.

    Where nobody has counted the day yet both are 0.
    """

    day: date
    sent: int
    failed: int
    is_counted: bool = True


async def daily_counts(org: Organization, today: Outcomes | None) -> list[DayCount]:
    """The last DAYS days; the page has counted the last of them, today, already, if it could."""
    oldest = day_statistics.oldest_day(org.timezone)
    days = [oldest + timedelta(days=number) for number in range(DAYS)]
    known = await day_statistics.glance_at(org.id, org.timezone, days[:-1], FEW)
    return [_shown(day, known.get(day, today)) for day in days]


def _shown(day: date, known: Outcomes | None) -> DayCount:
    return DayCount(day, 0, 0, is_counted=False) if known is None else DayCount(day, *known)


async def refresh_counts(seconds: float = inf) -> bool:
    """Count what may have changed, of each organization the newest days first, for so long at most; whether all is.

    Of several workers at it each keeps the same; what one that dies has not saved is counted the next time.
    """
    return await for_each_organization(_refresh, "days could not be counted", seconds)


async def _refresh(org: Organization, until: float) -> bool:
    oldest = day_statistics.oldest_day(org.timezone)
    saved = {row.day: row for row in await MailDay.of(org)}
    if any(day < oldest for day in saved):
        await MailDay.of(org).filter(day__lt=oldest).delete()
    for ago in range(DAYS):
        day = oldest + timedelta(days=DAYS - 1 - ago)
        if await _may_have_changed(org, saved, day):
            if clock.elapsed() >= until:
                return False
            await _save_day(org, saved, day)
    return True


async def _may_have_changed(org: Organization, saved: Mapping[date, MailDay], day: date) -> bool:
    row = saved.get(day)
    if row is None or row.timezone != org.timezone or not row.is_over:
        return True
    before: int = row.waiting
    return before > 0 and before != await day_statistics.count_waiting(org.id, org.timezone, day)


async def _save_day(org: Organization, saved: Mapping[date, MailDay], day: date) -> None:
    is_over = clock.now() >= clock.start_of_day(day + timedelta(days=1), org.timezone) + LAG
    counted = await day_statistics.count_day(org.id, org.timezone, day)
    row = saved.get(day)
    if row is None or (row.timezone, row.is_over, row.sent, row.failed, row.waiting) != (
        org.timezone,
        is_over,
        *counted,
    ):
        await day_statistics.keep_day(org.id, org.timezone, day, counted, is_over=is_over)
