"""Bodies and attachments as MIME entities (RFC 2045)."""

import re
from binascii import b2a_base64, b2a_qp

from webapp.sending.mime.line_endings import normalized

PLAIN_LINE = 900  # characters; the limit is 998 (RFC 5322, 2.1.1)
BASE64_LINE = 57  # bytes, encoded as 76 characters (RFC 2045, 6.8)
UNSAFE_IN_QP = bytes({*range(32), *range(127, 256), ord("=")} - {*b"\r\n\t"})
DOTS = re.compile(rb"\n\.+")  # at the start of a line
DOT_IN_QP = b"=2E=\r\n"  # with a soft line break, because the line may be full


def text_entity(subtype: str, text: str) -> bytes:
    """A text part in UTF-8 in the lightest encoding with ASCII lines under 998 bytes and no leading dot."""
    data: bytes = normalized(text.encode("utf-8", "replace"))
    unsafe = len(data) - len(data.translate(None, UNSAFE_IN_QP))
    if unsafe == data.count(b"=") and is_plain(data):
        encoding, body = "7bit", data
    elif 3 * unsafe > len(data) // 2:  # quoted-printable adds two bytes per unsafe one, base64 one per three
        encoding, body = "base64", base64_lines(data)
    else:
        encoding, body = "quoted-printable", quoted_printable(data)
    return entity_head(subtype, encoding) + body


def entity_head(subtype: str, encoding: str) -> bytes:
    return f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()


def is_plain(data: bytes) -> bool:
    """True if every line is short enough and none starts with something that mail servers change.

    Those are boundaries, "From " (mail stores prepend ">") and dots (doubled in SMTP, and some servers leave them so).
    """
    if b"\n--" in data or b"\nFrom " in data or b"\n." in data or data.startswith((b"--", b"From ", b".")):
        return False
    return max(map(len, data.split(b"\r\n"))) <= PLAIN_LINE


def quoted_printable(data: bytes) -> bytes:
    """Lines of at most 76 characters without a leading dot (RFC 2045, 6.7); `data` has CRLF line ends."""
    encoded = b2a_qp(data, istext=True)
    if b"\n" not in data:  # b2a_qp then ends lines with LF
        encoded = encoded.replace(b"\n", b"\r\n")
    if encoded.startswith(b".") or b"\n." in encoded:
        encoded = DOTS.sub(lambda dots: b"\n" + DOT_IN_QP * (len(dots[0]) - 1), b"\n" + encoded)[1:]
    return encoded


def base64_lines(data: bytes) -> bytes:
    pieces = [b2a_base64(data[start : start + BASE64_LINE]) for start in range(0, len(data), BASE64_LINE)]
    return b"".join(pieces).replace(b"\n", b"\r\n")


def multipart(subtype: str, entities: list[list[bytes]]) -> list[bytes]:
    """Joins entities.

    "=_" cannot occur in quoted-printable or base64, no line of a 7bit part starts with "--", and each subtype occurs
    once per message, so the boundary needs no search.
    """
    boundary = b"=_" + subtype.encode()
    extra = b'; type="text/html"' if subtype == "related" else b""
    pieces = [b'Content-Type: multipart/%s; boundary="%s"%s\r\n' % (subtype.encode(), boundary, extra)]
    for entity in entities:
        pieces += [b"\r\n--%s\r\n" % boundary, *entity]
    return [*pieces, b"\r\n--%s--\r\n" % boundary]
