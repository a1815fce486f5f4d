"""What an account may still send on a day, and why no more: asked by claims, forecasts and the pages' words alike."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from webapp.models.outbox.send_window import SendWindow

HoldKind = Literal["window", "provider", "limit", "ramp", "reserve"]


class Allowance(NamedTuple):
    """Recipients until it changes by itself; if there are none, the reason."""

    recipients: int
    until: datetime
    hold: HoldKind | None = None


@dataclass(frozen=True)
class DayRules:
    """The rules and the use of one day, which ends at `next_day`; `ramp_limit` is None without a ramp."""

    next_day: datetime
    daily_limit: int
    used: int
    is_full: bool = False  # the provider accepts no more
    ramp_limit: int | None = None
    reserve: int = 0  # recipients that campaigns leave
    window: SendWindow | None = None

    @property
    def limit(self) -> int:
        return self.daily_limit if self.ramp_limit is None else min(self.daily_limit, self.ramp_limit)

    @property
    def left(self) -> int:
        return 0 if self.is_full else max(self.limit - self.used, 0)

    def allowance(self, at: datetime, *, is_campaign: bool) -> Allowance:
        until = self.next_day
        if self.window is not None and (is_campaign or self.window.includes_transactional):
            span = self.window.span(at)
            if at < span.opens_at:
                return Allowance(0, span.opens_at, "window")
            until = min(until, span.closes_at)
        if not self.left:
            is_ramp = self.ramp_limit is not None and self.ramp_limit < self.daily_limit
            return Allowance(0, self.next_day, "provider" if self.is_full else "ramp" if is_ramp else "limit")
        if is_campaign and self.left <= self.reserve:
            return Allowance(0, self.next_day, "reserve")
        return Allowance(self.left - (self.reserve if is_campaign else 0), until)
