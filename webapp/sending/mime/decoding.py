"""Decodes what others' programs wrote into messages, in linear time whatever it is; nothing here raises."""

import binascii
import re
from encodings import normalize_encoding
from encodings.aliases import aliases
from urllib.parse import unquote_to_bytes

MAX_VALUE = 16 * 1024  # characters of a header field

# Python also has codecs that are not of mail, and slow or able to make surrogates, such as punycode and UTF-7. It keeps
# each unknown name that it is asked for, so that only these are looked up.
CHARSETS = frozenset(aliases.values()) - {"utf_7"} | {
    "cp720", "cp737", "cp856", "cp874", "cp1006", "iso8859_1", "koi8_t", "koi8_u", "utf_8_sig",
}  # fmt: skip
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
WORD = re.compile(r"=\?([\w.:+-]{1,40})(?:\*[\w-]{0,40})?\?([bq])\?([^\r\n]{0,1000}?)\?=", re.IGNORECASE)
PARAMETER = re.compile(
    r';\s*(?P<name>[^\s=;*"]{1,40})(?:\*(?P<number>\d{1,3}))?(?P<star>\*)?\s*='
    r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^\s;"]*))'
)
CHARSET_FIRST = re.compile("([^']*)'[^']*'")
ESCAPED = re.compile(r"\\(.)")


def decode_text(data: bytes, charset: str) -> str:
    """Decodes text in a charset of mail, or in UTF-8 if the charset is unknown; invalid bytes become U+FFFD."""
    name = normalize_encoding(charset).lower()
    name = aliases.get(name, name)
    try:
        return data.decode(name if name in CHARSETS else "utf-8", "replace")
    except LookupError:  # base64 and the like, which have names but are not text
        return data.decode("utf-8", "replace")


def decode_base64(data: bytes) -> bytes:
    """Ignores what is no Base64."""
    characters = NOT_BASE64.sub(b"", data)
    characters = characters[: len(characters) - (len(characters) % 4 == 1)]  # a single one holds no byte
    return binascii.a2b_base64(characters + b"=" * (-len(characters) % 4))


def decode_words(value: str) -> str:
    """The text of a field's value with its encoded words (RFC 2047); bytes beyond ASCII may be surrogates in it."""
    value = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if "=?" not in value:
        return value
    shown: list[str] = []
    run, charset, end = bytearray(), "", 0
    for word in WORD.finditer(value, 0, MAX_VALUE):
        between = value[end : word.start()]
        if word[1].lower() != charset or between.strip():  # else they are one text, and may split a character
            shown.append(decode_text(bytes(run), charset))
            run.clear()
        if not charset or between.strip():  # white space between words is not shown
            shown.append(between)
        encoded = word[3].encode()
        run += decode_base64(encoded) if word[2] in "bB" else binascii.a2b_qp(encoded, header=True)
        charset, end = word[1].lower(), word.end()
    return "".join([*shown, decode_text(bytes(run), charset), value[end:]])


def read_filename(disposition: str, content_type: str) -> str | None:
    """The file name that a part's Content-Disposition or Content-Type states; it may be a path."""
    filename = _parameter(disposition, "filename")
    return _parameter(content_type, "name") if filename is None else filename


def _parameter(value: str, name: str) -> str | None:
    """Extended and continued ones (RFC 2231) go before a plain one, which older programs read."""
    stated = [match for match in PARAMETER.finditer(value, 0, MAX_VALUE) if match["name"].lower() == name]
    if not stated:
        return None
    extended = [match for match in stated if match["number"] or match["star"]]
    charset, data = "", b""
    for number, match in enumerate(sorted(extended, key=lambda match: int(match["number"] or 0)) or stated[:1]):
        text = match["plain"] if match["quoted"] is None else ESCAPED.sub(r"\1", match["quoted"])
        if match["star"] and number == 0 and (named := CHARSET_FIRST.match(text)):
            charset, text = named[1], text[named.end() :]
        written = text.encode("utf-8", "surrogateescape")
        data += unquote_to_bytes(written) if match["star"] else written
    return decode_words(decode_text(data, charset))
