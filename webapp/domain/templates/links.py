"""Checks the URLs of a letter's links and pictures."""

import re

from webapp.domain.merge_tags.lexer import OPENING
from webapp.domain.merge_tags.masking import without_tags

URL_LENGTH = 2_000  # characters
LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
IMAGE_SCHEMES = frozenset({"http", "https"})
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(//)?(.*)", re.IGNORECASE)
WITHOUT_SCHEME = re.compile(r"(?:[\w-]{1,63}\.){1,8}[^\W\d_][\w-]{1,62}(?::\d{1,5})?(?:[/?#].*)?")
BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0]")  # which browsers ignore in a scheme


def check_link(url: str) -> str:
    """Raises ValueError unless email programs open the URL, or it begins with a merge tag."""
    return _checked(url, LINK_SCHEMES)


def complete_link(text: str) -> str:
    """Puts https:// before an address like example.com/news, as browsers do; leaves other texts as they are."""
    return f"https://{text.strip()}" if WITHOUT_SCHEME.fullmatch(text.strip()) else text


def check_letter_link(url: str) -> None:
    """Raises ValueError unless the URL is empty, an anchor, a path, or valid for `check_link`."""
    written = url.strip()
    if written and not written.startswith(("#", "/")):
        check_link(written)


def check_image(url: str) -> str:
    """Raises ValueError unless the URL is that of a picture on the web, or begins with a merge tag."""
    return _checked(url, IMAGE_SCHEMES)


def _checked(url: str, schemes: frozenset[str]) -> str:
    url = url.strip()
    written = without_tags(url)
    parts = SCHEME.match(BLANKS.sub("", written))
    is_known = parts is not None and parts[1].lower() in schemes and bool(parts[3])
    is_whole = is_known and parts is not None and (parts[2] is not None or parts[1].lower() in ("mailto", "tel"))
    begins_with_tag = OPENING.match(url) is not None and (parts is None or is_known)
    if not (is_whole or begins_with_tag) or len(written.split()) > 1:
        raise ValueError("must be an address like https://example.com/news")
    return url
