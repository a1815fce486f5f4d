"""Cells that a spreadsheet shows and never calculates, and that come back as they were."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.csv_writer import csv_lines, plain_cell, safe_cell

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


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), max_size=4))
def test_lines_are_read_back_as_their_rows(rows: list[list[str]]) -> None:
    read = csv.reader(io.StringIO(csv_lines(rows).decode(), newline=""))
    assert [[plain_cell(cell) for cell in row] for row in read] == rows


def test_cells_are_in_quotes_and_none_is_empty() -> None:
    assert csv_lines([["a;=1", None, 7]]) == b'"a;=1","","7"\r\n'
