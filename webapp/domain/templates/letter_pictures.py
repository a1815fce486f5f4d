"""Describes a letter's pictures from the media library, for its checks."""

import re
from collections import OrderedDict
from collections.abc import Sequence

from webapp.config import settings
from webapp.domain.media.convert import colors_of
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.templates.client_checks import LetterPicture, find_faults
from webapp.domain.templates.style import VISIBLE, contrast
from webapp.media_store import StorageFailed, read_whole
from webapp.models import Media, Organization

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
    pictures = [await _described(org, media) for media in await _pictures_in(org, html)]
    base_url = settings().base_url
    return await run_in_render_pool(org.id, lambda: list(find_faults(html, base_url, pictures)))


async def _pictures_in(org: Organization, html: str) -> list[Media]:
    hashes = re.findall(rf"{re.escape(settings().base_url)}/m/([0-9a-f]{{64}})/", html)
    wanted = list(dict.fromkeys(hashes))[:PICTURES_CHECKED]
    return await Media.of(org).filter(hash__in=wanted).order_by("id") if wanted else []


async def _described(org: Organization, media: Media) -> LetterPicture:
    if media.type not in SEE_THROUGH or media.width * media.height > MOST_PIXELS:
        return LetterPicture(media.name, media.bytes)
    if media.hash not in _vanishing:
        try:
            data = await read_whole(media.hash)
        except (FileNotFoundError, StorageFailed):
            return LetterPicture(media.name, media.bytes)
        _vanishing[media.hash] = vanishes_in_the_dark(await colors_of(org.id, data))
        if len(_vanishing) > CACHED:
            _vanishing.popitem(last=False)
    return LetterPicture(media.name, media.bytes, _vanishing[media.hash])


def vanishes_in_the_dark(colors: Sequence[tuple[int, Sequence[int]]]) -> bool:
    """True for a dark picture with a transparent background, given its colours with their counts."""
    shown = [(count, "#" + bytes(color[:3]).hex()) for count, color in colors if color[3] >= OPAQUE]
    visible, pixels = sum(count for count, _ in shown), sum(count for count, _ in colors)
    if not visible or visible > (1 - LEAST_CLEAR) * pixels:
        return False
    return sum(count for count, color in shown if contrast(color, DARK) < VISIBLE) > MOST_DIM * visible
