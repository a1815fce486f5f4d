"""The colours of the stylesheet can be read: WCAG 2.2, 1.4.3 (text, 4.5) and 1.4.11 (parts, 3), light and dark."""

import re

import pytest

from webapp.config import source_dir

TEXT = [
    ("ink", "paper"),
    ("ink", "card"),
    ("quiet", "paper"),
    ("quiet", "card"),
    ("quiet", "sunk"),
    ("quiet", "grey-soft"),
    ("blue", "paper"),
    ("blue", "card"),
    ("blue", "blue-soft"),
    ("on-blue", "blue"),
    ("green", "green-soft"),
    ("amber", "amber-soft"),
    ("red", "red-soft"),
    ("red", "card"),
    ("on-red", "red"),
]
PARTS = [
    ("edge", "card"),
    ("edge", "paper"),
    ("amber-fill", "track"),
    ("blue", "track"),
    ("red", "track"),
    ("green", "track"),
]
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", (source_dir("static") / "app.css").read_text()
    )
}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("pairs", "needed"), [(TEXT, 4.5), (PARTS, 3)])
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_contrast_is_enough(pairs: list[tuple[str, str]], needed: float, theme: int) -> None:
    for pair in pairs:
        darker, lighter = sorted(luminance(COLOURS[name][theme]) for name in pair)
        assert (lighter + 0.05) / (darker + 0.05) >= needed, pair
