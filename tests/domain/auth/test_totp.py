"""Codes of authenticator apps."""

import base64
from datetime import UTC, datetime

import pytest

from webapp.domain.auth.totp import code_at, matching_step

SECRET = base64.b32encode(b"12345678901234567890").decode()
OTHER_SECRET = base64.b32encode(b"another one of twenty").decode()
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
STEP = int(NOON.timestamp()) // 30


@pytest.mark.parametrize(("seconds", "code"), [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")])
def test_the_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    """RFC 6238, appendix B, of whose eight digits the last six count."""
    assert code_at(SECRET, seconds // 30) == code


def test_a_clock_may_be_off_by_one_step_and_a_code_typed_in_groups() -> None:
    found = {offset: matching_step(SECRET, code_at(SECRET, STEP + offset), NOON) for offset in range(-3, 4)}
    assert found == {-3: None, -2: None, -1: STEP - 1, 0: STEP, 1: STEP + 1, 2: None, 3: None}
    code = code_at(SECRET, STEP)
    assert matching_step(SECRET, f" {code[:3]} {code[3:]} ", NOON) == STEP


@pytest.mark.parametrize("text", ["", "12345", "1234567", "½٣٤٥٦٧", "abcdef", code_at(OTHER_SECRET, STEP)])
def test_what_is_no_code_matches_no_step(text: str) -> None:
    assert matching_step(SECRET, text, NOON) is None
