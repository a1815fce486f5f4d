"""Reading CSV files: whatever is written comes back, in any parts, and hostile ones stay small."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.imports.csv_reader import (
    DELIMITERS,
    ENCODINGS,
    UNCLOSED,
    CsvLine,
    CsvRow,
    EncodingGuess,
    LineReader,
    Unreadable,
    guess_delimiter,
    read_rows,
    strip_marks,
)

TABLES = st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=4), max_size=8)


def lines_of(data: bytes, encoding: str, step: int = 7) -> list[CsvLine]:
    reader = LineReader(encoding)
    found = [line for start in range(0, len(data), step) for line in reader.feed(data[start : start + step])]
    return found + reader.close()


def read_all(data: bytes, encoding: str, delimiter: str, step: int = 7, most: int = 2) -> list[CsvRow]:
    """All rows, `most` at a time, each part begun at the byte where the one before ended."""
    rows: list[CsvRow] = []
    byte = line = 0
    while byte < len(data):
        reader = LineReader(encoding)
        lines = reader.feed(data[byte:]) + reader.close()
        part = read_rows(strip_marks(lines) if byte == 0 else lines, delimiter, most, is_end=True)
        rows += [row._replace(line=row.line + line) for row in part.rows]
        assert part.size > 0
        byte, line = byte + part.size, line + part.lines
    assert sum(one.size for one in lines_of(data, encoding, step)) == len(data) == byte
    return rows


def written(table: list[list[str]], delimiter: str, line_end: str, quoting: int) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=line_end, quoting=quoting).writerows(table)
    return file.getvalue()


@given(
    table=TABLES,
    delimiter=st.sampled_from(sorted(DELIMITERS)),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    step=st.integers(1, 9),
)
def test_any_table_comes_back_from_any_parts(
    table: list[list[str]], delimiter: str, encoding: str, quoting: int, step: int
) -> None:
    data = ("\ufeff" if encoding.startswith("utf-16") else "") + written(table, delimiter, "\r\n", quoting)
    ours = encoding.removesuffix("-sig")
    rows = read_all(data.encode(encoding), ours, delimiter, step)
    if encoding == "utf-8" and table and table[0][0].startswith("\ufeff"):
        table[0][0] = table[0][0][1:]  # which is a mark, whoever meant it
    assert [row.cells for row in rows] == table


@given(st.text(min_size=1, max_size=200), st.sampled_from([*ENCODINGS, "utf-8-sig", "utf-16"]))
def test_no_text_makes_a_fault(text: str, encoding: str) -> None:
    guess = EncodingGuess()
    data = text.encode(encoding, "replace")
    try:
        guess.feed(data)
        assert guess.encoding in ENCODINGS
        read_all(data, guess.encoding, ",")
    except Unreadable:
        assert data.startswith((b"PK", b"%PDF", b"\x1f\x8b", b"\xd0\xcf"))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("email,Jürgen".encode("utf-16"), "utf-16-le"),
        (b"a\n" * 500 + "Zoë\n".encode() + b"Fran\xe7ois M\xfcller, Caf\xe9 \xc5\n", "utf-8"),
        ("Zoë\n".encode() + b"Fran\xe7ois\nM\xfcller\n", "cp1252"),
    ],
)
def test_the_encoding_is_guessed_from_all_of_it(data: bytes, encoding: str) -> None:
    guess = EncodingGuess()
    for byte in range(0, len(data), 3):
        guess.feed(data[byte : byte + 3])
    assert guess.encoding == encoding


@pytest.mark.parametrize(
    ("data", "encoding", "words"),
    [
        (b"a,b\nx,\x81\ny,z\n", "cp1252", "has characters that aren't Windows-1252"),
        ("a,b\nx,\udc00\ny,z\n".encode("utf-16-le", "surrogatepass"), "utf-16-le", "has characters that aren't UTF-16"),
        (b'a,b\n"x\n\xff",1\ny,z\n', "utf-8", "has characters that aren't UTF-8"),
    ],
)
def test_what_cannot_be_decoded_is_the_fault_of_its_row(data: bytes, encoding: str, words: str) -> None:
    rows = read_all(data, encoding, ",")
    assert [row.fault for row in rows] == [None, words, None]
    assert rows[2].cells == ["y", "z"]


@pytest.mark.parametrize("first", ["sep={}\n", '"SEP={}"\r\n', "sep={};;\n", " sep = {} \n", "\ufeff\n \t\nsep={}\n"])
@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_a_first_line_may_state_the_delimiter_and_is_no_row(first: str, delimiter: str) -> None:
    text = first.format(delimiter) + f"email{delimiter}a,b;c\n1{delimiter}2\n"
    lines = lines_of(text.encode(), "utf-8")
    assert guess_delimiter(lines) == delimiter
    part = read_rows(strip_marks(lines), delimiter, 5, is_end=True)
    above = len(first.splitlines())
    assert [row.line for row in part.rows] == [above, above + 1]
    assert part.rows[1].cells == ["1", "2"]
    assert part.size == len(text.encode())


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_the_delimiter_is_the_one_that_makes_even_rows(delimiter: str) -> None:
    rows = [["email", "name, and title; all|of it"], ["ada@example.org", "Lovelace, Ada"], ["bob@example.org", "a;b"]]
    text = "".join(f"{delimiter.join(f'{chr(34)}{cell}{chr(34)}' for cell in row)}\n" for row in rows)
    assert guess_delimiter(lines_of(text.encode(), "utf-8")) == delimiter
    assert guess_delimiter(lines_of(b"email\na@b.example\n", "utf-8")) == ","


def test_a_cell_that_never_ends_costs_its_line_alone() -> None:
    data = b'email,name\na@x.example,Ann\nb@x.example,"Bob\nc@x.example,Cy\n'
    rows = read_all(data, "utf-8", ",")
    assert [(row.line, row.cells[0], row.fault) for row in rows if row.line] == [
        (1, "a@x.example", None),
        (2, 'b@x.example,"Bob', UNCLOSED),
        (3, "c@x.example", None),
    ]
