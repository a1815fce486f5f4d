"""What axe-core finds wrong with a page: WCAG 2.2 AA by what a program can tell, and its best practices."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parents[1] / "vendor" / "axe-core@4.14.1" / "axe.min.js").read_text()
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = """async (options) => (await axe.run(document, options)).violations.map((found) =>
    `${found.id}: ${found.help}: ` + found.nodes.map((node) => `${node.target} ${node.html.slice(0, 160)}`
        + (node.any[0] && node.any[0].data && node.any[0].data.contrastRatio ? ` ${node.any[0].data.contrastRatio}` : '')
    ).slice(0, 3).join(' | '))"""
ALL: dict[str, Any] = {"runOnly": list(TAGS), "iframes": False, "resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {**ALL, "runOnly": {"type": "rule", "values": ["color-contrast"]}}


def violations(page: Page) -> list[str]:
    """What is wrong, in light and in dark: only the contrast depends on it. Mails in frames are strangers' documents."""
    page.evaluate(AXE)
    page.emulate_media(color_scheme="light")
    found = list(page.evaluate(RUN, ALL))
    page.emulate_media(color_scheme="dark")
    return found + [f"in dark: {one}" for one in page.evaluate(RUN, COLOURS)]
