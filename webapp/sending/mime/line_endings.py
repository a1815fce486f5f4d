"""Line ends and dots: how a message stands between DATA and the final dot (RFC 5321, 2.3.8 and 4.5.2)."""

import re

LINE_END = re.compile(rb"\r\n|\r|\n")
DOT = b".\r\n"  # the end of a message, after the CRLF of its last line


class Lines(bytes):
    """Bytes known to have no line end but CRLF, and one at their end: no scan is needed to make sure."""

    __slots__ = ()


class Dotless(Lines):
    """Lines none of which begins with a dot: they are written before the final dot as they are, without a scan."""

    __slots__ = ()


class DotlessAscii(Dotless):
    """Dotless lines of ASCII: no server has to be asked whether it takes more (RFC 6152)."""

    __slots__ = ()


def is_ascii(message: bytes) -> bool:
    """Whether all of a message is ASCII."""
    return isinstance(message, DotlessAscii) or message.isascii()


def normalized(data: bytes) -> Lines:
    """Only CRLF, also where CR or LF stood alone, and CRLF at the end."""
    if isinstance(data, Lines):
        return data
    data = LINE_END.sub(b"\r\n", data) if b"\r" in data else data.replace(b"\n", b"\r\n")
    return Lines(data if data.endswith(b"\r\n") else data + b"\r\n")


def stuffed(message: bytes) -> bytes:
    """A message as it is written before the final dot: no line of it can be taken for the end."""
    if isinstance(message, Dotless):
        return message
    lines: bytes = normalized(message)
    if lines.startswith(b"."):
        lines = b"." + lines
    return lines.replace(b"\n.", b"\n..") if b"\n." in lines else lines  # every LF is that of a CRLF
