"""Computes bar charts that templates draw without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import log10

from webapp.domain.campaigns.timeline import Span
from webapp.domain.home.daily_chart import DayCount

WIDTH, HEIGHT = 600, 100  # in the drawing's own units; the page stretches it
GAP = 0.25  # of a day's width
STEPS = (1, 2, 4, 6, 8, 10)  # whose halves are round numbers too
LEAST_TOP = 4
MANY = 12  # bars, with which rounding to thirds is hardly visible
LEAST_HEIGHT = 1.0  # so that a single email is visible


@dataclass(frozen=True)
class Bar:
    count: DayCount
    x: float
    width: float
    sent: float
    failed: float

    @property
    def top(self) -> float:
        return round(HEIGHT - self.sent - self.failed, 2)


@dataclass(frozen=True)
class BarChart:
    """The bars from the oldest day, with a line at `top`; `uncounted` days have no bar and are not in the sums."""

    bars: list[Bar]
    top: int
    sent: int
    failed: int
    uncounted: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def has_mail(self) -> bool:
        return self.sent + self.failed > 0

    @property
    def marked(self) -> list[date]:
        last = len(self.bars) - 1
        return [self.bars[number * last // 3].count.day for number in range(4)]


def bar_chart(days: Sequence[DayCount]) -> BarChart:
    top = round_up(max(day.sent + day.failed for day in days))
    step = WIDTH / len(days)
    bars = [
        Bar(
            day,
            x=round((number + GAP / 2) * step, 2),
            width=round(step * (1 - GAP), 2),
            sent=_height(day.sent, top),
            failed=_height(day.failed, top),
        )
        for number, day in enumerate(days)
    ]
    sent, failed = sum(day.sent for day in days), sum(day.failed for day in days)
    return BarChart(bars, top, sent, failed, sum(not day.is_counted for day in days))


@dataclass(frozen=True)
class SpanBar:
    span: Span
    x: float
    width: float
    height: float


@dataclass(frozen=True)
class SpanChart:
    """The bars from the first span, with a line at `top`."""

    bars: list[SpanBar]
    top: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def marked(self) -> list[Span | None]:
        """The marks at both ends, and at the thirds if these are exact enough."""
        last = len(self.bars) - 1
        marked: list[Span | None] = [self.bars[number * last // 3].span for number in range(4)]
        return marked if last % 3 == 0 or last >= MANY else [marked[0], None, None, marked[3]]

    @property
    def is_of_one_day(self) -> bool:
        return self.bars[0].span.start.date() == self.bars[-1].span.start.date()


def span_chart(spans: Sequence[Span]) -> SpanChart:
    top, step = round_up(max(span.sent for span in spans)), WIDTH / len(spans)
    bars = [
        SpanBar(
            span,
            x=round((number + GAP / 2) * step, 2),
            width=round(step * (1 - GAP), 2),
            height=_height(span.sent, top),
        )
        for number, span in enumerate(spans)
    ]
    return SpanChart(bars, top)


def round_up(value: int) -> int:
    if value <= LEAST_TOP:
        return LEAST_TOP
    size = int(10 ** int(log10(value)))
    return next(step * size for step in STEPS if step * size >= value)


def _height(value: int, top: int) -> float:
    return round(max(value * HEIGHT / top, LEAST_HEIGHT), 2) if value else 0.0
