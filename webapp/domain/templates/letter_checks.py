"""Checks a letter's HTML for problems in email programs.

| what                                          | source                                                            |
|-----------------------------------------------|-------------------------------------------------------------------|
| over 102 KB of HTML (`CLIPPED_BYTES`)         | Gmail's clipping: mailchimp.com/help/gmail-is-clipping-my-email   |
| pictures without alt text                     | WCAG 2.2, 1.1.1                                                   |
| pictures of the media library over 1 MB       | mailchimp.com/help/about-template-images                          |
| dark pictures without a background            | WCAG 2.2, 1.4.11, in the dark modes of email programs             |
| links without an address, or without words    | WCAG 2.2, 2.4.4                                                   |
| links to a reserved name                      | RFC 2606, 3                                                       |
| links without https                           | support.google.com/chrome/answer/95617                            |
| styles that Outlook for Windows ignores       | Word's HTML and CSS: learn.microsoft.com, aa338201; caniemail.com |
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence

from webapp.config import settings
from webapp.domain.media.convert import colors_of
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.templates.style import VISIBLE, contrast
from webapp.media_store import StorageFailed, read_whole
from webapp.models import Media, Organization
from webapp.sending.mime.html_entities import unescape_attribute, unescape_text

IMAGE = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
ALT = re.compile(r"""["'\s]alt(?=[\s=/>])""", re.IGNORECASE)
LINK = re.compile(
    r"""<a\s(?:[^<>]*?["'\s])?href\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))[^<>]*>?""", re.IGNORECASE
)
DESCRIPTION = re.compile(r"""(?:alt|aria-label|title)\s*=\s*(?:"([^"<>]+)|'([^'<>]+)|([^\s"'<>]+))""", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
LINK_END = re.compile(r"</a\b", re.IGNORECASE)
LINK_LENGTH = 2_000  # characters between the tags of a link; a longer one has words
PLACEHOLDER = re.compile(r"https?://(?:www\.)?example\.com(?![\w.-])", re.IGNORECASE)
SHOWN = 80  # characters of an address or name
PLACEHOLDERS_NAMED = 10
HEAVY_BYTES = 1024 * 1024  # of a picture
STYLES = re.compile(r"""\sstyle\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')|<style\b[^<>]*>([^<]*)""", re.IGNORECASE)
# Only styles that affect the layout; nobody misses rounded corners or shadows.
IGNORED = re.compile(
    r"(?<![\w-])(display\s*:\s*(?:inline-)?(?:flex|grid)|position\s*:\s*(?:absolute|fixed|sticky)"
    r"|float\s*:\s*(?:left|right)|transform\s*:|background(?:-image)?\s*:[^;{}:]{0,100}(?:url|gradient)\()",
    re.IGNORECASE,
)

PICTURES_CHECKED = 20  # of a letter
DARK = "#121212"  # the background of a dark mode
SEE_THROUGH = ("image/png", "image/gif", "image/webp")
MOST_PIXELS = 2_000_000  # logos are smaller
LEAST_CLEAR, MOST_DIM = 0.1, 0.8  # shares of the transparent pixels, and of the others that are hard to see
CACHED = 1_000  # pictures
OPAQUE = 128  # of 255

_vanishing: OrderedDict[str, bool] = OrderedDict()  # by hash, so entries never change


async def check_letter(org: Organization, html: str | None) -> list[str]:
    """Sentences about problems of a letter in email programs."""
    if not html:
        return []
    base_url = settings().base_url
    hashes = dict.fromkeys(re.findall(rf"{re.escape(base_url)}/m/([0-9a-f]{{64}})/", html))
    used = await Media.of(org).filter(hash__in=list(hashes)[:PICTURES_CHECKED]).order_by("id") if hashes else []
    pictures = [(media, await _vanishes(org, media)) for media in used]
    return await run_in_render_pool(org.id, lambda: list(find_faults(html, base_url, pictures)))


async def _vanishes(org: Organization, media: Media) -> bool:
    """True if the picture vanishes on a dark background."""
    if media.type not in SEE_THROUGH or media.width * media.height > MOST_PIXELS:
        return False
    if media.hash not in _vanishing:
        try:
            data = await read_whole(media.hash)
        except (FileNotFoundError, StorageFailed):
            return False
        _vanishing[media.hash] = vanishes_in_the_dark(await colors_of(org.id, data))
        if len(_vanishing) > CACHED:
            _vanishing.popitem(last=False)
    return _vanishing[media.hash]


def vanishes_in_the_dark(colors: Sequence[tuple[int, Sequence[int]]]) -> bool:
    """True for a dark picture with a transparent background, given its colours with their counts."""
    shown = [(count, "#" + bytes(color[:3]).hex()) for count, color in colors if color[3] >= OPAQUE]
    visible, pixels = sum(count for count, _ in shown), sum(count for count, _ in colors)
    if not visible or visible > (1 - LEAST_CLEAR) * pixels:
        return False
    return sum(count for count, color in shown if contrast(color, DARK) < VISIBLE) > MOST_DIM * visible


def find_faults(html: str, base_url: str, pictures: Sequence[tuple[Media, bool]] = ()) -> Iterator[str]:
    """Sentences about problems of a rendered letter; links to `base_url` are our own.

    `pictures` are those of the media library, with True for each that vanishes on a dark background.
    """
    yield from _of_pictures(html, pictures)
    yield from _of_links(html, base_url)
    if ignored := list(_ignored_styles(html))[:3]:
        yield f"Outlook for Windows ignores {' and '.join(ignored)}. Use tables for layout, and plain backgrounds."


def _of_pictures(html: str, pictures: Sequence[tuple[Media, bool]]) -> Iterator[str]:
    silent = sum(1 for image in IMAGE.finditer(html) if not ALT.search(image[0]))
    if silent:
        has = "1 image has" if silent == 1 else f"{silent:,} images have"
        yield f'{has} no alt text. Describe it for readers who don\'t see it, or write alt="" for decoration.'
    for picture, vanishes in pictures:
        name = picture.name[:SHOWN]
        if picture.bytes > HEAVY_BYTES:
            megabytes = picture.bytes / HEAVY_BYTES
            yield f"{name} is {megabytes:.1f} MB, which loads slowly on phones. Upload it scaled down."
        if vanishes:
            yield (
                f"{name} is dark and has no background of its own, so it vanishes in dark mode. "
                "Give it a light edge or background."
            )


def _of_links(html: str, base_url: str) -> Iterator[str]:
    links = [
        (unescape_attribute(next(filter(None, link.groups()), "")).strip(), _words_of(html, link))
        for link in LINK.finditer(html)
    ]
    urls = [url for url, _ in links]
    if empty := sum(url in ("", "#") for url in urls):
        yield f"{'1 link leads' if empty == 1 else f'{empty:,} links lead'} nowhere. Add the address."
    if mute := [url for url, words in links if url not in ("", "#") and words == ""]:
        has = f"The link to {mute[0][:SHOWN]} has" if len(mute) == 1 else f"{len(mute):,} links have"
        yield f"{has} no words. Say where a link leads, or describe its image."
    if left := [(url[:SHOWN], (words or "")[:SHOWN]) for url, words in links if PLACEHOLDER.match(url)]:
        yield _placeholders(left)
    plain = [url for url in urls if url.lower().startswith("http://") and not url.startswith(f"{base_url}/")]
    if plain:
        yield f"A link isn't encrypted: {plain[0][:SHOWN]}. Use https if the site has it."


def _words_of(html: str, link: re.Match[str]) -> str | None:
    """The words of a link, or the description of it or its image; None if the link's end is missing or far."""
    end = LINK_END.search(html, link.end(), link.end() + LINK_LENGTH)
    if end is None:
        return None
    inside = html[link.end() : end.start()]
    described = [link[0], *TAG.findall(inside)]
    descriptions = (next(filter(None, match.groups())) for tag in described for match in DESCRIPTION.finditer(tag))
    texts = (unescape_text(TAG.sub("", inside)), *map(unescape_attribute, descriptions))
    return next(filter(None, (" ".join(text.split()) for text in texts)), "")


def _placeholders(links: Sequence[tuple[str, str]]) -> str:
    """Names the links, each an address with its words."""
    if len(links) == 1:
        ((url, words),) = links
        named = f"The link “{words}”" if words else "A link"
        return f"{named} leads to the placeholder {url}. Replace it with an address of yours."
    counts = list(Counter(links).items())
    parts = [
        (f"“{words}” to {url}" if words else url) + (f" ({count:,} times)" if count > 1 else "")
        for (url, words), count in counts[:PLACEHOLDERS_NAMED]
    ]
    if more := sum(count for _, count in counts[PLACEHOLDERS_NAMED:]):
        parts.append(f"{more:,} more")
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"{len(links):,} links lead to placeholders: {listed}. Replace them with addresses of yours."


def _ignored_styles(html: str) -> Iterator[str]:
    """Each style once, normalized, like `display: flex`."""
    styles = dict.fromkeys(
        ": ".join(part.strip().lower() for part in style[0].split(":", 1))
        for styled in STYLES.finditer(html)
        for style in IGNORED.finditer(next(filter(None, styled.groups()), ""))
    )
    is_drawn = "<v:fill" in html.lower()  # the background in Outlook's own language
    for style in styles:
        if style.startswith("background"):
            if not is_drawn:
                yield "images behind text"
                is_drawn = True
        else:
            yield style.removesuffix(": ")
