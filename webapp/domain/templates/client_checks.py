"""Checks a letter's HTML for what email programs and their readers stumble over.

Text alternatives: WCAG 2.2, 1.1.1. Links: WCAG 2.2, 2.4.4. Reserved names: RFC 2606, section 3.
"""

import re
from collections.abc import Iterator
from html import unescape

IMAGE = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
ALT = re.compile(r"""["'\s]alt(?=[\s=/>])""", re.IGNORECASE)
LINK = re.compile(r"""<a\s(?:[^<>]*?["'\s])?href\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE)
PLACEHOLDER = re.compile(r"https?://(?:www\.)?example\.com(?![\w.-])", re.IGNORECASE)
URL_SHOWN = 80  # characters


def find_faults(html: str, base_url: str) -> Iterator[str]:
    """Sentences about a letter as a reader gets it; links to `base_url` are the service's own."""
    silent = sum(1 for image in IMAGE.finditer(html) if not ALT.search(image[0]))
    if silent:
        has = "1 picture has" if silent == 1 else f"{silent:,} pictures have"
        yield f'{has} no alt text. Describe it for readers who don\'t see it, or write alt="" for decoration.'
    urls = [unescape(next(filter(None, found.groups()), "")).strip() for found in LINK.finditer(html)]
    if empty := sum(url in ("", "#") for url in urls):
        yield f"{'1 link leads' if empty == 1 else f'{empty:,} links lead'} nowhere. Add the address."
    if left := next(filter(PLACEHOLDER.match, urls), None):
        yield f"A link leads to the placeholder {left[:URL_SHOWN]}. Replace it with an address of yours."
    plain = [url for url in urls if url.lower().startswith("http://") and not url.startswith(f"{base_url}/")]
    if plain:
        yield f"A link isn't encrypted: {plain[0][:URL_SHOWN]}. Use https if the site has it."
