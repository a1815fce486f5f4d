"""Figures with the bounds that they are held to, printed one to a line."""


class Verdicts:
    """Prints figures and remembers whether one missed its bound."""

    def __init__(self) -> None:
        self.is_missed = False

    def most(self, label: str, value: float, bound: float, unit: str) -> None:
        """A figure that should be below its bound."""
        self._print(label, value, f"< {bound:g} {unit}", unit, is_kept=value < bound)

    def within(self, label: str, value: float, other: float, share: float, unit: str) -> None:
        """A figure that should be no lower than another by more than a share."""
        bound = f">= {1 - share:.0%} of {other:,.0f} {unit} ({value / other:.0%})"
        self._print(label, value, bound, unit, is_kept=value >= other * (1 - share))

    def equal(self, label: str, value: int, expected: int) -> None:
        """A count that is known."""
        self._print(label, value, f"= {expected:,}", "", is_kept=value == expected)

    def _print(self, label: str, value: float, bound: str, unit: str, *, is_kept: bool) -> None:
        self.is_missed |= not is_kept
        shown = f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3f}"
        print(f"{label:58}{shown:>10} {unit:9}{bound:42}{'ok' if is_kept else 'MISSED'}", flush=True)
