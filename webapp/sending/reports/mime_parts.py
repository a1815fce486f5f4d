"""Takes a message apart into its parts (RFC 2045, RFC 2046), bounded, in time linear in its size.

The standard library's parser calls itself for each level of nesting and compares each line with every boundary around
it, so that a message of thousands of nested parts would end it; only its reading of header fields is used here.
"""

import binascii
import quopri
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from email.parser import BytesHeaderParser
from typing import NamedTuple

MAX_BYTES = 1024 * 1024  # of a message; the returned one is at its end, and its header before its body
MAX_PARTS = 100
MAX_DEPTH = 10
MAX_HEADER_BYTES = 64 * 1024
MAX_VALUE = 16 * 1024  # characters of a header field

BLANK_LINE = re.compile(rb"\n\r?\n")
CONTENT_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
MAX_CONTENT_TYPE = 2_000  # characters
BOUNDARY = re.compile(r';\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")

Fields = Mapping[str, list[str]]  # values without line breaks, by names in lower case


class MimePart(NamedTuple):
    fields: Fields
    content_type: str
    body: bytes  # encoded as it came

    def text(self) -> str:
        """The decoded body; its charset is not believed, as all that is looked for is ASCII or UTF-8."""
        return as_text(self.content())

    def content(self) -> bytes:
        """The body without its transfer encoding (RFC 2045, 6)."""
        encoding = first(self.fields, "content-transfer-encoding").lower()
        if encoding == "quoted-printable":
            return quopri.decodestring(self.body)
        if encoding == "base64":
            characters = NOT_BASE64.sub(b"", self.body)
            return binascii.a2b_base64(characters[: len(characters) // 4 * 4] + _rest(characters))
        return self.body


def _rest(characters: bytes) -> bytes:
    """The last characters of base64, filled up; a single one holds no byte."""
    rest = characters[len(characters) // 4 * 4 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""


def read_parts(message: bytes) -> list[MimePart]:
    """The message itself and the parts inside, in their order; what is attached as a message is not taken apart."""
    found: list[MimePart] = []
    waiting = [(message[:MAX_BYTES], 0)]
    while waiting and len(found) < MAX_PARTS:
        raw, depth = waiting.pop()
        part = _read_part(raw)
        found.append(part)
        if part.content_type.startswith("multipart/") and depth < MAX_DEPTH:
            inside = list(_split(part))
            waiting.extend((piece, depth + 1) for piece in reversed(inside))
    return found


def read_fields(header: bytes) -> Fields:
    """The fields of a header (RFC 5322, 2.2), in UTF-8 where it is no ASCII (RFC 6532)."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in BytesHeaderParser().parsebytes(header[:MAX_HEADER_BYTES]).raw_items():
        raw = str(value)[:MAX_VALUE].encode("ascii", "surrogateescape")
        found[name.lower()].append(" ".join(as_text(raw).split()))
    return dict(found)


def header_of(message: bytes) -> bytes:
    """The message up to its first blank line."""
    return _halves(message)[0]


def first(fields: Fields, name: str) -> str:
    """The first value of a field; empty without one."""
    return fields.get(name, [""])[0]


def as_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_part(raw: bytes) -> MimePart:
    header, body = _halves(raw)
    fields = read_fields(header)
    found = CONTENT_TYPE.match(first(fields, "content-type"))
    return MimePart(fields, found[1].lower() if found else "text/plain", body)


def _halves(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith((b"\n", b"\r\n")):
        return b"", raw.partition(b"\n")[2]
    blank = BLANK_LINE.search(raw)
    return (raw[: blank.start() + 1], raw[blank.end() :]) if blank else (raw, b"")


def _split(part: MimePart) -> Iterator[bytes]:
    """The pieces between the lines of the boundary (RFC 2046, 5.1.1); a message that was cut has no last one."""
    boundary = BOUNDARY.search(first(part.fields, "content-type")[:MAX_CONTENT_TYPE])
    if boundary is None:
        return
    mark = re.escape((boundary[1] or boundary[2]).rstrip().encode("utf-8", "surrogateescape"))
    line = re.compile(rb"^--" + mark + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    start = None
    for number, match in enumerate(line.finditer(part.body)):
        if start is not None:
            yield part.body[start : match.start()]
        start = match.end()
        if match[1] or number == MAX_PARTS:
            return
    if start is not None:
        yield part.body[start:]
