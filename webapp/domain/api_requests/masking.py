"""Hides secrets in API requests and responses, and shortens long bodies."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_plus

import orjson
from pydantic_core import from_json, to_json

from webapp.logs import HIDDEN, hide_secrets
from webapp.secret_names import is_secret

BODY_BYTES = 4 * 1024  # stored per body
START_BYTES = 16 * 1024  # read of a request's body; attachments are left out
ANSWER_BYTES = BODY_BYTES + 1024  # read of a response's body, so that no secret is cut before it is recognized
MAX_DEPTH = 32  # like the API's
ATTACHMENT_LENGTH = 60
HEADER_LENGTH, HEADERS = 500, 40
QUERY_LENGTH = 2_000

# Any other header may contain a secret.
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
# Names in a query, or in a query or address inside a value; some programs separate them with ;.
QUERY_NAME = re.compile(r"(?<![^&;?=])([^&;?=]*+)=(?=.)", re.DOTALL)


class BodyStart(NamedTuple):
    """At most the first START_BYTES of a request's body, or ANSWER_BYTES of a response's."""

    start: bytes
    is_whole: bool


class MaskedBody(NamedTuple):
    text: str | None  # JSON; empty without a body, None if not stored
    is_cut: bool = False


def mask_body(body: BodyStart | None) -> MaskedBody:
    """Does not store bodies that are not JSON or were not read; cut JSON is read as far as it goes."""
    if body is None:
        return MaskedBody(None)
    if not body.start:
        return MaskedBody("")
    try:
        value = orjson.loads(body.start) if body.is_whole else _parsed_start(body.start)
    except ValueError:
        return MaskedBody(None)
    contents = _names_and_texts(value)
    if contents is not None and _are_harmless(*contents):  # the common case; masking takes several times as long
        written = to_json(value, inf_nan_mode="null")
        is_long = len(written) > BODY_BYTES
        shortened = to_json(_parsed_start(written[:BODY_BYTES])) if is_long else written
        return MaskedBody(shortened.decode(), is_long or not body.is_whole)
    mask = _Mask()
    masked = mask.value(value)
    return MaskedBody(to_json(masked, inf_nan_mode="null").decode(), mask.is_cut or not body.is_whole)


def mask_query(query: bytes) -> str:
    if not query:
        return ""
    parts = query[: 4 * QUERY_LENGTH].decode(errors="replace").split("&")
    return "&".join(_mask_part(part) for part in parts)[:QUERY_LENGTH]


def harmless_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    shown = [(name, value[:HEADER_LENGTH]) for name, value in headers if name.lower() in SHOWN_HEADERS]
    return shown[:HEADERS]


def mask_headers(headers: Iterable[tuple[str, str]]) -> str:
    return orjson.dumps([(name, hide_secrets(value)) for name, value in headers]).decode()


def _names_and_texts(value: Any) -> tuple[set[str], list[str]] | None:
    level, names, texts = [value], set[str](), list[str]()
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, str):
                texts.append(item)
            elif isinstance(item, list):
                inner += item
            elif isinstance(item, dict):
                names.update(item)
                inner += item.values()
        if not inner:
            return names, texts
        level = inner
    return None


def _are_harmless(names: set[str], texts: list[str]) -> bool:
    if "attachments" in names or any(map(is_secret, names)):
        return False
    together = "\n".join((*names, *texts))  # a match across two of them only costs a needless masking
    return hide_secrets(together) == together


def _mask_part(part: str) -> str:
    """Keeps the name if only the value is secret; a value ends at the next &, because it may contain semicolons."""
    written, _, raw_value = part.partition("=")
    name, value = unquote_plus(written), unquote_plus(raw_value)
    if value and not _holds_secret(name) and (is_secret(name) or _holds_secret(value)):
        part = f"{written}={HIDDEN}"
    elif _holds_secret(unquote_plus(part)):
        part = HIDDEN
    return quote(part, safe="%=+,:;/?@!$'()*[]~")  # printable


def _holds_secret(text: str) -> bool:
    return hide_secrets(text) != text or any(map(is_secret, QUERY_NAME.findall(text)))


class _Mask:
    """Copies a value without its secrets until BODY_BYTES are used."""

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
        written = to_json(text)
        if len(written) > self._left:
            self.is_cut = True
            text = _parsed_start(written[: max(self._left, 1)])
        self._left -= len(written)
        return text


def _parsed_start(start: bytes) -> Any:
    """Parses the start of a JSON text whose last string or number may be cut. Raises ValueError."""
    return from_json(start, allow_inf_nan=False, allow_partial="trailing-strings")
