"""Line ends and dot-stuffing, as sent between DATA and the final dot (RFC 5321, 2.3.8 and 4.5.2)."""

import re

COMPARED = 64 * 1024  # bytes at a time, because a line takes the memory of an object
LINE_END = re.compile(rb"\r\n|\r|\n")
DOT = b".\r\n"  # ends a message, after the CRLF of its last line


class Lines(bytes):
    """Bytes that are known to have CRLF line ends only and end with one, so they need no scan."""

    __slots__ = ()


class DotStuffed(Lines):
    __slots__ = ()


class DotStuffedAscii(DotStuffed):
    """Dot-stuffed ASCII, which needs no 8BITMIME (RFC 6152)."""

    __slots__ = ()


def is_ascii(message: bytes) -> bool:
    return isinstance(message, DotStuffedAscii) or message.isascii()


def has_bare_line_end(message: bytes) -> bool:
    """True unless each CR is followed by LF, and each LF follows a CR, at the end too."""
    start = 0
    while start < len(message):
        end = message.find(b"\n", start + COMPARED) + 1 or len(message)
        lines = message[start:end]
        if b"\r\n".join([*lines.splitlines(), b""]) != lines:  # a third of the time of counting them
            return True
        start = end
    return False


def normalized(data: bytes) -> Lines:
    """Turns lone CR and LF into CRLF and appends one at the end if needed."""
    if isinstance(data, Lines):
        return data
    data = LINE_END.sub(b"\r\n", data) if b"\r" in data else data.replace(b"\n", b"\r\n")
    return Lines(data if data.endswith(b"\r\n") else data + b"\r\n")


def dot_stuff(message: bytes) -> bytes:
    if isinstance(message, DotStuffed):
        return message
    lines: bytes = normalized(message)
    if lines.startswith(b"."):
        lines = b"." + lines
    return lines.replace(b"\n.", b"\n..") if b"\n." in lines else lines  # every LF follows a CR
