"""Rounds of requests, their medians, and the lines that say them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from tests.tools.bench.load import Load

QUIET = 0.2  # cores taken by others at most, for figures that count
SPREAD = 10  # p99 over p50 at most
GROWTH = 1.3
MISSED = "MISSED"


@dataclass(frozen=True)
class Round:
    load: Load
    web: float  # CPU seconds of the web process
    others: float  # cores that other programs took
    bare: float = math.nan  # requests a second of the bare handler right before


class Figures:
    """The medians of some rounds; the web's CPU and the percentiles in milliseconds."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.rounds = rounds
        self.others = max(one.others for one in rounds)
        self.rate = self._median(lambda one: one.load.rate)
        self.share = self._median(lambda one: one.load.rate / one.bare)
        self.cpu = self._median(lambda one: 1000 * one.web / one.load.answered if one.load.answered else math.inf)
        self.p50 = self._median(lambda one: one.load.p50 if one.load.answered else math.inf)
        self.p99 = self._median(lambda one: one.load.p99 if one.load.answered else math.inf)

    def _median(self, of: Callable[[Round], float]) -> float:
        return median(of(one) for one in self.rounds)

    def line(self, label: str, share: float | None) -> str:
        """Return the line of a route, with the bounds that it missed."""
        missed = []
        if share is not None and self.share < share:
            missed.append(f"under {share:.0%}")
        if share is not None and not self.p99 < SPREAD * self.p50:
            missed.append(f"p99 over {SPREAD} times p50")
        figures = f"{100 * self.share:5.1f} %{self.cpu:6.2f} ms  p50 {self.p50:<4.0f} p99 {self.p99:<5.0f}"
        return f"{label:64}{figures}{self.rate:8,.0f} /s  {taken(self.rounds)}{_verdict(missed)}"


def growth_line(
    label: str, small: Figures, large: Figures, p99: float | None = None, growth: float | None = None
) -> str:
    """Return the line of how many times longer a route takes among more rows, with the bounds that it missed."""
    pairs = zip(small.rounds, large.rounds, strict=True)
    times = median(one.load.rate / other.load.rate if other.load.answered else math.inf for one, other in pairs)
    missed = []
    if growth is None and times > GROWTH:
        missed.append(f"over {GROWTH} times")
    if growth is not None:
        pairs_of = {"p50": (small.p50, large.p50), "p99": (small.p99, large.p99)}
        missed += [f"{name} over {growth} times" for name, (few, many) in pairs_of.items() if many > growth * few]
    if p99 is not None and not large.p99 < p99:
        missed.append(f"p99 over {p99:.0f}")
    figures = f"{times:5.2f} times  {small.rate:6,.0f} to {large.rate:6,.0f} /s"
    figures += f"  p50 {small.p50:4.0f} to {large.p50:4.0f}  p99 {small.p99:4.0f} to {large.p99:4.0f}"
    return f"{label:64}{figures}  {taken([*small.rounds, *large.rounds])}{_verdict(missed)}"


def taken(rounds: Sequence[Round]) -> str:
    """The cores that others took in each."""
    return "others " + " ".join(f"{one.others:.2f}" for one in rounds)


def _verdict(missed: Sequence[str]) -> str:
    return f"  {MISSED}: {', '.join(missed)}" if missed else ""
