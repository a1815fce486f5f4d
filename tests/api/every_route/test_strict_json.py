"""The parser against Python's own and against anything."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.http.body.strict_json import WINDOW, parse_json

MIB = 1024 * 1024
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=30)


REFUSED = object()


def parsed(raw: bytes) -> Any:
    return parse_json(bytearray(raw))


def parsed_or_refused(raw: bytes) -> Any:
    """The value, or REFUSED when the parser said why not in a sentence about the body."""
    try:
        return parsed(raw)
    except ValueError as error:
        return REFUSED if str(error).startswith("the body ") else error


@given(value=VALUES, ascii_only=st.booleans())
def test_whatever_json_can_say_comes_back(*, value: Any, ascii_only: bool) -> None:
    assert parsed(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary())
def test_any_bytes_are_parsed_or_refused(raw: bytes) -> None:
    assert not isinstance(parsed_or_refused(raw), Exception)


@given(st.text(st.sampled_from('{}[]",:\\u0d8N123 \n'), max_size=200))
def test_what_is_almost_json_is_parsed_or_refused(text: str) -> None:
    found = parsed_or_refused(text.encode())
    assert found is REFUSED or found == json.loads(text)


def test_four_million_numbers_are_taken_and_more_are_refused_before_they_are_built() -> None:
    most = b'{"content": [' + b"7," * 3_999_999 + b"7]}"
    assert len(parsed(most)["content"]) == 4_000_000
    bodies = [bytearray(b'{"attachments": [' + b"999," * 4_000_000 + end) for end in (b"999]}", b"")]
    tracemalloc.start()
    try:
        for body in bodies:
            with pytest.raises(ValueError, match=r"^the body has more than"):
                parse_json(body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 32 * MIB  # the body once more, as text, and none of its numbers


@pytest.mark.parametrize("text", ["," * 5_000_000, "[{" * 1_000])
def test_commas_and_brackets_in_strings_count_for_nothing(text: str) -> None:
    assert parsed(json.dumps({"html": text, "quoted": '"' + text}).encode())["html"] == text


def test_a_string_whose_quote_is_missing_costs_no_more_than_its_length() -> None:
    raw = b'["' + b'\\"' * 1_000_000
    assert [parsed_or_refused(body) for body in (raw, raw + b"\\")] == [REFUSED, REFUSED]


@given(
    before=st.integers(-3, 3),
    inside=st.sampled_from(("", "\\", '"', '\\"', "\\\\", '\n"\\', "9" * 40)),
    number=st.integers(2**63 - 2, 2**63 + 1),
)
def test_a_large_body_is_read_as_a_small_one_is(*, before: int, inside: str, number: int) -> None:
    text = "x" * (WINDOW + before) + inside + "1" * WINDOW + inside
    found = parsed_or_refused(json.dumps({"file": text, "short": inside, "number": number}).encode())
    assert found == ({"file": text, "short": inside, "number": number} if number < 2**63 else REFUSED)


def test_a_large_string_is_never_there_three_times() -> None:
    tracemalloc.start()
    try:
        raw = bytearray(b'{"html": "' + b"x" * 16 * MIB + b'"}')
        tracemalloc.reset_peak()
        assert len(parse_json(raw)["html"]) == 16 * MIB
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 33 * MIB  # bytes and text, then text and value
