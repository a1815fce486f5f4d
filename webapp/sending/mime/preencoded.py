"""A text part encoded once for all recipients, with slots for each message's values."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import AnyStr

from webapp.sending.mime.entities import PLAIN_LINE, UNSAFE_IN_QP, entity_head, is_plain, quoted_printable, text_entity
from webapp.sending.mime.line_endings import normalized

QP_LINE = 75  # characters before a soft break
SOFT_LINE = re.compile(rf".{{1,{QP_LINE}}}")
SOFT_BREAK = b"=\r\n"  # decoded to nothing (RFC 2045, 6.7)
UNSAFE_START = re.compile(r"\n(?:[-.]|From )")  # of a line, see `is_plain`


class RenderedValues:
    __slots__ = ("_quoted", "is_printable", "longest", "plain", "texts", "together")

    def __init__(self, texts: Sequence[str]) -> None:
        """`plain` stays None if a value must not begin a line of a 7bit part."""
        self.texts = texts
        self.together = "".join(texts)
        self.longest = max(map(len, texts), default=0)
        self.is_printable = self.together.isprintable()  # which excludes line ends
        self.plain: list[bytes] | None = None
        self._quoted: list[bytes] | None = None
        if self.is_printable and self.together.isascii() and not UNSAFE_START.search("\n" + "\n".join(texts)):
            self.plain = [text.encode() for text in texts]

    @property
    def quoted(self) -> list[bytes]:
        if self._quoted is None:
            encode = _folded if self.plain is not None and "=" not in self.together else _quoted
            encoded = [encode(text) for text in self.texts]
            self._quoted = [SOFT_BREAK + value + SOFT_BREAK for value in encoded]
        return self._quoted


class PreencodedPart:
    def __init__(self, subtype: str, literals: Sequence[str], order: Sequence[int] | None = None) -> None:
        """`order` has the value's number for each slot; by default they are used in sequence."""
        self._subtype, self._literals, self._order = subtype, with_gaps(literals, ""), order
        encoded = [_lines(literal) for literal in literals]
        encoded[-1] = normalized(encoded[-1])
        together = b"".join(encoded)
        unsafe = len(together) - len(together.translate(None, UNSAFE_IN_QP))
        is_cut = any(literal.endswith("\r") for literal in literals)  # its LF may follow an empty value
        self._can_join = not is_cut and 3 * unsafe <= len(together) // 2
        numbers = range(len(literals) - 1) if order is None else order
        self._ends_in = numbers[-1] if numbers and not literals[-1] else None  # the value that ends the text
        self._plain: list[bytes] | None = None
        self._room = 0  # characters that a value may add to the fullest line
        if self._can_join and unsafe == together.count(b"=") and is_plain(together) and is_plain(b"x".join(encoded)):
            self._plain = with_gaps([entity_head(subtype, "7bit") + encoded[0], *encoded[1:]], b"")
            room = PLAIN_LINE - max(map(len, together.split(b"\r\n")))
            lines = itertools.accumulate(literal.count(b"\r\n") for literal in encoded[:-1])
            self._room = room // max(Counter(lines).values(), default=1)  # the most values in one line
        first, *others = map(quoted_printable, encoded)
        self._quoted = with_gaps([entity_head(subtype, "quoted-printable") + first, *others], b"")

    def fill(self, values: RenderedValues) -> list[bytes]:
        """Equal to `text_entity` of the filled text."""
        is_open = self._ends_in is not None and not values.texts[self._ends_in]  # the text may end in a line end
        if is_open or not values.is_printable or not self._can_join:
            return [text_entity(self._subtype, "".join(self._filled(self._literals, values.texts)))]
        if self._plain is not None and values.plain is not None and values.longest <= self._room:
            return self._filled(self._plain, values.plain)
        return self._filled(self._quoted, values.quoted)

    def _filled(self, literals: list[AnyStr], values: Sequence[AnyStr]) -> list[AnyStr]:
        return fill_gaps(literals, values if self._order is None else [values[number] for number in self._order])


def with_gaps(literals: Sequence[AnyStr], gap: AnyStr) -> list[AnyStr]:
    pieces = [gap] * (2 * len(literals) - 1)
    pieces[::2] = literals
    return pieces


def fill_gaps(literals: list[AnyStr], values: Sequence[AnyStr]) -> list[AnyStr]:
    """Raises ValueError if there are not as many values as gaps."""
    pieces = literals.copy()
    pieces[1::2] = values
    return pieces


def _quoted(text: str) -> bytes:
    return quoted_printable(text.encode("utf-8", "replace"))


def _folded(text: str) -> bytes:
    """Encodes a text that is plain but for its length, such as a tracked link, in a third of the time."""
    if len(text) <= QP_LINE:
        return text.encode()
    lines = SOFT_LINE.findall(text)
    return _quoted(text) if any(line[0] == "." for line in lines) else "=\r\n".join(lines).encode()


def _lines(literal: str) -> bytes:
    return literal.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n").encode("utf-8", "replace")
