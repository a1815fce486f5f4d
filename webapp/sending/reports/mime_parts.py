"""Splits a message into its parts (RFC 2045, RFC 2046), bounded and in linear time.

The standard library's parser recurses per level and compares each line with every boundary, so only its header parser
is used.
"""

import quopri
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from email.parser import BytesHeaderParser
from typing import NamedTuple

from webapp.sending.mime.decoding import MAX_VALUE, decode_base64, read_filename

MAX_BYTES = 1024 * 1024  # of a message
MAX_PARTS = 100
MAX_DEPTH = 10
MAX_HEADER_BYTES = 64 * 1024

BLANK_LINE = re.compile(rb"\n\r?\n")
CONTENT_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
MAX_CONTENT_TYPE = 2_000  # characters
BOUNDARY = re.compile(r';\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)

CHARSET = re.compile(r';\s*charset\s*=\s*"?([\w.:-]{1,40})', re.IGNORECASE)

Fields = Mapping[str, list[str]]  # unfolded values by lower-case name


class MimePart(NamedTuple):
    fields: Fields
    content_type: str
    body: bytes  # still encoded

    @property
    def filename(self) -> str | None:
        """As the sender states it, which may be a path."""
        return read_filename(first(self.fields, "content-disposition"), first(self.fields, "content-type"))

    @property
    def charset(self) -> str:
        stated = CHARSET.search(first(self.fields, "content-type"))
        return stated[1] if stated else "utf-8"

    @property
    def is_file(self) -> bool:
        """True for what a mail program shows as a file, not as the message."""
        is_text = self.content_type in ("text/plain", "text/html")
        is_attached = first(self.fields, "content-disposition").lower().startswith("attachment")
        return not is_text or is_attached or self.filename is not None

    def text(self) -> str:
        """Ignores the charset, because everything of interest is ASCII or UTF-8."""
        return as_text(self.content())

    def content(self) -> bytes:
        """The body without its transfer encoding (RFC 2045, 6)."""
        encoding = first(self.fields, "content-transfer-encoding").lower()
        if encoding == "quoted-printable":
            return quopri.decodestring(self.body)
        if encoding == "base64":
            return decode_base64(self.body)
        return self.body


def read_parts(message: bytes, max_bytes: int = MAX_BYTES) -> list[MimePart]:
    """The message itself and its parts in order; attached messages are not split."""
    parts: list[MimePart] = []
    waiting = [(message[:max_bytes], 0)]
    while waiting and len(parts) < MAX_PARTS:
        raw, depth = waiting.pop()
        header, body = _halves(raw)
        fields = read_fields(header)
        match = CONTENT_TYPE.match(first(fields, "content-type"))
        part = MimePart(fields, match[1].lower() if match else "text/plain", body)
        parts.append(part)
        if part.content_type.startswith("multipart/") and depth < MAX_DEPTH:
            inside = list(_split(part))
            waiting.extend((piece, depth + 1) for piece in reversed(inside))
            parts[-1] = part._replace(body=b"")  # its parts have it: nested ones would multiply the memory
    return parts


def read_fields(header: bytes) -> Fields:
    """The fields of a header (RFC 5322, 2.2), in UTF-8 if not ASCII (RFC 6532)."""
    fields: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in ordered_fields(header):
        fields[name].append(value)
    return dict(fields)


def ordered_fields(header: bytes) -> Iterator[tuple[str, str]]:
    """The lower-case names and unfolded values of a header's fields, the topmost first."""
    for name, value in BytesHeaderParser().parsebytes(header[:MAX_HEADER_BYTES]).raw_items():
        raw = str(value)[:MAX_VALUE].encode("ascii", "surrogateescape")
        yield name.lower(), " ".join(as_text(raw).split())


def header_of(message: bytes) -> bytes:
    return _halves(message)[0]


def first(fields: Fields, name: str) -> str:
    """The first value of a field, or an empty string."""
    return fields.get(name, [""])[0]


def as_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _halves(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith((b"\n", b"\r\n")):
        return b"", raw.partition(b"\n")[2]
    blank = BLANK_LINE.search(raw)
    return (raw[: blank.start() + 1], raw[blank.end() :]) if blank else (raw, b"")


def _split(part: MimePart) -> Iterator[bytes]:
    """The bytes between the boundary lines (RFC 2046, 5.1.1); a cut message has no closing one."""
    boundary = BOUNDARY.search(first(part.fields, "content-type")[:MAX_CONTENT_TYPE])
    if boundary is None:
        return
    mark = re.escape((boundary[1] or boundary[2]).rstrip().encode("utf-8", "surrogateescape"))
    line = re.compile(rb"^--" + mark + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    start = None
    for number, match in enumerate(line.finditer(part.body)):
        if start is not None:
            yield part.body[start : match.start()].removesuffix(b"\n").removesuffix(b"\r")  # the boundary's line end
        start = match.end()
        if match[1] or number == MAX_PARTS:
            return
    if start is not None:
        yield part.body[start:]
