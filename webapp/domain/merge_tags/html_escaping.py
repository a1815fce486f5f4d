"""How a value stands in html: escaped, wherever it is, and without a scheme that could run where it begins an address.

Where it stands is told by all that was written before it, read as a browser reads it: conditions leave text out, so
that a template alone does not tell.
"""

import html
import re
from enum import Enum, auto
from typing import NamedTuple

SCHEMES = {"http", "https", "mailto", "tel", "cid"}
ADDRESSES = {"href", "src", "action", "formaction", "background", "poster", "cite", "data", "longdesc"}  # attributes
KEPT = 100  # characters of an attribute's name, and of an address: no scheme is longer
ENDS_UNQUOTED = re.compile(r"[\s=`]")  # for somebody: browsers take few of the spaces for one

OPENING = re.compile(r"<(?:!--(?!\[)|/?(?:[a-z]|\Z))", re.IGNORECASE)  # Outlook reads what is in <!--[if mso]>
COMMENT_END = re.compile(r"--!?>")
TAG_PART = re.compile(r"[=>]")
VALUE_START = re.compile(r"[ \t\n\f\r]*([\"'>]?)")
UNQUOTED_END = re.compile(r"[ \t\n\f\r>]")
NAME = re.compile(r"[^\s/\"'<>=:]+\s*\Z")  # without a namespace
SCHEME_ENDS = re.compile(r"[/?#:]")
PATH_STARTS = re.compile(r"[/?#]")
PAST_SCHEME = "/"  # stands for all that addresses begin with: then the text behind them is read once for everybody


class Within(Enum):
    """What the next character belongs to."""

    TEXT = auto()
    COMMENT = auto()
    TAG = auto()  # its name, or an attribute's
    VALUE = auto()  # of an attribute; quotes may come
    QUOTED = auto()
    UNQUOTED = auto()


class Place(NamedTuple):
    """Where in html the next character stands. `text` is what came before it of a name, an address or a comment."""

    within: Within = Within.TEXT
    text: str = ""
    is_address: bool = False
    quote: str = ""


def place_after(place: Place, text: str) -> Place:
    """Where one is when the text has been written."""
    at = 0
    while at < len(text):
        place, at = _STEPS[place.within](place, text, at)
    return place


def _in_text(place: Place, text: str, at: int) -> tuple[Place, int]:
    opening = OPENING.search(text, at)
    if opening is None:
        return place, len(text)
    if opening[0].startswith("<!"):
        return Place(Within.COMMENT), opening.start() + 2  # <!--> is a whole one
    return Place(Within.TAG), opening.end()


def _in_comment(place: Place, text: str, at: int) -> tuple[Place, int]:
    before = place.text + text[at:]
    end = COMMENT_END.search(before)
    if end is None:
        return Place(Within.COMMENT, before[-3:]), len(text)
    return Place(), at + end.end() - len(place.text)


def _in_tag(place: Place, text: str, at: int) -> tuple[Place, int]:
    part = TAG_PART.search(text, at)
    before = place.text + text[at : part.start() if part else len(text)]
    if part is None:
        return Place(Within.TAG, before[-KEPT:]), len(text)
    if part[0] == ">":
        return Place(), part.end()
    name = NAME.search(before[-KEPT:])
    return Place(Within.VALUE, is_address=name is not None and name[0].strip().lower() in ADDRESSES), part.end()


def _in_value(place: Place, text: str, at: int) -> tuple[Place, int]:
    start = VALUE_START.match(text, at)
    if start is None or (start.end() == len(text) and not start[1]):
        return place, len(text)
    if start[1] == ">":
        return Place(), start.end()
    within = Within.QUOTED if start[1] else Within.UNQUOTED
    return place._replace(within=within, quote=start[1]), start.end()


def _in_quotes(place: Place, text: str, at: int) -> tuple[Place, int]:
    end = text.find(place.quote, at)
    if end >= 0:
        return Place(Within.TAG), end + 1
    return _longer(place, text[at:]), len(text)


def _without_quotes(place: Place, text: str, at: int) -> tuple[Place, int]:
    end = UNQUOTED_END.search(text, at)
    if end is not None:
        return Place(Within.TEXT if end[0] == ">" else Within.TAG), end.end()
    return _longer(place, text[at:]), len(text)


def _longer(place: Place, text: str) -> Place:
    """The place with more of an address before it, as a browser sees it."""
    if not place.is_address or place.text == PAST_SCHEME or len(place.text) >= KEPT:
        return place
    before = (place.text + html.unescape(text.lstrip()[: KEPT * 10])).lstrip()[:KEPT]
    return place._replace(text=PAST_SCHEME if SCHEME_ENDS.search(before) else before)


ENDED_BY_SPACES = (Within.TAG, Within.VALUE, Within.UNQUOTED)

_STEPS = {
    Within.TEXT: _in_text,
    Within.COMMENT: _in_comment,
    Within.TAG: _in_tag,
    Within.VALUE: _in_value,
    Within.QUOTED: _in_quotes,
    Within.UNQUOTED: _without_quotes,
}


def escaped(text: str, place: Place, following: str) -> str:
    """The text as it may stand there; nothing where it would begin an address with a scheme that could run.

    `following` is the character that the template has behind it.
    """
    if place.is_address and not _is_harmless(place.text, text + (":" if following == ":" else "")):
        return ""
    if "&" in text or "<" in text or ">" in text or '"' in text or "'" in text:  # few have any, and this takes no time
        text = html.escape(text)
    if place.within in ENDED_BY_SPACES:
        return ENDS_UNQUOTED.sub(lambda found: f"&#{ord(found[0])};", text)
    return text


def _is_harmless(before: str, url: str) -> bool:
    """Whether an address that goes on with `url` has a scheme that does no harm, or none, or one of the template's."""
    if before == PAST_SCHEME:
        return True
    scheme, colon, _ = (before + url).partition(":")
    if not colon or scheme.strip().lower() in SCHEMES:
        return True
    return PATH_STARTS.search(scheme) is not None  # then it is none: the colon stands behind it
