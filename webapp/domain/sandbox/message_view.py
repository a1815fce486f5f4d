"""Parses a received message for display within bounds; never raises. Call it in a thread."""

import base64
import re
from dataclasses import dataclass, field
from email import encoders, message_from_bytes, policy
from email.message import Message
from typing import NamedTuple

from webapp.domain.contacts.unsubscribe import hide_links
from webapp.sending.mime.headers import decode_words

PARTS_SHOWN = 200
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
    """`images` are by Content-ID; `trouble` says what could not be read."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    html: str | None = None
    text: str | None = None
    attachments: list[Attached] = field(default_factory=list)
    images: dict[str, Attached] = field(default_factory=dict)
    raw: str = ""
    is_cut: bool = False
    trouble: str | None = None


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
    try:
        message = message_from_bytes(data, policy=policy.compat32)
        opened.headers = [(_printable(name), _header(value)) for name, value in message.raw_items()][:HEADERS_SHOWN]
        _collect(opened, message)
    except Exception:  # noqa: BLE001 - the parser fails in many ways, nesting among them; the raw text remains
        opened.trouble = UNREADABLE
    return opened


def _collect(opened: ParsedMessage, message: "Message[str, str]") -> None:
    for number, part in zip(range(PARTS_SHOWN), message.walk()):  # noqa: B905 - the shorter one ends it
        kind = part.get_content_type()
        if part.is_multipart() and kind != "message/rfc822":
            continue
        if _is_body(part) and kind == "text/html" and opened.html is None:
            opened.html = _text(part)
        elif _is_body(part) and kind == "text/plain" and opened.text is None:
            opened.text = _text(part)
        else:
            file = Attached(number, _filename(part, number), kind, _bytes(part))
            opened.attachments.append(file)
            content_id = str(part.get("Content-ID", "")).strip().strip("<>")
            if content_id and kind in IMAGES:
                opened.images[content_id] = file


def _is_body(part: "Message[str, str]") -> bool:
    return part.get_content_disposition() != "attachment" and part.get_filename() is None


def _bytes(part: "Message[str, str]") -> bytes:
    if part.is_multipart():  # a forwarded message
        return b"\n".join(inner.as_bytes() for inner in part.get_payload() if isinstance(inner, Message))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: "Message[str, str]") -> str:
    data = _bytes(part)
    try:
        text = data.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:  # an unknown charset
        text = data.decode("utf-8", "replace")
    return _printable(text[:TEXT_SHOWN]).replace("\r\n", "\n")


def _filename(part: "Message[str, str]", number: int) -> str:
    name = _header(part.get_filename() or "").replace("/", "_").replace("\\", "_").strip(". ")
    return name[:200] or f"part-{number}"


def _header(value: object) -> str:
    """A decoded header (RFC 2047, RFC 6532) in one line."""
    return " ".join(_printable(decode_words(str(value))).split())


def _printable(text: str) -> str:
    return CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))
