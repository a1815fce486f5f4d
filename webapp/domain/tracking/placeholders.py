"""Replaces the links and the pixel of tracked content by merge tags, and these by a recipient's signed URLs."""

import html
import re
from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple
from uuid import UUID

from webapp.config import settings
from webapp.domain import link_signing
from webapp.errors import NotFound
from webapp.models import Content, Organization, TrackedLink

CLICK, OPEN = "click", "open"  # the purposes of tokens
PIXEL = "pennypost_pixel"
LINK = "pennypost_link_"  # before a number
PIXEL_ELEMENT = (
    f'<img src="{{{{ {PIXEL} }}}}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">'
)
LINK_TAG = re.compile(rf"\{{\{{ {LINK}(\d+) \}}\}}")
ANY_TAG = re.compile(rf"\{{\{{ ({LINK}\d+|{PIXEL}) \}}\}}")
# What replaces these tags in an accepted email.
LINK_ADDRESS = re.compile(r'"[^"<>\s]*/t/([\w-]{43}\.[\w-]{43})"')
PIXEL_ADDRESS = re.compile(
    r'[^"<>\s]*/o/([\w-]{43}\.[\w-]{43})'.join(map(re.escape, PIXEL_ELEMENT.split(f"{{{{ {PIXEL} }}}}")))
)


class Tracked(NamedTuple):
    links: Mapping[str, UUID]
    has_pixel: bool

    def addresses(self, row_id: UUID, org_id: UUID) -> dict[str, str]:
        """The values of a recipient's merge tags."""
        base = settings().base_url
        urls = {name: f"{base}/t/{link_signing.sign_ids(CLICK, row_id, link)}" for name, link in self.links.items()}
        if self.has_pixel:
            urls[PIXEL] = f"{base}/o/{link_signing.sign_ids(OPEN, row_id, org_id)}"
        return urls


def tag_name(number: int) -> str:
    return f"{LINK}{number}"


def link_tag(number: int) -> str:
    return f"{{{{ {tag_name(number)} }}}}"


def with_addresses(source: str, tracked: Tracked, row_id: UUID, org_id: UUID) -> str:
    """Replaces the tags in the HTML by the URLs of the only recipient."""
    addresses = tracked.addresses(row_id, org_id)
    return ANY_TAG.sub(lambda tag: addresses.get(tag[1], tag[0]), source)


def has_pixel_of(row_id: UUID, org_id: UUID, source: str) -> bool:
    """True if the HTML has this recipient's pixel."""
    return any(_ids_in(OPEN, pixel[1]) == (row_id, org_id) for pixel in PIXEL_ADDRESS.finditer(source))


def _ids_in(purpose: str, token: str) -> tuple[UUID, UUID] | None:
    try:
        return link_signing.ids_in(purpose, token)
    except NotFound:
        return None


def is_tracked(content: Content) -> bool:
    """True if the content may have tags or URLs of ours, although its author may have written them."""
    return content.html is not None and any(word in content.html for word in (LINK, PIXEL, "/t/", "/o/"))


async def links_of(org_id: UUID, content: Content) -> list[TrackedLink]:
    if not is_tracked(content):
        return []
    return await TrackedLink.across_orgs().filter(org_id=org_id, content_id=content.id).order_by("number")


def tracked(content: Content, links: Sequence[TrackedLink]) -> Tracked | None:
    """None if the content tracks nothing."""
    has_pixel = content.html is not None and PIXEL_ELEMENT in content.html
    if not links and not has_pixel:
        return None
    return Tracked({tag_name(link.number): link.id for link in links}, has_pixel)


def untracked(content: Content, links: Sequence[TrackedLink]) -> Content:
    """An unsaved copy with the original links and without the pixel."""
    if content.html is None or not is_tracked(content):
        return content
    urls = {str(link.number): html.escape(link.url) for link in links}
    plain = LINK_TAG.sub(lambda tag: urls.get(tag[1], tag[0]), content.html).replace(PIXEL_ELEMENT, "")
    targets = {link.id: html.escape(link.url) for link in links}
    plain = LINK_ADDRESS.sub(lambda link: _target(link, targets), plain)
    plain = PIXEL_ADDRESS.sub(lambda pixel: pixel[0] if _ids_in(OPEN, pixel[1]) is None else "", plain)
    shown = copy(content)
    shown.html = plain
    return shown


def _target(link: re.Match[str], targets: Mapping[UUID, str]) -> str:
    ids = _ids_in(CLICK, link[1])
    return link[0] if ids is None or ids[1] not in targets else f'"{targets[ids[1]]}"'


async def as_untracked(org: Organization, content: Content) -> Content:
    """The content for the dashboard, where following a link must not count as a click."""
    return untracked(content, await links_of(org.id, content))
