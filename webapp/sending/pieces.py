"""A text part in pieces: what all recipients get of it is encoded once, of each message only the values."""

from binascii import b2a_qp
from collections.abc import Sequence

from webapp.sending.lines import normalized
from webapp.sending.mime import PLAIN_LINE, UNSAFE_IN_QP, entity_head, is_plain, text_entity

SOFT_BREAK = b"=\r\n"  # is nothing when decoded, and the next piece begins a line (RFC 2045, 6.7)


class Pieces:
    """Literals with a place for a value between each two."""

    def __init__(self, subtype: str, literals: Sequence[str]) -> None:
        """Encode the literals."""
        self._subtype, self._literals = subtype, tuple(literals)
        encoded = [_lines(literal) for literal in literals]
        encoded[-1] = normalized(encoded[-1])
        together = b"".join(encoded)
        unsafe = len(together) - len(together.translate(None, UNSAFE_IN_QP))
        is_cut = any(literal.endswith("\r") for literal in literals)  # its LF may be behind a value that is empty
        self._can_join = not is_cut and 3 * unsafe <= len(together) // 2
        self._plain: list[bytes] | None = None
        self._room = 0
        if self._can_join and unsafe == together.count(b"=") and is_plain(together) and is_plain(b"x".join(encoded)):
            self._plain = [entity_head(subtype, "7bit") + encoded[0], *encoded[1:]]
            self._room = PLAIN_LINE - max(map(len, together.split(b"\r\n")))
        self._qp = [_quoted_printable(one) for one in encoded]
        self._qp[0] = entity_head(subtype, "quoted-printable") + self._qp[0]

    def fill(self, values: Sequence[str]) -> bytes:
        """The entity with these values, one for each place, as `text_entity` makes it of the whole."""
        together = "".join(values)
        if together.isprintable() and self._can_join:
            if self._plain is not None and together.isascii() and self._fits(values, together):
                return _interleaved(self._plain, together.encode() if len(values) == 1 else None, values)
            return self._quoted(values)
        whole = self._literals[0] + "".join(
            value + literal for value, literal in zip(values, self._literals[1:], strict=True)
        )
        return text_entity(self._subtype, whole)

    def _fits(self, values: Sequence[str], together: str) -> bool:
        """Whether no line gets too long, or begins as a boundary or as what mail stores change."""
        return len(together) <= self._room and not any(value.startswith(("-", "From ")) for value in values)

    def _quoted(self, values: Sequence[str]) -> bytes:
        pieces = [self._qp[0]]
        for value, literal in zip(values, self._qp[1:], strict=True):
            pieces += (SOFT_BREAK, _quoted_printable(value.encode("utf-8", "replace")), SOFT_BREAK, literal)
        return b"".join(pieces)


def _interleaved(literals: list[bytes], only: bytes | None, values: Sequence[str]) -> bytes:
    if only is not None:
        return literals[0] + only + literals[1]
    pieces = [literals[0]]
    for value, literal in zip(values, literals[1:], strict=True):
        pieces += (value.encode(), literal)
    return b"".join(pieces)


def _lines(literal: str) -> bytes:
    """A literal with CRLF line ends, and none added at its end."""
    return literal.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n").encode("utf-8", "replace")


def _quoted_printable(data: bytes) -> bytes:
    """`data` encoded; its own soft line ends are LF where the data have none."""
    return b2a_qp(data, istext=True).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
