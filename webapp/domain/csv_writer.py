"""Writes CSV (RFC 4180) whose cells a spreadsheet shows and never calculates."""

import csv
import io
import re
from collections.abc import Iterable

BOM = b"\xef\xbb\xbf"  # without it at a file's beginning spreadsheets take UTF-8 for something else
# What makes a formula of a cell (OWASP, "CSV injection"), full-width forms and apostrophes before it included.
FORMULA = re.compile("'*[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")
ESCAPED = re.compile(f"'{FORMULA.pattern}")


def safe_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would calculate it."""
    return f"'{text}" if FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    """Undoes `safe_cell`."""
    return cell[1:] if ESCAPED.match(cell) else cell


def csv_lines(rows: Iterable[Iterable[object]]) -> bytes:
    """The rows as UTF-8 lines, every cell escaped and quoted; None is an empty cell."""
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL)
    writer.writerows([safe_cell("" if value is None else str(value)) for value in row] for row in rows)
    return lines.getvalue().encode(errors="replace")
