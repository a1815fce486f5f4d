"""Reads a MIME message that a program submits: who sends it, to whom, what pages show of it, and what is sent.

All of it takes linear time, because the message may be hostile.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from webapp.addresses import CONTROL, HIDING, QUOTED, Address, normalize
from webapp.domain.emails.inputs import HEADERS, TAG_TEXT, TAGS, NewTag
from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.errors import ValidationError
from webapp.sending.api_session import BETWEEN_ADDRESSES
from webapp.sending.mime.decoding import MAX_VALUE, decode_text, decode_words
from webapp.sending.mime.headers import OURS, check_header
from webapp.sending.mime.line_endings import has_bare_line_end
from webapp.sending.reports.mime_parts import MAX_BYTES, MimePart, read_parts

HEADER_BYTES = 128 * 1024
FIELDS = 1_000
HOPS = 50  # Received fields, beyond which the message travels in a circle (RFC 5321, 6.3)
NAME_LENGTH = 200  # characters
MESSAGE_ID_LENGTH = 320  # of the column
SHOWN = 512 * 1024  # characters of a body
LONGEST_KEY = 256

FIELD = re.compile(rb"([!-9;-~]+):([^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*)")
SENDER = re.compile(r'((?:"(?:[^"\\]|\\.)*"|[^",:;<>])*)<([^<>]*)>\s*')
BARE_SENDER = re.compile(r'([^\s<>,;:()"]+)\s*(?:\(([^()]*)\))?')  # with its name as a comment, as in RFC 822
MESSAGE_ID = re.compile(r"<[!-;=?-~]+>")
TAG = re.compile(TAG_TEXT.removesuffix("$").removeprefix("^"))
USUAL_CHARSETS = ("utf-8", "us-ascii", "iso-8859-1", "windows-1252")
CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r"})
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
OUR_TAG, OUR_KEY = "x-pennypost-tag", "x-pennypost-idempotency-key"
REMOVED = {"bcc", "resent-bcc", OUR_TAG, OUR_KEY}


class MimeMessage(NamedTuple):
    """`header` and `body` are what is sent; fields are unfolded, by lower-case name."""

    sender: Address
    fields: Mapping[str, list[str]]
    header: bytes
    body: bytes
    tags: list[NewTag]
    idempotency_key: str | None

    @property
    def subject(self) -> str:
        return one_line(" ".join(self.fields.get("subject", [])))[:SUBJECT_LENGTH]

    @property
    def message_id(self) -> str | None:
        """The only Message-ID, if a column can have it."""
        stated = self.fields.get("message-id", [])
        is_usable = len(stated) == 1 and len(stated[0]) <= MESSAGE_ID_LENGTH and MESSAGE_ID.fullmatch(stated[0])
        return stated[0] if is_usable else None

    @property
    def custom_headers(self) -> dict[str, str]:
        """Those that may be set through the API too."""
        custom = {}
        for name, values in self.fields.items():
            if name in REMOVED or name in OURS:
                continue
            value = one_line(values[0])
            try:
                check_header(name, value)
            except ValueError:
                continue
            custom[name] = value
        return dict(list(custom.items())[:HEADERS])

    def addresses_in(self, name: str) -> Collection[str]:
        """Whatever looks like an address in a field, in lower case; without regard to names and comments."""
        words = BETWEEN_ADDRESSES.split(" ".join(self.fields.get(name, [])).lower())
        return {word for word in words if "@" in word}

    def bodies(self) -> tuple[str | None, str | None]:
        """The HTML and the text as they are shown, cut where they are very long."""
        kind = self.fields.get("content-type", ["text/plain"])[0].lower()
        whole = MimePart(self.fields, kind.partition(";")[0].strip(), self.body[:MAX_BYTES])
        parts = read_parts(self.header + b"\r\n" + self.body[:MAX_BYTES]) if kind.startswith("multipart") else [whole]
        shown: dict[str, str] = {}
        for part in parts:
            if not part.is_file:
                shown.setdefault(part.content_type, _text(part))
        return shown.get("text/html"), shown.get("text/plain")


class BareLineEnd(ValidationError):
    """A line ends with CR or LF alone, which servers on the way may read in different ways."""


def read_message(content: bytes) -> MimeMessage:
    """Raises ValidationError."""
    if has_bare_line_end(content):
        raise BareLineEnd.about("message", "the message has a bare CR or LF: lines must end with CRLF")
    header, body = _halves(content)
    if len(header) > HEADER_BYTES:
        raise _fault(f"has more than {HEADER_BYTES // 1024} KiB of headers")
    if b"\0" in content:
        raise _fault("has a NUL: encode binary parts in base64")
    fields: defaultdict[str, list[str]] = defaultdict(list)
    sent = []
    for name, raw in _fields(header):
        fields[name].append(_unfolded(raw))
        if name not in REMOVED:
            sent.append(raw)
    if len(fields.get("received", ())) > HOPS:
        raise _fault(f"has {HOPS} Received headers: it travels in a circle")
    tags, key = _tags(fields.get(OUR_TAG, [])), _idempotency_key(fields.get(OUR_KEY, []))
    return MimeMessage(_sender(fields.get("from", [])), dict(fields), b"".join(sent), body, tags, key)


def one_line(value: str) -> str:
    if value.isascii() and value.isprintable() and "=?" not in value:  # the common case, ten times as fast
        return " ".join(value[:MAX_VALUE].split())
    return " ".join(HIDING.sub("", UNPRINTABLE.sub(" ", decode_words(value[:MAX_VALUE]))).split())


def _halves(content: bytes) -> tuple[bytes, bytes]:
    if content.startswith(b"\r\n"):
        return b"", content[2:]
    end = content.find(b"\r\n\r\n")
    return (content, b"") if end < 0 else (content[: end + 2], content[end + 4 :])


def _fields(header: bytes) -> Iterator[tuple[str, bytes]]:
    """Lower-case names, and the whole fields. Raises ValidationError."""
    at = 0
    for _ in range(FIELDS):
        if at == len(header):
            return
        match = FIELD.match(header, at)
        if match is None:
            line = header[at : at + 40].decode("ascii", "replace").partition("\r")[0]
            raise _fault(f"has a header that is not `Name: value`: {one_line(line)}")
        yield match[1].decode().lower(), match[0]
        at = match.end()
    raise _fault(f"has more than {FIELDS:,} headers")


def _unfolded(field: bytes) -> str:
    """Raises ValidationError for other text than UTF-8 (RFC 6532)."""
    value = field.partition(b":")[2][:MAX_VALUE]
    try:
        return " ".join(value.decode("utf-8", "strict" if len(value) < MAX_VALUE else "ignore").split())
    except UnicodeDecodeError:
        raise _fault("has headers that are neither ASCII nor UTF-8: encode them (RFC 2047)") from None


def _sender(values: list[str]) -> Address:
    """The only address of the only From field. Raises ValidationError."""
    if len(values) != 1:
        raise ValidationError.at("from", "is required" if not values else "must be a single header")
    name, written = "", values[0]
    if match := SENDER.fullmatch(written):
        name, written = match[1].strip(), match[2].strip()
        if quoted := QUOTED.fullmatch(name):
            name = re.sub(r"\\(.)", r"\1", quoted[1])
    elif match := BARE_SENDER.fullmatch(written):
        name, written = match[2] or "", match[1]
    try:
        return Address(CONTROL.sub("", one_line(name))[:NAME_LENGTH].strip(), normalize(written))
    except ValueError:
        raise ValidationError.at("from", "must be one address, like Name <name@example.com>") from None


def _tags(values: list[str]) -> list[NewTag]:
    """Raises ValidationError."""
    if len(values) > TAGS:
        raise ValidationError.at("X-Pennypost-Tag", f"may occur {TAGS} times at most")
    pairs = [(name.strip(), value.strip()) for name, _, value in (text.partition("=") for text in values)]
    if not all(TAG.fullmatch(name) and TAG.fullmatch(value) for name, value in pairs):
        raise ValidationError.at("X-Pennypost-Tag", "must be name=value, each of letters, digits, _ and -")
    return [NewTag(name=name, value=value) for name, value in pairs]


def _idempotency_key(values: list[str]) -> str | None:
    """Raises ValidationError."""
    if not values:
        return None
    if len(values) > 1 or not 0 < len(values[0]) <= LONGEST_KEY or CONTROL.search(values[0]):
        raise ValidationError.at("X-Pennypost-Idempotency-Key", f"must be one text of 1 to {LONGEST_KEY} characters")
    return values[0]


def _text(part: MimePart) -> str:
    charset, data = part.charset.lower(), part.content()
    if charset in USUAL_CHARSETS and data.isascii() and len(data.translate(None, CONTROLS)) == len(data):
        return data[:SHOWN].decode("ascii").replace("\r\n", "\n")  # the common case, ten times as fast
    return UNPRINTABLE.sub("\ufffd", decode_text(data, charset)[:SHOWN].replace("\r\n", "\n"))


def _fault(words: str) -> ValidationError:
    return ValidationError.about("message", f"the message {words}")
