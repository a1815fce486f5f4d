"""Splits a template into text and tags in linear time, unlike the library."""

import re
from collections.abc import Iterator

from liquid.exceptions import LiquidSyntaxError
from liquid.token import TOKEN_CONTENT, TOKEN_EXPRESSION, TOKEN_OUTPUT, TOKEN_TAG, Token

TAG_LENGTH = 1_000  # characters between braces, which take quadratic time
TAGS = 1_000
PARTS = 5_000  # words, quoted texts and signs in all tags
PART = re.compile(r"\"[^\"]*\"|'[^']*'|\w+|[^\w\s]")
OPENING = re.compile(r"\{[{%]-?")
NAME = re.compile(r"\s*(#|\w*)\s*")
CLOSING = {"{{": "}}", "{%": "%}"}
# Blocks whose content is not parsed.
UNREAD = {name: re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}") for name in ("raw", "comment")}


def read_tokens(source: str) -> Iterator[Token]:
    """The tokens for the library's parser. Raises LiquidSyntaxError."""
    start, trimmed, tags, parts = 0, False, 0, 0
    while opening := OPENING.search(source, start):
        text = source[start : opening.start()]
        yield from _text(text.rstrip() if opening[0].endswith("-") else text, start, source, trimmed=trimmed)
        tags += 1
        if tags > TAGS:
            raise _fault(f"more than {TAGS:,} tags", opening.start(), source)
        start = _end_of_tag(opening, source)
        inside = source[opening.end() : start - 2].removesuffix("-")
        parts += sum(1 for _ in PART.finditer(inside))
        if parts > PARTS:
            raise _fault(f"the tags have more than {PARTS:,} words and symbols", opening.start(), source)
        name = NAME.match(inside)
        if opening[0].startswith("{%") and name and name[1] in UNREAD:
            closing = UNREAD[name[1]].search(source, start)
            if closing is None:
                raise _fault(f"unclosed {name[1]}; add {{% end{name[1]} %}}", opening.start(), source)
            if name[1] == "raw":
                yield from _text(source[start : closing.start()], start, source, trimmed=source[start - 3] == "-")
            start = closing.end()
        else:
            yield from _tag(opening, inside, name, source)
        trimmed = source[start - 3] == "-"
    yield from _text(source[start:], start, source, trimmed=trimmed)


def _end_of_tag(opening: re.Match[str], source: str) -> int:
    end = source.find(CLOSING[opening[0][:2]], opening.end(), opening.end() + TAG_LENGTH)
    if end < 0:
        is_long = len(source) - opening.end() > TAG_LENGTH
        bound = f", or a tag longer than {TAG_LENGTH:,} characters" if is_long else ""
        raise _fault(f"unclosed tag{bound}; add {CLOSING[opening[0][:2]]}", opening.start(), source)
    return end + 2


def _text(text: str, start: int, source: str, *, trimmed: bool) -> Iterator[Token]:
    text = text.lstrip() if trimmed else text
    if text:
        yield Token(TOKEN_CONTENT, text, start, source)


def _tag(opening: re.Match[str], inside: str, name: re.Match[str] | None, source: str) -> Iterator[Token]:
    if opening[0].startswith("{{"):
        if not inside.strip():
            raise _fault("empty tag", opening.start(), source)
        yield Token(TOKEN_OUTPUT, opening[0], opening.start(), source)
        yield Token(TOKEN_EXPRESSION, inside, opening.end(), source)
    elif name is None or not name[1]:
        raise _fault("tag without a name", opening.start(), source)
    elif name[1] != "#":  # an inline comment
        yield Token(TOKEN_TAG, name[1], opening.start(), source)
        if expression := inside[name.end() :].rstrip():
            yield Token(TOKEN_EXPRESSION, expression, opening.end() + name.end(), source)


def _fault(message: str, at: int, source: str) -> LiquidSyntaxError:
    return LiquidSyntaxError(message, token=Token(TOKEN_TAG, "", at, source))
