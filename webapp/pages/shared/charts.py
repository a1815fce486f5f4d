"""Computes bar charts that templates draw without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Generic, NamedTuple, TypeVar

WIDTH, HEIGHT = 600, 100  # in the drawing's own units; the page stretches it
GAP = 0.25  # of a bar's width
STEPS = (1, 2, 4, 6, 8, 10)  # whose halves are round numbers too
LEAST_TOP = 4
MANY = 12  # bars, with which rounding to thirds is hardly visible
LEAST_HEIGHT = 1.0  # so that a single email is visible

ASpan = TypeVar("ASpan")


class Bar(NamedTuple, Generic[ASpan]):
    """A bar of a day or another span of time; `sent` and `failed` are heights."""

    span: ASpan
    x: float
    width: float
    sent: float
    failed: float


@dataclass(frozen=True)
class BarChart(Generic[ASpan]):
    """The bars from the oldest, with a line at `top`; `sent` and `failed` are all emails."""

    bars: list[Bar[ASpan]]
    top: int
    sent: int
    failed: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def marked(self) -> list[ASpan | None]:
        """The spans at both ends, and at the thirds if these are exact enough."""
        last = len(self.bars) - 1
        marked: list[ASpan | None] = [self.bars[number * last // 3].span for number in range(4)]
        return marked if last % 3 == 0 or last >= MANY else [marked[0], None, None, marked[3]]


def bar_chart(spans: Sequence[ASpan], counts: Sequence[tuple[int, int]]) -> BarChart[ASpan]:
    """`counts` has the emails sent and failed in each span."""
    top = round_up(max(sent + failed for sent, failed in counts))
    step = WIDTH / len(spans)
    width = round(step * (1 - GAP), 2)
    bars = [
        Bar(span, round((number + GAP / 2) * step, 2), width, _height(sent, top), _height(failed, top))
        for number, (span, (sent, failed)) in enumerate(zip(spans, counts, strict=True))
    ]
    return BarChart(bars, top, sum(sent for sent, _ in counts), sum(failed for _, failed in counts))


def round_up(value: int) -> int:
    if value <= LEAST_TOP:
        return LEAST_TOP
    size = int(10 ** int(log10(value)))
    return next(step * size for step in STEPS if step * size >= value)


def _height(value: int, top: int) -> float:
    return round(max(value * HEIGHT / top, LEAST_HEIGHT), 2) if value else 0.0
