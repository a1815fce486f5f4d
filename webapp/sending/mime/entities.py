"""Bodies and attachments as MIME entities: header fields, a blank line and the encoded bytes (RFC 2045)."""

import re
from binascii import b2a_base64, b2a_qp

from webapp.sending.mime.line_endings import normalized

PLAIN_LINE = 900  # characters; 998 is the end (RFC 5322, 2.1.1)
BASE64_LINE = 57  # bytes that make 76 characters (RFC 2045, 6.8)
UNSAFE_IN_QP = bytes({*range(32), *range(127, 256), ord("=")} - {*b"\r\n\t"})
DOTS = re.compile(rb"\n\.+")  # that begin a line
DOT_IN_QP = b"=2E=\r\n"  # with a soft line break, as the line may be full


def text_entity(subtype: str, text: str) -> bytes:
    """A text part in UTF-8, encoded as little as possible: ASCII in lines under 998 bytes, none with a dot first."""
    data: bytes = normalized(text.encode("utf-8", "replace"))
    unsafe = len(data) - len(data.translate(None, UNSAFE_IN_QP))
    if unsafe == data.count(b"=") and is_plain(data):
        encoding, body = "7bit", data
    elif 3 * unsafe > len(data) // 2:  # quoted-printable adds two bytes for each, base64 one for every three
        encoding, body = "base64", base64_lines(data)
    else:
        encoding, body = "quoted-printable", quoted_printable(data)
    return entity_head(subtype, encoding) + body


def entity_head(subtype: str, encoding: str) -> bytes:
    return f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()


def is_plain(data: bytes) -> bool:
    """True when no line is too long, or begins with what may be changed on the way.

    That is a boundary, "From " (mail stores put a ">" before it) and a dot (doubled in SMTP, and left so by some).
    """
    if b"\n--" in data or b"\nFrom " in data or b"\n." in data or data.startswith((b"--", b"From ", b".")):
        return False
    return max(map(len, data.split(b"\r\n"))) <= PLAIN_LINE


def quoted_printable(data: bytes) -> bytes:
    """Lines of 76 that do not begin with a dot (RFC 2045, 6.7), from data with CRLF line ends."""
    encoded = b2a_qp(data, istext=True)
    if b"\n" not in data:  # then it ends its lines with LF
        encoded = encoded.replace(b"\n", b"\r\n")
    if encoded.startswith(b".") or b"\n." in encoded:
        encoded = DOTS.sub(lambda dots: b"\n" + DOT_IN_QP * (len(dots[0]) - 1), b"\n" + encoded)[1:]
    return encoded


def base64_lines(data: bytes) -> bytes:
    pieces = [b2a_base64(data[start : start + BASE64_LINE]) for start in range(0, len(data), BASE64_LINE)]
    return b"".join(pieces).replace(b"\n", b"\r\n")


def multipart(subtype: str, entities: list[list[bytes]]) -> list[bytes]:
    """One entity of several.

    The boundary needs no search: "=_" cannot occur in quoted-printable or base64, and no line of a 7bit part starts
    with "--". Each subtype occurs once in a message.
    """
    boundary = b"=_" + subtype.encode()
    extra = b'; type="text/html"' if subtype == "related" else b""
    pieces = [b'Content-Type: multipart/%s; boundary="%s"%s\r\n' % (subtype.encode(), boundary, extra)]
    for entity in entities:
        pieces += [b"\r\n--%s\r\n" % boundary, *entity]
    return [*pieces, b"\r\n--%s--\r\n" % boundary]
