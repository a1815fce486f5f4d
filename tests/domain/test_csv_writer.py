"""Cells that a spreadsheet shows and never calculates, and that come back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.csv_writer import plain_cell, safe_cell

FORMULA_SIGNS = "=+-@\t\r\n\0\uff1d\uff0b\uff0d\uff20"
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text(f"'{FORMULA_SIGNS}a\",;")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+49 170 5", "'+49 170 5"),
        ("'=1", "''=1"),
        ("'quoted'", "'quoted'"),
        ("a=b", "a=b"),
    ],
)
def test_what_begins_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


@given(TEXTS)
def test_no_cell_begins_a_formula_and_each_comes_back(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.startswith(tuple(FORMULA_SIGNS))
    assert plain_cell(cell) == text
