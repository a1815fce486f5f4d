"""Checks the addresses that a letter links to and shows."""

import re

from webapp.domain.merge_tags.lexer import OPENING
from webapp.domain.merge_tags.masking import without_tags

URL_LENGTH = 2_000  # characters
LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
IMAGE_SCHEMES = frozenset({"http", "https"})
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(//)?(.*)", re.IGNORECASE)
BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0]")  # which browsers leave out of a scheme


def check_link(url: str) -> str:
    """Raises ValueError unless it is an address that mail programs open, or begins with a merge tag."""
    return _checked(url, LINK_SCHEMES)


def check_letter_link(url: str) -> None:
    """Raises ValueError unless it is empty, leads to a place in the email or to a path, or `check_link` takes it."""
    written = url.strip()
    if written and not written.startswith(("#", "/")):
        check_link(written)


def check_image(url: str) -> str:
    """Raises ValueError unless it is the address of a picture on the web, or begins with a merge tag."""
    return _checked(url, IMAGE_SCHEMES)


def _checked(url: str, schemes: frozenset[str]) -> str:
    url = url.strip()
    written = without_tags(url)
    found = SCHEME.match(BLANKS.sub("", written))
    is_known = found is not None and found[1].lower() in schemes and bool(found[3])
    is_whole = is_known and found is not None and (found[2] is not None or found[1].lower() in ("mailto", "tel"))
    begins_with_tag = OPENING.match(url) is not None and (found is None or is_known)
    if not (is_whole or begins_with_tag) or len(written.split()) > 1:
        raise ValueError("must be an address like https://example.com/news")
    return url
