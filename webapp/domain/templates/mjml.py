"""Prepares MJML for the compiler: hides merge tags and comments, and turns its HTML into XML."""

import re
from html.entities import html5

from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.templates.run_compiler import CompilerInput
from webapp.errors import InvalidValue, ValidationError

MJML_BYTES = 256 * 1024
CSS_RULES = 500  # each is matched against every element

# Elements that HTML never closes, but XML does.
VOID = re.compile(
    r"<(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)(?=[\s/>])"
    r"((?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>",
    re.IGNORECASE,
)
AMPERSAND = re.compile(r"&(?!#\d{1,8};|#[xX][0-9a-fA-F]{1,8};)(?:(\w{1,40});)?")
COMMENT = re.compile(r"<!--(.*?)(-->|\Z)", re.DOTALL)
ENDS_EARLY = re.compile(r"-?>|.*?--!>", re.DOTALL)  # by HTML's rules
CONDITION = re.compile(r"\[if\b", re.IGNORECASE)
BARE = re.compile(r"<(?![a-zA-Z/!?])")


def mjml_letter(source: str) -> CompilerInput:
    """Raises ValidationError that names a line."""
    mask = TagMask()
    try:
        read_template(source)
        document = _document(source, mask)
    except ValueError as fault:
        raise ValidationError.at("mjml", fault) from None
    return CompilerInput(document, mask, "mjml", lambda html, _: mask.restore(html))


def _document(source: str, mask: TagMask) -> str:
    if len(source.encode()) > MJML_BYTES:
        raise ValueError(f"must take at most {MJML_BYTES // 1024} KB")
    hidden = _without_comments(mask.hide(source), mask)
    if hidden.count("{") > CSS_RULES:
        raise InvalidValue.bound("most", f"{CSS_RULES} CSS rules")
    return AMPERSAND.sub(_entity, VOID.sub(_closed, hidden))


def _without_comments(source: str, mask: TagMask) -> str:
    """Replaces comments by placeholders, because compilers and browsers disagree about where comments end."""

    def hidden(comment: re.Match[str]) -> str:
        early = ENDS_EARLY.match(comment[1])
        if early or not comment[2]:
            fault = "is ended by HTML's rules before its -->" if early else "is never closed"
            raise _fault(source, comment.start(), mask, f"a comment {fault}")
        if CONDITION.match(comment[1]) and (bare := BARE.search(comment[1])):
            raise _fault(source, comment.start(1) + bare.start(), mask, "write < as &lt;, which Outlook reads here")
        return mask.comment(mask.restore(comment[0]))

    return COMMENT.sub(hidden, source)


def _fault(source: str, at: int, mask: TagMask, words: str) -> ValueError:
    return ValueError(f"has an error at line {mask.restore(source[:at]).count(chr(10)) + 1}: {words}")


def _closed(element: re.Match[str]) -> str:
    return f"<{element[1].lower()}{element[2].removesuffix('/')}/>"


def _entity(ampersand: re.Match[str]) -> str:
    return ampersand[0] if ampersand[1] and f"{ampersand[1]};" in html5 else f"&amp;{ampersand[0][1:]}"
