"""Rewrites the links of a run's content once, so that each email only needs signatures."""

import html
import re
from functools import partial

from uuid_utils.compat import uuid7

from webapp.config import settings
from webapp.domain.campaigns.content import HREF, LINKED, without_comments, without_tags
from webapp.domain.merge_tags.fast_path import MAX_SLOTS, VALUE_LENGTH
from webapp.domain.merge_tags.lexer import OPENING, TAGS
from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.tracking.placeholders import PIXEL_ELEMENT, link_tag
from webapp.models import Campaign, Content, Organization, TrackedLink
from webapp.sending.mime.html_entities import unescape_attribute

NOT_TRACKED = re.compile(r"\sdata-no-track(?=[\s=/>])", re.IGNORECASE)
SIGNED = ("/unsubscribe/", "/view/", "/t/")  # paths of our own signed links
BODY_END = re.compile(r"</body\s*>", re.IGNORECASE)


def tracking_of(org: Organization, campaign: Campaign) -> dict[str, bool]:
    """The campaign's choice, by default the organization's."""
    return campaign.tracking or {"opens": org.track_opens, "clicks": org.track_clicks}


def track(content: Content, tracking: dict[str, bool]) -> list[TrackedLink]:
    """Makes the links, opens or both of an unsaved HTML content tracked; returns the links to save.

    Plain text, links beyond MAX_SLOTS, and content that would become too long stay unchanged.
    """
    if not content.html:
        return []
    links, source = dict[str, TrackedLink](), content.html
    if tracking.get("clicks"):
        source = without_tags(source, partial(_rewrite, content, links))
    if tracking.get("opens"):
        source = without_tags(source, _with_pixel)
    if source == content.html or len(source) > SOURCE_LENGTH or len(OPENING.findall(source)) > TAGS:
        return []
    content.html, content.is_template = source, True
    return list(links.values())


def _rewrite(content: Content, links: dict[str, TrackedLink], masked: str, mask: TagMask) -> str:
    """Replaces the addresses of links, which it adds to `links` by address."""
    pieces, at = list[str](), 0
    # With more tags, the library would render it, which takes many times as long.
    free = MAX_SLOTS - 1 - len(OPENING.findall(content.html or ""))
    for element in LINKED.finditer(without_comments(masked)):
        href = HREF.search(element[0])
        if href is None or NOT_TRACKED.search(element[0]) or free <= 0:
            continue
        url = None if any(mask.tags_in(href["value"])) else _target(href["value"])  # a tag makes it personal
        if url is not None:
            fields = {"org_id": content.org_id, "content_id": content.id, "number": len(links) + 1, "url": url}
            link = links.setdefault(url, TrackedLink(id=uuid7(), **fields))
            start = element.start() + href.start("value")
            pieces += [masked[at:start], f'"{link_tag(link.number)}"']
            at = element.start() + href.end("value")
            free -= 1
    return "".join([*pieces, masked[at:]])


def _target(value: str) -> str | None:
    """The address that the link leads to; None if it is ours, or not a web page."""
    url = unescape_attribute(value.strip("\"'")).strip()
    ours = tuple(f"{settings().base_url}{path}" for path in SIGNED)
    if not url.lower().startswith(("http://", "https://")) or url.startswith(ours):
        return None
    is_plain = url.isprintable() and " " not in url and "\\" not in url and len(html.escape(url)) <= VALUE_LENGTH
    return url if is_plain else None


def _with_pixel(masked: str, _: TagMask) -> str:
    ends = list(BODY_END.finditer(without_comments(masked)))
    at = ends[-1].start() if ends else len(masked)
    return f"{masked[:at]}{PIXEL_ELEMENT}{masked[at:]}"
