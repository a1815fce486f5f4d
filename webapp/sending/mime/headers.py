"""Header fields as bytes: checked, encoded and folded (RFC 5322, 2.2.3; RFC 2047).

The standard library takes hundreds of microseconds per address field, and encodes long addresses and URLs
(List-Unsubscribe) as words that no mail program reads.
"""

import re
from binascii import b2a_base64
from collections.abc import Iterable
from urllib.parse import quote

from webapp.addresses import Address

LINE = 76  # characters before folding (RFC 2047, 2)
HARD_LINE = 900  # words longer than this are encoded; the limit is 998 (RFC 5322, 2.1.1)
WORD_BYTES = 42  # of UTF-8 per encoded word, so that "=?utf-8?b?" + 56 + "?=" is below 75
VALUE_LIMIT = 16_384
FILENAME_LIMIT = 255

BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
NAME = re.compile(r"[A-Za-z0-9-]{1,76}")
ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
SAFE_IN_QUOTES = re.compile(r"[ !#-\[\]-~]+")
PART = r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
CONTENT_TYPE = re.compile(rf'{PART}/{PART}(?: ?; ?{PART}=(?:{PART}|"[ !#-\[\]-~]*"))*')
CONTENT_ID = re.compile(r"[\x21-\x3b\x3d\x3f-\x7e]{1,250}")  # visible ASCII without < and >

OURS = frozenset({
    "from", "to", "cc", "bcc", "subject", "reply-to", "sender", "return-path", "received", "message-id", "date",
    "dkim-signature", "mime-version",
})  # fmt: skip
# Those that an email has fields for.
FIELDS = {name: name.replace("-", "_") for name in ("from", "to", "cc", "bcc", "subject", "reply-to")}


def check_header(name: str, value: str) -> None:
    """Raises ValueError with a sentence unless callers may set this header field."""
    if not NAME.fullmatch(name):
        shown = name if name.isprintable() else ascii(name)
        raise ValueError(f"a header name takes letters, digits and hyphens, 1 to 76 of them: {shown[:80]}")
    if name.lower() in OURS or name.lower().startswith("content-"):
        field = FIELDS.get(name.lower())
        reason = "Pennypost sets it" if field is None else f"use the field {field} instead"
        raise ValueError(f"the header {name} may not be set here: {reason}")
    check_text(value, f"the header {name}")
    if len(value) > VALUE_LIMIT:
        raise ValueError(f"the header {name} must have {VALUE_LIMIT:,} characters at most")


def check_text(value: str, subject: str) -> None:
    """Raises ValueError ("`subject` must not contain ...") if the text has line breaks or control characters."""
    if not value.isprintable() and BREAKS.search(value):  # printable text contains none
        raise ValueError(f"{subject} must not contain line breaks or control characters")


def text_field(name: str, value: str) -> bytes:
    """An unstructured field. Raises ValueError if the value has line breaks."""
    line = f"{name}: {value}"
    if len(line) <= LINE and line.isascii() and line.isprintable() and "=?" not in value:  # the common case
        return f"{line}\r\n".encode()
    check_text(value, f"the header {name}")
    value = " ".join(value.replace("\t", " ").split(" ")).strip()
    if value.isascii() and "=?" not in value and len(max(value.split(" "), key=len)) <= HARD_LINE:
        words = value.split(" ")
    else:
        words = _encoded_words(value)
    return _fold(name, words)


def address_field(name: str, addresses: Iterable[Address]) -> bytes:
    """A field of mailboxes; addresses beyond ASCII need SMTPUTF8."""
    written = [_mailbox(address) for address in addresses]
    line = f"{name}: {', '.join(written)}\r\n"
    if len(line) <= LINE + 2:
        return line.encode()
    words = [word for mailbox in written for word in f"{mailbox},".split(" ")]
    words[-1] = words[-1][:-1]
    return _fold(name, words)


def filename_parameter(filename: str) -> str:
    """The filename parameter of Content-Disposition, encoded and split (RFC 2231, 3 and 4). Raises ValueError."""
    check_text(filename, "a file name")
    filename = filename.strip()
    if not filename or len(filename) > FILENAME_LIMIT:
        raise ValueError(f"a file name must have 1 to {FILENAME_LIMIT} characters")
    if SAFE_IN_QUOTES.fullmatch(filename):
        return f'filename="{filename}"'
    pieces = [""]
    for character in filename:
        quoted = quote(character.encode("utf-8", "replace"), safe="")
        if len(pieces[-1]) + len(quoted) > HARD_LINE:
            pieces.append("")
        pieces[-1] += quoted
    pieces[0] = f"utf-8''{pieces[0]}"
    if len(pieces) == 1:
        return f"filename*={pieces[0]}"
    return ";\r\n ".join(f"filename*{number}*={piece}" for number, piece in enumerate(pieces))


def _mailbox(address: Address) -> str:
    """An address with its display name as atoms, a quoted string or encoded words (RFC 5322, 3.2.5)."""
    check_text(address.email, "an address")
    if not address.name:
        return address.email
    check_text(address.name, "a name")
    name = " ".join(address.name.split())
    if not name.isascii() or "=?" in name or len(name) > LINE:
        name = " ".join(_encoded_words(name))
    elif not ATOMS.fullmatch(name):
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        name = f'"{escaped}"'
    return f"{name} <{address.email}>"


def _encoded_words(text: str) -> list[str]:
    """Encoded words (RFC 2047, 2), none of which splits a character."""
    words, start, size = [], 0, 0
    for index, character in enumerate(text):
        length = len(character.encode("utf-8", "replace"))
        if size + length > WORD_BYTES:
            words.append(text[start:index])
            start, size = index, 0
        size += length
    words.append(text[start:])
    return [f"=?utf-8?b?{b2a_base64(word.encode('utf-8', 'replace'), newline=False).decode()}?=" for word in words]


def _fold(name: str, words: list[str]) -> bytes:
    """Lines of at most 76 characters; a longer word gets its own line."""
    lines, line = [], f"{name}:"
    for word in words:
        # An empty word is a second space; alone on a line, some servers take it for the end of the header.
        if len(line) + 1 + len(word) > LINE and word and line.strip() and not line.endswith(":"):
            lines.append(line)
            line = ""
        line += " " + word
    return "\r\n".join([*lines, line]).encode("utf-8", "replace") + b"\r\n"
