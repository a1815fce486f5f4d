"""Hides secrets in what API requests sent and got, and shortens long bodies."""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_plus

import orjson

from webapp.logs import HIDDEN, SECRET_NAMES, hide_secrets

BODY_BYTES = 4 * 1024  # stored of each body
START_BYTES = 16 * 1024  # read of a request's body: of what is read, attachments are left out
ANSWER_BYTES = BODY_BYTES + 1024  # read of a response's: no secret is cut off before the end that tells it
MAX_DEPTH = 32  # as deep as the API takes a body
ATTACHMENT_LENGTH = 60
HEADER_LENGTH, HEADERS = 500, 40
CACHED_LENGTH = 60  # of the names that are looked at once
QUERY_LENGTH = 2_000

# Any other header may hold a secret, of its sender or of a proxy.
SHOWN_HEADERS = {
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "host",
    "idempotency-key",
    "origin",
    "traceparent",
    "transfer-encoding",
    "user-agent",
    "via",
    "x-batch-validation",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-request-id",
}
CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
SEPARATORS = re.compile(r"[\W_]+")
SECRET_FIELD = re.compile(
    SECRET_NAMES.pattern
    + r"|passphrase|jwt|signature|(?:access|private|signing|encryption)_?keys?"
    + r"|(?:(?:pass|otp)(?:code)?|pwd|pw)\d*(?![^\W_])"  # at the end of any word
    + r"|(?:^|[^a-z])(?:keys?|pin|auth)[\W\d_]*$"
)
PUBLIC_FIELDS = {"account_key", "idempotency_key"}  # an account's name, and a number of the caller's
# The names in a query, and in an address or a query of its own that a value holds. Some programs separate by ;.
QUERY_NAME = re.compile(r"(?<![^&;?=])([^&;?=]*+)=(?=.)", re.DOTALL)

PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}"  # two escapes that are one character
STRING = rf'"(?:[^"\\]|\\[^u]|{PAIR}|\\u(?![dD][89abAB])[0-9a-fA-F]{{4}})*+("?)'
TOKEN = re.compile(rf'\s*+([{{}}\[\]:,]|{STRING}|[^\s{{}}\[\]:,"]++)', re.DOTALL)


class BodyStart(NamedTuple):
    """The first START_BYTES of a request's body at most, or ANSWER_BYTES of a response's."""

    start: bytes
    is_whole: bool


class MaskedBody(NamedTuple):
    text: str | None  # JSON, empty without a body, None where it is not stored
    is_cut: bool = False


def mask_body(body: BodyStart | None) -> MaskedBody:
    """A body that is not JSON, or that nobody has read, is not stored."""
    if body is None:
        return MaskedBody(None)
    if not body.start:
        return MaskedBody("")
    try:
        value = orjson.loads(body.start if body.is_whole else _closed(body.start))
    except ValueError:
        return MaskedBody(None)
    if body.is_whole and not _names_secret(value) and _is_harmless(written := orjson.dumps(value).decode()):
        return MaskedBody(written)  # as nearly always: a mask takes four times as long
    mask = _Mask()
    masked = mask.value(value)
    return MaskedBody(orjson.dumps(masked).decode(), mask.is_cut or not body.is_whole)


def mask_query(query: bytes) -> str:
    parts = query[: 4 * QUERY_LENGTH].decode(errors="replace").split("&")
    return "&".join(_mask_part(part) for part in parts)[:QUERY_LENGTH]


def harmless_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    shown = [(name, value[:HEADER_LENGTH]) for name, value in headers if name.lower() in SHOWN_HEADERS]
    return shown[:HEADERS]


def mask_headers(headers: Iterable[tuple[str, str]]) -> str:
    """A JSON list of names and values."""
    return orjson.dumps([(name, hide_secrets(value)) for name, value in headers]).decode()


def is_secret(name: str) -> bool:
    return _is_secret(name) if len(name) <= CACHED_LENGTH else _is_secret.__wrapped__(name)


@lru_cache(maxsize=2_000)
def _is_secret(name: str) -> bool:
    plain = CAPITAL.sub("_", name).lower().replace("-", "_")
    if plain in PUBLIC_FIELDS:
        return False
    return any(map(SECRET_FIELD.search, (plain, SEPARATORS.sub("", name).casefold())))


