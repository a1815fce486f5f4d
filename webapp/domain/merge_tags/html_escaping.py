"""Escapes values by their position in the HTML written so far, and drops script addresses."""

import html
import re
from enum import Enum, auto
from typing import NamedTuple

SCHEMES = {"http", "https", "mailto", "tel", "cid"}
ADDRESSES = {"href", "src", "action", "formaction", "background", "poster", "cite", "data", "longdesc"}  # attributes
NAME_LENGTH = 100  # characters; longer than any scheme
ENDS_UNQUOTED = re.compile(r"[\s=`]")  # browsers differ about spaces

OPENING = re.compile(r"<(?:!--(?!\[)|/?(?:[a-z]|\Z))", re.IGNORECASE)  # Outlook reads inside <!--[if mso]>
COMMENT_END = re.compile(r"--!?>")
TAG_PART = re.compile(r"[=>]")
VALUE_START = re.compile(r"[ \t\n\f\r]*([\"'>]?)")
VALUE_ENDS = {'"': re.compile('"'), "'": re.compile("'"), "": re.compile(r"[ \t\n\f\r>]")}  # by the quote before it
NAME = re.compile(r"[^\s/\"'<>=:]+\s*\Z")  # without namespace
SCHEME_ENDS = re.compile(r"[/?#:]")
PATH_STARTS = re.compile(r"[/?#]")
SCHEME_DONE = "/"  # stands for every address beginning, so that contexts are equal for all recipients


class HtmlState(Enum):
    TEXT = auto()
    COMMENT = auto()
    TAG = auto()  # in its name or an attribute's
    VALUE = auto()  # of an attribute, before a quote
    QUOTED = auto()
    UNQUOTED = auto()


class HtmlContext(NamedTuple):
    """The position of the next character; `text` is the partial name, address or comment before it."""

    state: HtmlState = HtmlState.TEXT
    text: str = ""
    is_address: bool = False
    quote: str = ""


def advance(context: HtmlContext, text: str) -> HtmlContext:
    at = 0
    while at < len(text):
        context, at = _STEPS[context.state](context, text, at)
    return context


def _in_text(context: HtmlContext, text: str, at: int) -> tuple[HtmlContext, int]:
    opening = OPENING.search(text, at)
    if opening is None:
        return context, len(text)
    if opening[0].startswith("<!"):
        return HtmlContext(HtmlState.COMMENT), opening.start() + 2  # <!--> is a complete comment
    return HtmlContext(HtmlState.TAG), opening.end()


def _in_comment(context: HtmlContext, text: str, at: int) -> tuple[HtmlContext, int]:
    before = context.text + text[at:]
    end = COMMENT_END.search(before)
    if end is None:
        return HtmlContext(HtmlState.COMMENT, before[-3:]), len(text)
    return HtmlContext(), at + end.end() - len(context.text)


def _in_tag(context: HtmlContext, text: str, at: int) -> tuple[HtmlContext, int]:
    part = TAG_PART.search(text, at)
    before = context.text + text[at : part.start() if part else len(text)]
    if part is None:
        return HtmlContext(HtmlState.TAG, before[-NAME_LENGTH:]), len(text)
    if part[0] == ">":
        return HtmlContext(), part.end()
    name = NAME.search(before[-NAME_LENGTH:])
    return HtmlContext(
        HtmlState.VALUE, is_address=name is not None and name[0].strip().lower() in ADDRESSES
    ), part.end()


def _in_value(context: HtmlContext, text: str, at: int) -> tuple[HtmlContext, int]:
    start = VALUE_START.match(text, at)
    if start is None or (start.end() == len(text) and not start[1]):
        return context, len(text)
    if start[1] == ">":
        return HtmlContext(), start.end()
    state = HtmlState.QUOTED if start[1] else HtmlState.UNQUOTED
    return context._replace(state=state, quote=start[1]), start.end()


def _inside_value(context: HtmlContext, text: str, at: int) -> tuple[HtmlContext, int]:
    end = VALUE_ENDS[context.quote].search(text, at)
    if end is not None:
        return HtmlContext(HtmlState.TEXT if end[0] == ">" else HtmlState.TAG), end.end()
    if not context.is_address or context.text == SCHEME_DONE or len(context.text) >= NAME_LENGTH:
        return context, len(text)
    before = (context.text + html.unescape(text[at:].lstrip()[: NAME_LENGTH * 10])).lstrip()[:NAME_LENGTH]
    return context._replace(text=SCHEME_DONE if SCHEME_ENDS.search(before) else before), len(text)


ENDED_BY_SPACES = (HtmlState.TAG, HtmlState.VALUE, HtmlState.UNQUOTED)

_STEPS = {
    HtmlState.TEXT: _in_text,
    HtmlState.COMMENT: _in_comment,
    HtmlState.TAG: _in_tag,
    HtmlState.VALUE: _in_value,
    HtmlState.QUOTED: _inside_value,
    HtmlState.UNQUOTED: _inside_value,
}


def escaped(text: str, context: HtmlContext, following: str) -> str:
    """The escaped text, or nothing if it would begin an address with a script scheme."""
    if context.is_address and not _is_harmless(context.text, text + (":" if following == ":" else "")):
        return ""
    if (
        "&" in text or "<" in text or ">" in text or '"' in text or "'" in text
    ):  # because html.escape is slow and rarely needed
        text = html.escape(text)
    if context.state in ENDED_BY_SPACES:
        return ENDS_UNQUOTED.sub(lambda match: f"&#{ord(match[0])};", text)
    return text


def _is_harmless(before: str, url: str) -> bool:
    if before == SCHEME_DONE or (not before and url.startswith(("https://", "http://"))):
        return True
    scheme, colon, _ = (before + url).partition(":")
    if not colon or scheme.strip().lower() in SCHEMES:
        return True
    return PATH_STARTS.search(scheme) is not None  # the colon is part of the path
