"""The colours, font and width of letters made of blocks, and the contrast between colours."""

from typing import NamedTuple, Self

# Fonts that mail programs have without loading one.
FONTS = {
    "system": "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
    "arial": "Arial, Helvetica, sans-serif",
    "verdana": "Verdana, Geneva, sans-serif",
    "tahoma": "Tahoma, Verdana, sans-serif",
    "trebuchet": "'Trebuchet MS', Tahoma, sans-serif",
    "georgia": "Georgia, 'Times New Roman', serif",
    "times": "'Times New Roman', Times, serif",
    "courier": "'Courier New', Courier, monospace",
}
READABLE = 4.5  # the least contrast of text (WCAG 2.2, 1.4.3)
VISIBLE = 3.0  # and of large text
DARK_SHARE = 0.04045  # of a channel
NIGHT, DAY = "#15171a", "#ffffff"  # the background and text in dark mode, before they are tinted by the brand


class LetterStyle(NamedTuple):
    """The style that an organization's letters share; colours like `#1d4ed8`, width in pixels."""

    background: str = "#ffffff"
    text: str = "#1f2328"
    accent: str = "#1d4ed8"
    button: str = "#1d4ed8"
    font: str = "system"
    width: int = 600
    logo_url: str | None = None
    sender: str = ""
    address: str | None = None

    @property
    def button_text(self) -> str:
        """White or black, whichever contrasts more with the button."""
        return max("#ffffff", "#000000", key=lambda color: contrast(color, self.button))

    @property
    def quiet_text(self) -> str:
        softer = mixed(self.text, self.background, 0.7)
        return softer if contrast(softer, self.background) >= READABLE else self.text

    @property
    def line(self) -> str:
        return mixed(self.text, self.background, 0.2)

    @property
    def is_dark(self) -> bool:
        return contrast(DAY, self.background) > contrast("#000000", self.background)

    def in_dark_mode(self) -> Self:
        """The style on a dark background, with links and buttons just light enough."""
        ground = mixed(self.background, NIGHT, 0.06)
        return self._replace(
            background=ground,
            text=mixed(DAY, ground, 0.88),
            accent=lightened(self.accent, ground, READABLE),
            button=lightened(self.button, ground, VISIBLE),
        )


def contrast(color: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((_luminance(color), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lightened(color: str, ground: str, least: float) -> str:
    """The colour, mixed with just enough white for the contrast on a dark background."""
    shades = (mixed(DAY, color, step / 20) for step in range(21))
    return next((shade for shade in shades if contrast(shade, ground) >= least), DAY)


def mixed(color: str, other: str, share: float) -> str:
    parts = (round(a * share + b * (1 - share)) for a, b in zip(_channels(color), _channels(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    """The relative luminance, by the formula of WCAG 2.2."""
    shares = (part / 255 for part in _channels(color))
    linear = [share / 12.92 if share <= DARK_SHARE else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