def _is_harmless(written: str) -> bool:
    """True for JSON of which a mask would hide no value and cut off none."""
    return len(written) <= BODY_BYTES and '"attachments"' not in written and hide_secrets(written) == written


def _names_secret(value: Any, depth: int = 0) -> bool:
    """True where a name is one of a secret, or the value is too deep to tell."""
    if isinstance(value, dict):
        return depth == MAX_DEPTH or any(is_secret(name) or _names_secret(value[name], depth + 1) for name in value)
    if isinstance(value, list):
        return depth == MAX_DEPTH or any(_names_secret(item, depth + 1) for item in value)
    return False


def _mask_part(part: str) -> str:
    """The name stays where only the value is secret; a value ends at the next &, as a secret may hold a semicolon."""
    written, _, rest = part.partition("=")
    name, value = unquote_plus(written), unquote_plus(rest)
    if value and not _holds_secret(name) and (is_secret(name) or _holds_secret(value)):
        part = f"{written}={HIDDEN}"
    elif _holds_secret(unquote_plus(part)):
        part = HIDDEN
    return quote(part, safe="%=+,:;/?@!$'()*[]~")  # printable


def _holds_secret(text: str) -> bool:
    return hide_secrets(text) != text or any(map(is_secret, QUERY_NAME.findall(text)))


class _Mask:
    """Copies a value without its secrets until BODY_BYTES are used up."""

    def __init__(self) -> None:
        self._left = BODY_BYTES
        self.is_cut = False

    def value(self, value: Any, depth: int = 0, *, is_attached: bool = False) -> Any:
        if isinstance(value, str):
            return self._string(value, is_attached=is_attached)
        if not isinstance(value, dict | list):
            self._left -= len(str(value))
            return value
        if depth == MAX_DEPTH:
            self.is_cut = True
            return "…"
        self._left -= 2  # the brackets
        if isinstance(value, list):
            return [self.value(item, depth + 1, is_attached=is_attached) for item in self._until_used_up(value)]
        return {
            self._string(name): self._member(name, item, depth + 1, is_attached=is_attached)
            for name, item in self._until_used_up(value.items())
        }

    def _member(self, name: str, item: Any, depth: int, *, is_attached: bool) -> Any:
        if is_secret(name) and not (item is None or isinstance(item, bool) or item == ""):
            return self._string(HIDDEN)
        return self.value(item, depth, is_attached=is_attached or name == "attachments")

    def _until_used_up(self, items: Iterable[Any]) -> Iterable[Any]:
        for item in items:
            if self._left <= 0:
                self.is_cut = True
                return
            self._left -= 2  # a comma and a colon
            yield item

    def _string(self, text: str, *, is_attached: bool = False) -> str:
        text = hide_secrets(text)
        if is_attached and len(text) > ATTACHMENT_LENGTH:
            text = f"{text[:ATTACHMENT_LENGTH]}… ({len(text):,} characters)"
        written = orjson.dumps(text)
        if len(written) > self._left:
            self.is_cut = True
            text = f"{orjson.loads(_closed(written[: max(self._left, 1)]))}…"
        self._left -= len(written)
        return text


def _closed(start: bytes) -> str:
    """The start of a JSON text, ended after the last value that is there. Raises ValueError."""
    text = getincrementaldecoder("utf-8")().decode(start)  # half a character at its end is left out
    closers: list[str] = []
    end, previous = 0, ""
    for token in TOKEN.finditer(text):
        found = token[1]
        if found in "{[":
            closers.append("}" if found == "{" else "]")
        elif found in "}]":
            closers[-1:] = []
        is_name = closers[-1:] == ["}"] and previous in "{,"
        is_open = found[0] == '"' and not token[2]
        if is_open and not is_name:
            return f'{text[: token.end()]}"{"".join(reversed(closers))}'
        if found in "{[}]" or (found not in ":," and not is_name and token.end() < len(text)):
            end = token.end()
        previous = found[0]
    return text[:end] + "".join(reversed(closers))
