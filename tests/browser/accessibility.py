"""What axe-core finds wrong with a page: WCAG 2.2 AA by what a program can tell, and its best practices."""

from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page

AXE = (Path(__file__).parents[1] / "vendor" / "axe-core@4.14.1" / "axe.min.js").read_text()
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
BRIEF: dict[str, Any] = {"iframes": False, "resultTypes": ["violations"]}  # mails in frames are strangers' documents
STRUCTURE = BRIEF | {"runOnly": list(TAGS), "rules": {"color-contrast": {"enabled": False}}}
COLOURS = BRIEF | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
NAVIGATION = (".side", ".top")
ROWS = 3  # of a table, which has others built like them
TRIM = f"() => document.querySelectorAll('main tbody tr:nth-child(n+{ROWS + 1})').forEach((row) => row.remove())"
# Remembers the elements with words whose like was not looked at before; what they are like is who they are in.
GATHER = """(known) => {
    const seen = new Set(known), fresh = [];
    window.fresh = [];
    const look = (element) => {
        let hash = 0;
        for (let at = element, depth = 0; at && depth < 4; at = at.parentElement, depth += 1)
            for (const sign of `${at.tagName}.${at.className}[${at.getAttribute('aria-current') || at.disabled || ''}]`)
                hash = (hash * 31 + sign.codePointAt(0)) | 0;
        if (seen.has(hash)) return;
        seen.add(hash);
        fresh.push(hash);
        window.fresh.push(element);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (texts.currentNode.data.trim()) look(texts.currentNode.parentElement);
    document.querySelectorAll('input, select, textarea').forEach(look);
    return fresh;
}"""
RUN = """async ([options, context]) => (await axe.run(context || {include: window.fresh}, options)).violations
    .map((found) => `${found.id}: ${found.help}: ` + found.nodes.slice(0, 3).map((node) =>
        `${node.target} ${node.html.slice(0, 160)} ${node.any[0]?.data?.contrastRatio || ''}`).join(' | '))"""

# In one go: what moves on an open page may take the place of what was gathered on it before.
RUN_FRESH = f"async ([options, known]) => ({GATHER})(known).length ? await ({RUN})([options, null]) : []"


class Auditor:
    """Looks at page after page; at colours only where they stand on something new."""

    def __init__(self, context: BrowserContext) -> None:
        """Look at pages that this context opens from now on."""
        context.add_init_script(AXE)  # once: to send it for each page takes longer than to look at it
        self._known: set[int] = set()

    def violations(self, page: Page, *, knows_navigation: bool = False) -> list[str]:
        """Violations in light and in dark; `knows_navigation` skips the navigation, checked on an earlier page."""
        page.evaluate(TRIM)
        found = list(page.evaluate(RUN, [STRUCTURE, {"exclude": list(NAVIGATION) if knows_navigation else []}]))
        known = list(self._known)
        fresh = page.evaluate(GATHER, known)
        for scheme in ("light", "dark") if fresh else ():
            # or colours would be measured halfway between the two schemes
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [f"in {scheme}: {one}" for one in page.evaluate(RUN_FRESH, [COLOURS, known])]
        self._known.update(fresh)
        return found
