"""Parses JSON in bounded time and memory; rejects NaN, duplicate keys, lone surrogates and huge numbers (RFC 7493)."""

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

MAX_DEPTH = 32
MAX_VALUES = 200_000  # strings, arrays and objects, because 40 MiB of `[],` would become a gigabyte
MAX_ITEMS = 4_000_000  # including numbers, because a file may be an array of bytes, and building it blocks the loop
SCAN_BYTES = 64 * 1024  # smaller bodies cannot have too many values
INT64 = range(-(2**63), 2**63)

# Matching an expression blocks all other threads, so it never runs on more than this.
WINDOW, OVERLAP = 256 * 1024, 32
BEGINNING = re.compile(rb'["\[{\]}]')  # of a string, or a bracket
IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
QUOTE, ESCAPE = b'"', b"\\"
LONG_DIGITS = 19  # fewer are below 64 bits
LONG_NUMBER = re.compile(rb"[0-9]{%d}" % LONG_DIGITS)
DIGITS_AS_ZEROS = bytes.maketrans(b"0123456789", b"0000000000")
ODD_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89abABcdefCDEF])")


def parse_json(raw: bytearray) -> Any:
    """The value; empties `raw` to save memory. Raises ValueError."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise ValueError("the body is not valid UTF-8") from None
    _check_size(raw)
    parse_int = _int64 if _has_long_number(raw) else None
    is_odd = ESCAPE in raw and _has(ODD_ESCAPE, raw, 0, len(raw))
    raw.clear()
    value = _load(text, parse_int)
    if is_odd:
        _check_strings(value)
    return value


def _load(text: str, parse_int: Callable[[str], int] | None) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite, parse_int=parse_int
        )
    except json.JSONDecodeError as error:
        if not text.strip():
            raise ValueError("the body is empty: send JSON, or no Content-Type") from None
        fault = f"the body is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    raise ValueError(fault)  # outside, because the parser's error holds the whole text


def _check_size(raw: bytes | bytearray) -> None:
    if len(raw) <= SCAN_BYTES and raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return
    depth, items = 0, raw.count(b",")
    for count, (start, end) in enumerate(_tokens(raw)):
        items -= raw.count(b",", start, end)  # commas in strings do not count
        first = raw[start]
        if first in b"[{":
            depth += 1
        elif first in b"]}":
            depth -= 1
        if depth > MAX_DEPTH:
            raise ValueError(f"the body is nested more than {MAX_DEPTH} levels")
        if count > MAX_VALUES:
            raise ValueError(f"the body has more than {MAX_VALUES:,} values")
    if items >= MAX_ITEMS:
        raise ValueError(f"the body has more than {MAX_ITEMS:,} items")


def _tokens(raw: bytes | bytearray) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(raw):
        beginning = BEGINNING.search(raw, at, at + WINDOW)
        if beginning is None:
            at += WINDOW
            continue
        start = beginning.start()
        at = _end_of_string(raw, start + 1) if raw[start] == QUOTE[0] else start + 1
        yield start, at


def _end_of_string(raw: bytes | bytearray, at: int) -> int:
    """The end of the string that began before `at`, or of the text; `find` is a hundred times as fast as a match."""
    while at < len(raw):
        quote = raw.find(QUOTE, at, at + WINDOW)
        end = quote if quote >= 0 else min(at + WINDOW, len(raw))
        if raw.find(ESCAPE, at, end) < 0:
            if quote >= 0:
                return quote + 1
            at = end
        elif (string := IN_STRING.match(raw, at, at + WINDOW)) and string.end() > at:
            at = string.end()
        else:  # only half an escape is left
            break
    return len(raw)


def _has_long_number(raw: bytes | bytearray) -> bool:
    if len(raw) <= SCAN_BYTES:  # ten times as fast as an expression
        return b"0" * LONG_DIGITS in raw.translate(DIGITS_AS_ZEROS)
    at = 0
    for start, end in _tokens(raw):
        if start - at >= LONG_DIGITS and _has(LONG_NUMBER, raw, at, start):
            return True
        at = end
    return _has(LONG_NUMBER, raw, at, len(raw))


def _has(expression: re.Pattern[bytes], raw: bytes | bytearray, start: int, end: int) -> bool:
    """True if the expression matches between `start` and `end`; no match is as long as OVERLAP."""
    return any(expression.search(raw, at, min(at + WINDOW + OVERLAP, end)) for at in range(start, end, WINDOW))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # None
        raise ValueError(f"the body has the key {twice[:80]!r} more than once")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"the body is not valid JSON: {name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("the body has a number that is too large")
    return number


def _int64(text: str) -> int:
    if len(text) > len(str(INT64.start)) or int(text) not in INT64:
        raise ValueError("the body has an integer larger than 64 bits")
    return int(text)


def _check_strings(value: Any) -> None:
    for text in _strings(value):
        if "\0" in text:
            raise ValueError("the body has a NUL character in a string")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise ValueError("the body has an unpaired surrogate in a string")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
