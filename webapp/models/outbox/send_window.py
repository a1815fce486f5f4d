"""The hours of the week in which an account sends, by the clock on a wall."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
END_OF_DAY = "24:00"
MINUTE = timedelta(minutes=1)
DAYS_AHEAD = 15  # a weekly window may fall into the hour that a clock change skips, and opens the week after


class Span(NamedTuple):
    opens_at: datetime
    closes_at: datetime


class SendWindow(NamedTuple):
    days: frozenset[int]  # on which it opens, Monday is 0
    opens: time
    closes: time  # not after `opens`: on the next day
    zone: ZoneInfo
    includes_transactional: bool

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        closes = time() if stored["to"] == END_OF_DAY else time.fromisoformat(stored["to"])
        days = frozenset(map(DAYS.index, stored["days"]))
        opens, zone = time.fromisoformat(stored["from"]), ZoneInfo(stored["timezone"])
        return cls(days, opens, closes, zone, bool(stored.get("includes_transactional")))

    def span(self, at: datetime) -> Span:
        """The span that is open at an instant, or else the next one.

        It never has a time of day outside the window, whichever way a clock change goes.
        """
        today = at.astimezone(self.zone).date()
        candidates = (today + timedelta(days=number) for number in range(-1, DAYS_AHEAD))
        spans = (_span_of(self, day) for day in candidates if day.weekday() in self.days)
        return next(span for span in spans if max(span.opens_at, at) < span.closes_at)

    def instant(self, day: date, at: time, *, fold: int) -> datetime:
        """The first (fold 0) or second instant with this time of day; the end of the gap if a clock change skips it."""
        local = datetime.combine(day, at, self.zone)
        instant = local.astimezone(UTC)
        after = instant.astimezone(self.zone)
        if after.replace(tzinfo=None) == local.replace(tzinfo=None):
            return local.replace(fold=fold).astimezone(UTC)
        while (instant - MINUTE).astimezone(self.zone).utcoffset() == after.utcoffset():
            instant -= MINUTE
        return instant


@lru_cache(maxsize=4_096)  # a forecast asks several times about each of many days
def _span_of(window: SendWindow, day: date) -> Span:
    end = day if window.opens < window.closes else day + timedelta(days=1)
    return Span(window.instant(day, window.opens, fold=1), window.instant(end, window.closes, fold=0))
