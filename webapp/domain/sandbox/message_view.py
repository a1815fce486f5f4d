"""Reads a received message for display within bounds; never raises. Call it in a thread."""

import base64
import re
from dataclasses import dataclass, field
from email import encoders, message_from_bytes, policy
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import islice
from typing import NamedTuple

from webapp.domain.contacts.unsubscribe import hide_links
from webapp.sending.mime.decoding import MAX_VALUE, decode_text, decode_words
from webapp.sending.reports.mime_parts import MAX_HEADER_BYTES, MimePart, first, header_of, read_parts

HEADERS_SHOWN = 500
TEXT_SHOWN = 512 * 1024  # characters of a body or of the raw message
INLINE_BYTES = 4 * 1024 * 1024  # of a page's inline images, counted each time they occur
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
CID = re.compile(r"""cid:([^"'\s<>)]{1,998})""", re.IGNORECASE)
NO_IMAGE = "data:,"
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
UNREADABLE = "This message isn't valid (RFC 5322), so only its source is available."


class Attached(NamedTuple):
    position: int
    filename: str
    content_type: str
    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)


@dataclass
class ParsedMessage:
    """`images` are by Content-ID."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    html: str | None = None
    text: str | None = None
    attachments: list[Attached] = field(default_factory=list)
    images: dict[str, Attached] = field(default_factory=dict)
    raw: str = ""
    is_cut: bool = False


def without_links(data: bytes) -> bytes:
    try:
        message = message_from_bytes(data, policy=policy.compat32)
        changed = [_hide_in_part(part) for part in message.walk()]
        return message.as_bytes() if any(changed) else data
    except Exception:  # noqa: BLE001 - as in `parse`; nobody knows what such a message may have in it
        return UNREADABLE.encode()


def _hide_in_part(part: "Message[str, str]") -> bool:
    fields = [(name, str(value)) for name, value in part.raw_items()]
    hidden = [(name, _hidden_in_header(value)) for name, value in fields]
    if has_changed := hidden != fields:
        for name, _ in fields:
            del part[name]
        for name, value in hidden:
            part[name] = value
    if part.is_multipart():
        return has_changed
    body = _bytes(part).decode("latin-1")  # links are ASCII in any charset
    if (plain := hide_links(body)) == body:
        return has_changed
    del part["Content-Transfer-Encoding"]
    part.set_payload(plain.encode("latin-1"))
    encoders.encode_quopri(part)
    return True


def _hidden_in_header(value: str) -> str:
    plain = _header(value)
    return value if (hidden := hide_links(plain)) == plain else hidden


def render(data: bytes) -> str:
    """The HTML, if any, with inline images (RFC 2392) as data: URIs, up to INLINE_BYTES."""
    opened, room = parse(data), INLINE_BYTES

    def insert(match: re.Match[str]) -> str:
        nonlocal room
        image = opened.images.get(match[1])
        if image is None:
            return NO_IMAGE
        size = len(_uri(image._replace(data=b""))) + -(-image.size // 3) * 4
        if size > room:  # encoded only if it fits, because a page may use an image 60,000 times
            return NO_IMAGE
        room -= size
        return _uri(image)

    return CID.sub(insert, opened.html or "")


def _uri(image: Attached) -> str:
    return f"data:{image.content_type};base64,{base64.b64encode(image.data).decode()}"


def parse(data: bytes) -> ParsedMessage:
    opened = ParsedMessage(raw=_printable(data[:TEXT_SHOWN].decode("utf-8", "replace")), is_cut=len(data) > TEXT_SHOWN)
    fields = BytesHeaderParser().parsebytes(header_of(data)[:MAX_HEADER_BYTES]).raw_items()
    opened.headers = [(_printable(name), _header(value)) for name, value in islice(fields, HEADERS_SHOWN)]
    for number, part in enumerate(read_parts(data, len(data))):
        if part.content_type == "text/html" and not part.is_file and opened.html is None:
            opened.html = _text(part)
        elif part.content_type == "text/plain" and not part.is_file and opened.text is None:
            opened.text = _text(part)
        elif not part.content_type.startswith("multipart/"):
            file = Attached(number, _filename(part, number), part.content_type, part.content())
            opened.attachments.append(file)
            content_id = first(part.fields, "content-id").strip().strip("<>")
            if content_id and part.content_type in IMAGES:
                opened.images[content_id] = file
    return opened


def _bytes(part: "Message[str, str]") -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: MimePart) -> str:
    return _printable(decode_text(part.content(), part.charset)[:TEXT_SHOWN])


def _filename(part: MimePart, number: int) -> str:
    name = _header(part.filename or "").replace("/", "_").replace("\\", "_").strip(". ")
    return name[:200] or f"part-{number}"


def _header(value: object) -> str:
    """A decoded header (RFC 2047, RFC 6532) in one line."""
    return " ".join(_printable(decode_words(str(value)[:MAX_VALUE])).split())


def _printable(text: str) -> str:
    return CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))
